"""sinew ethercat: what it writes, what it refuses, and a frame by UDP to the program."""

import json
import signal
import socket
import struct
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

from program import PATIENCE, SINEW, Case, sinew


class Ethercat(Case):
    def test_writes_an_esi_file_of_the_biped(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "biped.xml"
            sinew("ethercat", "biped/stand", "--set", 'robot.devices="real"', "--esi", file)
            root = xml.parse(file).getroot()
            self.assertEqual(root.find("Vendor/Id").text, "#xf0005e55")
            kinds = {d.find("Type").text for d in root.iter("Device")}
            self.assertEqual(kinds, {"sinew-drive-linear", "sinew-force-6"})

    def test_refuses_what_makes_no_sense(self):
        for arguments, words in (
            (["pendulum"], "no way for frames is named: add --udp, or --interface IF"),
            (["pendulum", "--udp", "--interface", "lo"], "leave one out"),
            (["pendulum", "--udp", "--port", "0"], "--port: not a port"),
            (["pendulum", "--port", "7000", "--esi", "x"], "belong to --udp"),
            (["pendulum", "--udp", "--cycle", "1h"], "not a cycle"),
            (["pendulum", "--udp", "--timed"], "integrator.step"),
            (["pendulum", "--interface", "no-such-if"], "there is no such network interface"),
            (["drive/dc-motor", "--udp"], ""),
        ):
            done = subprocess.run([SINEW, "ethercat", *arguments], capture_output=True, text=True, timeout=PATIENCE)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(words, done.stderr)

    def test_answers_a_frame_and_ends_with_a_report(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.bind(("127.0.0.1", 0))
            port = s.getsockname()[1]
        program = subprocess.Popen([SINEW, "ethercat", "pendulum", "--udp", "--port", str(port), "--json"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertIn("1 slaves wait for a master", program.stderr.readline())
        frame = struct.pack("<HBBHHHHHH", 0x100e, 7, 1, 0, 0, 2, 0, 0, 0)  # BRD of two bytes at 0
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.settimeout(PATIENCE)
            s.sendto(frame, ("127.0.0.1", port))
            back = s.recv(2048)
        self.assertEqual(struct.unpack("<H", back[-2:])[0], 1, "its working counter")
        program.send_signal(signal.SIGINT)
        out, err = program.communicate(timeout=PATIENCE)
        self.assertEqual(program.returncode, 130, err)
        report = json.loads(out)["ethercat"]
        self.assertEqual((report["slaves"], report["frames"], report["refused"]), (["pivot"], 1, 0))


if __name__ == "__main__":
    unittest.main()
