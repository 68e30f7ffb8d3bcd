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

    def test_no_picture_of_the_docs_names_a_folder_of_the_machine(self):
        for picture in (ROOT / "docs/_static").rglob("*.svg"):
            found = re.findall(r">\s*(/[a-z][^<]*)<", picture.read_text())
            self.assertEqual(found, [], picture.name)

    def bars(self, name):
        """Bars of stance in a phase diagram that is drawn anew."""
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([*SCRIPT, name, "--into", folder], check=True, env=os.environ)
            svg = (Path(folder) / f"{name}.svg").read_text()
        for leg in ("L1", "L2", "L3", "R1", "R2", "R3", "stance", "transfer"):
            self.assertIn(leg, svg)
        return svg.count("<polygon")

    def test_commands_on_the_way_are_taken(self):
        tripod = self.bars("gait-tripod")  # 6 s
        self.assertGreater(tripod, 36)  # six stances a leg and more
        self.assertLess(self.bars("start-stop-tripod"), tripod)  # 7 s, of which it walks 4.5
        self.assertGreater(self.bars("wave-tripod"), 45)  # 12 s of wave alone have fewer than six a leg


if __name__ == "__main__":
    unittest.main()
