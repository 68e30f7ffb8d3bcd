"""scripts/draw_hexapod.py draws what docs/hexapod-figures.md shows, all of it and nothing else."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = [sys.executable, str(ROOT / "scripts/draw_hexapod.py")]


class Pictures(unittest.TestCase):
    def test_the_page_shows_the_pictures_that_the_script_knows(self):
        done = subprocess.run([*SCRIPT, "nothing"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        known = set(done.stderr.split(": use ")[1].strip().split(", "))
        shown = set(re.findall(r"_static/hexapod/([a-z-]+)\.svg", (ROOT / "docs/hexapod-figures.md").read_text()))
        self.assertEqual(shown, known)
        self.assertEqual({p.stem for p in (ROOT / "docs/_static/hexapod").glob("*.svg")}, known)

    def test_a_phase_diagram_has_a_row_for_each_leg(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*SCRIPT, "gait-tripod", "--into", folder], check=True, env=os.environ)
            svg = (Path(folder) / "gait-tripod.svg").read_text()
        for leg in ("L1", "L2", "L3", "R1", "R2", "R3", "stance", "transfer"):
            self.assertIn(leg, svg)
        self.assertGreater(svg.count("<polygon"), 12)  # two stances a leg and more


if __name__ == "__main__":
    unittest.main()
