"""scripts/draw_biped.py draws what docs/biped-figures.md shows, all of it and nothing else."""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SCRIPT = [sys.executable, str(ROOT / "scripts/draw_biped.py")]


class Pictures(unittest.TestCase):
    def test_the_page_shows_the_pictures_that_the_script_knows(self):
        done = subprocess.run([*SCRIPT, "nothing"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        known = set(done.stderr.split(": use ")[1].strip().split(", "))
        shown = set(re.findall(r"_static/biped/([a-z-]+)\.svg", (ROOT / "docs/biped-figures.md").read_text()))
        self.assertEqual(shown, known)
        for name in known:
            self.assertTrue((ROOT / f"docs/_static/biped/{name}.svg").exists(), name)

    def test_a_picture_is_drawn_from_a_run(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*SCRIPT, "current-step", "--into", folder], check=True, env=os.environ)
            svg = (Path(folder) / "current-step.svg").read_text()
        self.assertIn("current [A]", svg)
        self.assertGreater(len(re.findall(r"[ML]?\d+\.\d+,\d+\.\d+", svg)), 10)


if __name__ == "__main__":
    unittest.main()
