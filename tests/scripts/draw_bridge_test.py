"""scripts/draw_bridge.py draws the timing of a log: here one that is made up, of a machine with nothing else to do."""
import re
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = [sys.executable, str(ROOT / "scripts/draw_bridge.py")]
HEADER = struct.Struct("<IIQQQQII")


def image(magic, tick, echo, time_us, status):
    return HEADER.pack(magic, 7, 1, tick, echo, 1000 * time_us, status, 0)


def log(every_us):
    out = b"sinew bridge log 1\n" + struct.pack("<III", 7, HEADER.size, HEADER.size)
    for n in range(1, 40):
        out += image(0x314D4E53, n, 0, every_us * n + 500, 1)
        out += image(0x31524E53, n, n, every_us * (n + 1) + 30, 0)
    return out


class Picture(unittest.TestCase):
    def draw(self, content):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "run.log").write_bytes(content)
            done = subprocess.run([*SCRIPT, "--log", Path(folder) / "run.log", "--into", folder], capture_output=True, text=True)
            picture = Path(folder) / "timing.svg"
            return done, picture.read_text() if picture.exists() else ""

    def test_age_and_dead_time_are_those_of_the_log(self):
        done, svg = self.draw(log(1000))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("age when read 0.53 ms", svg)
        self.assertIn("sample to actuation 1.50 ms", svg)
        self.assertEqual(svg.count("<circle"), 4)

    def test_a_run_that_was_never_regular_is_refused(self):
        done, _ = self.draw(log(1300))
        self.assertEqual(done.returncode, 1)
        self.assertIn("no stretch of the run was regular", done.stderr)

    def test_the_page_shows_a_dead_time_of_a_cycle_and_a_half(self):
        svg = (ROOT / "docs/_static/bridge/timing.svg").read_text()
        self.assertAlmostEqual(float(re.search(r"sample to actuation ([\d.]+) ms", svg)[1]), 1.5, places=2)


if __name__ == "__main__":
    unittest.main()
