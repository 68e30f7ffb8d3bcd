"""sinew bridge: robots and controllers in processes of their own, in any order, with ours and with other people's controllers."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from program import PATIENCE, ROOT, SINEW, Case, sinew, wait_until

EXAMPLES = ROOT / "examples" / "bridge"


def start(*arguments, **options):
    return subprocess.Popen([SINEW, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


def end(process):
    out, err = process.communicate(timeout=PATIENCE)
    return process.returncode, out, err


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def together(robot, controller, robot_first=True):
    """A robot and a controller, each a list of arguments -> what the robot's --json says."""
    first, second = (robot, controller) if robot_first else (controller, robot)
    a = start("bridge", *first)
    b = start("bridge", *second)
    ends = [end(a), end(b)]
    (code, out, err), other = ends if robot_first else ends[::-1]
    assert code == 0, err
    assert other[0] == 0, other[2]
    return json.loads(out)


class Bridge(Case):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.name = f"sinew-cli-test-{os.getpid()}-{time.monotonic_ns()}"
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def test_own_controllers_give_the_same_bits_in_every_process(self):
        seconds = 60 if os.environ.get("SINEW_LONG") else 2
        for scenario, until in (("hexapod/tripod", seconds), ("biped/walk-static", seconds)):
            here = json.loads(sinew("bridge", scenario, "--until", until, "--json").stdout)
            plain = json.loads(sinew("run", scenario, "--until", until, "--json", "--no-record").stdout)
            self.assertEqual(here["result"], plain["result"])
            self.assertEqual(here["energy"], plain["energy"])
            for way in (["--shm", self.name], ["--udp", free_port()]):
                for robot_first in (True, False):
                    found = together([scenario, "--until", until, "--json", *way], [scenario, "--as", "controller", *way], robot_first)
                    self.assertEqual(found["hash"], here["hash"])
                    self.assertEqual(found["result"], plain["result"])
                    self.assertEqual(found["bridge"]["references_hash"], here["bridge"]["references_hash"])
                    self.assertEqual(found["bridge"]["cycles"], 1000 * until)

    def test_examples_in_c_and_python_hold_the_pendulum_at_the_top(self):
        self.assertEqual(sinew("bridge", "pendulum", "--header", "robot.h", "--python", "robot.py", cwd=self.folder).returncode, 0)
        compiled = subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-O1", "-I.", "-o", "upright", EXAMPLES / "upright.c", "-lrt", "-lm"],
                                  cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        port, ends, hashes = free_port(), [], []
        for way, command in ((["--shm", self.name], ["./upright", self.name]),
                             (["--udp", port], [sys.executable, str(EXAMPLES / "upright.py"), str(port)])):
            controller = subprocess.Popen(command, cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            code, out, err = end(start("bridge", "pendulum", "--until", 4, "--json", *way))
            self.assertEqual(code, 0, err)
            found = json.loads(out)
            ends.append(found["result"]["angle"])
            hashes.append(found["bridge"]["references_hash"])
            code, out, err = end(controller)
            self.assertEqual(code, 0, err)
            self.assertRegex(out, r"t = 3\.999 s: -?0\.0000\d\d rad from the top")
        self.assertAlmostEqual(ends[0], -1.5707963, places=4)
        self.assertEqual(ends[0], ends[1], "two languages, two ways, the same bits")
        self.assertEqual(hashes[0], hashes[1])
        for file in ("upright.c", "upright.py"):
            self.assertLessEqual(len((EXAMPLES / file).read_text().splitlines()), 40)

    def test_examples_for_ros_and_simulink_do_what_the_one_in_c_does(self):
        """Compiled and run against stand-ins for as much of both as they use."""
        self.assertEqual(sinew("bridge", "pendulum", "--header", "robot.h", cwd=self.folder).returncode, 0)
        warnings = ["-Wall", "-Wextra", "-Werror", "-O1", "-I.", "-I", ROOT / "tests/support/foreign"]
        hashes = []
        for name, compiler in (("upright.c", ["gcc"]), ("simulink_robot.c", ["gcc"]), ("ros2_system.cpp", ["g++", "-std=c++17"])):
            compiled = subprocess.run([*compiler, *warnings, "-o", "controller", EXAMPLES / name, "-lrt", "-lm"],
                                      cwd=self.folder, capture_output=True, text=True)
            self.assertEqual(compiled.returncode, 0, compiled.stderr)
            controller = subprocess.Popen(["./controller", self.name], cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            code, out, err = end(start("bridge", "pendulum", "--until", 3, "--json", "--shm", self.name))
            self.assertEqual(code, 0, err)
            hashes.append(json.loads(out)["bridge"]["references_hash"])
            code, out, err = end(controller)
            self.assertEqual(code, 0, (name, out, err))
            self.assertIn("rad from the top", out)
        self.assertEqual(len(set(hashes)), 1, hashes)

    def test_drives_that_are_told_nothing_are_told_nothing(self):
        """References of the generated files begin with no set-points."""
        self.assertEqual(sinew("bridge", "tripod-real", "--header", "robot.h", "--python", "robot.py", cwd=self.folder).returncode, 0)
        (self.folder / "none.c").write_text('#include "robot.h"\n#include <stdio.h>\nint main(void) {\n  sinew_references r;\n  sinew_clear(&r);\n'
                                            '  for (int i = 0; i < SINEW_REFERENCES; i++) printf("%s %g\\n", sinew_references_name[i], r.value[i]);\n}\n')
        compiled = subprocess.run(["gcc", "-Wall", "-Wextra", "-Werror", "-I.", "-o", "none", "none.c"], cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)
        in_c = dict(line.split() for line in subprocess.run(["./none"], cwd=self.folder, capture_output=True, text=True).stdout.splitlines())
        self.assertEqual(in_c["joint.hip_L1.torque"], "0")
        self.assertEqual({x for name, x in in_c.items() if name.startswith("drive.")}, {"1e+300"})
        in_python = subprocess.run([sys.executable, "-c", "import robot; r = robot.References(); print(r.joint_hip_L1_torque, r.drive_hinge1_1_stiffness)"],
                                   cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(in_python.stdout.split(), ["0.0", "1e+300"], in_python.stderr)

    def test_a_controller_that_is_killed_leaves_its_place_to_another(self):
        for way in (["--shm", self.name], ["--udp", free_port()]):
            robot = start("bridge", "tripod", "--until", 1e6, "--json", *way)
            self.assertIn("waiting for a controller", robot.stderr.readline())
            first, told = self.connected(way)
            self.assertIn("connected", told)
            code, _, err = end(start("bridge", "tripod", "--as", "controller", *way))
            self.assertEqual(code, 2)
            self.assertIn("another controller is at work", err)
            first.send_signal(signal.SIGKILL)
            end(first)
            while "connected" not in (third := self.connected(way))[1]:  # by UDP nobody knows for a while that the first is gone
                self.assertIn("another controller is at work", third[1])
                end(third[0])
            robot.send_signal(signal.SIGINT)
            code, out, err = end(robot)
            self.assertEqual(code, 130, err)
            self.assertGreater(json.loads(out)["bridge"]["cycles"], 0)
            self.assertEqual(end(third[0])[0], 0, "the robot has told it that the run is over")

    def connected(self, way):
        """A controller, and the first that it says."""
        controller = start("bridge", "tripod", "--as", "controller", *way)
        return controller, controller.stderr.readline()

    def test_controllers_of_another_robot_or_cycle_are_refused(self):
        for way in (["--shm", self.name], ["--udp", free_port()]):
            robot = start("bridge", "tripod", *way)
            self.assertIn("waiting for a controller", robot.stderr.readline())
            for other in (["biped/stand"], ["tripod", "--cycle", "2ms"]):
                code, _, err = end(start("bridge", *other, "--as", "controller", *way))
                self.assertEqual(code, 2)
                self.assertIn("another layout", err)
            robot.send_signal(signal.SIGINT)
            self.assertEqual(end(robot)[0], 130)

    def test_a_log_is_replayed_to_a_controller_bit_by_bit(self):
        log = self.folder / "run.log"
        port = free_port()
        together(["tripod", "--until", 0.5, "--json", "--shm", self.name, "--log", log], ["tripod", "--as", "controller", "--shm", self.name])
        same = together(["tripod", "--udp", port, "--replay", log, "--json"], ["tripod", "--as", "controller", "--udp", port])
        self.assertEqual((same["different"], same["compared"]), (0, 503))
        controller = start("bridge", "tripod", "--as", "controller", "--udp", port, "--set", "kp=200")
        code, out, _ = end(start("bridge", "tripod", "--udp", port, "--replay", log))
        end(controller)
        self.assertEqual(code, 3)
        self.assertIn("the log has", out)

    def test_parts_of_the_robot_may_be_elsewhere(self):
        """The four combinations: the controller here or elsewhere, the robot here or elsewhere. A second process plays the real robot."""
        run = ["tripod", "--until", 0.5]
        here = json.loads(sinew("bridge", *run, "--json").stdout)["bridge"]["references_hash"]
        for slots in ("*", "joint.knee_L1.*"):
            for foreign in ([], ["--shm", self.name]):
                port = free_port()
                real = start("bridge", "tripod", "--until", 1e6, "--udp", port)
                controller = start("bridge", "tripod", "--as", "controller", *foreign) if foreign else None
                code, out, err = end(start("bridge", *run, "--json", "--route", f"{slots}=udp:{port}", *foreign))
                self.assertEqual(code, 0, err)
                self.assertEqual(json.loads(out)["bridge"]["references_hash"], here, (slots, foreign))
                if controller:
                    self.assertEqual(end(controller)[0], 0)
                real.send_signal(signal.SIGINT)
                self.assertEqual(end(real)[0], 130)
        # Another robot over there: what the controller sees of it is its own.
        real = start("bridge", "tripod", "--until", 1e6, "--shm", self.name, "--set", "mu=0.1")
        other = json.loads(sinew("bridge", *run, "--json", "--route", f"joint.*=shm:{self.name}").stdout)["bridge"]["references_hash"]
        real.send_signal(signal.SIGINT)
        end(real)
        self.assertNotEqual(other, here)
        log = self.folder / "run.log"
        sinew("bridge", *run, "--log", log)
        again = json.loads(sinew("bridge", *run, "--json", "--route", f"*=log:{log}").stdout)["bridge"]["references_hash"]
        self.assertEqual(again, here)
        for route, words in (("joint.*", "not a route"), ("no.such=udp:1", "no measured value"), ("*=log:/none", "cannot be read")):
            found = sinew("bridge", *run, "--route", route)
            self.assertIn(found.returncode, (2, 4), found.stderr)
            self.assertIn(words, found.stderr)

    def test_timed_mode_counts_what_the_scenario_loses(self):
        way = ["--shm", self.name]
        found = together(["tripod", "--until", 0.3, "--json", "--timed", "--set", "bridge.lost_from=[0.1]", "--set", "bridge.lost_until=[0.11]", *way],
                         ["tripod", "--as", "controller", "--timed", *way])["bridge"]
        self.assertEqual(found["cycles"], 300)
        self.assertGreaterEqual(found["safe_states"], 1)  # a machine with much to do loses more
        self.assertLessEqual(found["lost"], 10)
        self.assertLessEqual(found["safe_from"], 0.103)

    def test_bad_command_lines_are_explained(self):
        key = self.folder / "key"
        key.write_text("short")
        cases = [(["tripod", "--shm", "a", "--udp", "7000"], "leave one out"), (["tripod", "--lockstep", "--timed", "--shm", "a"], "leave one out"),
                 (["tripod", "--as", "boss", "--shm", "a"], "give robot or controller"), (["tripod", "--as", "controller"], "add --shm NAME"),
                 (["tripod", "--cycle", "1h"], "give 0.1ms to 10ms"), (["tripod", "--cycle", "20ms"], "give 0.1ms to 10ms"),
                 (["tripod", "--udp", "port"], "not a port"), (["tripod", "--udp", "70000"], "not a port"),
                 (["tripod", "--udp", "7000", "--listen", "0.0.0.0"], "give --key FILE"), (["tripod", "--listen", "127.0.0.1"], "belong to --udp"),
                 (["tripod", "--udp", "7000", "--key", key], "are no key"), (["tripod", "--shm", "a/b"], "not a name for shared memory"),
                 (["pendulum", "--timed", "--shm", "a"], "integrator.step"), (["pendulum", "--set", "joint.pivot.drive=motion", "--shm", "a"], "nothing of this robot"),
                 (["pendulum"], "no controller of its own"), (["bridge/timing", "--shm", "a"], "test bench"), ([], "no scenario is named"),
                 (["tripod", "--replay", "x"], "add --shm NAME"), (["tripod", "--timed"], "no clock between them")]
        for arguments, words in cases:
            found = sinew("bridge", *arguments)
            self.assertEqual(found.returncode, 2, (arguments, found.stderr))
            self.assertIn(words, found.stderr, arguments)


if __name__ == "__main__":
    unittest.main()
