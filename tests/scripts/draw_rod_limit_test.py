"""The picture of chains that tend to a rod shows what the program computes, and the distance falls with the square of the links."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


def run(script, *arguments):
    return subprocess.run([script, *arguments], capture_output=True, text=True, env=os.environ)


class Picture(unittest.TestCase):
    def test_shows_what_the_program_computes(self):
        done = run(ROOT / "scripts/draw_rod_limit.py", "--check")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_wrong_number_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder)
            (copy / "scripts").mkdir()
            (copy / "docs/_static").mkdir(parents=True)
            shutil.copy(ROOT / "scripts/draw_rod_limit.py", copy / "scripts")
            shown = (ROOT / "docs/_static/rod-limit.svg").read_text()
            (copy / "docs/_static/rod-limit.svg").write_text(shown.replace("<desc>6 ", "<desc>6 1"))
            done = run(copy / "scripts/draw_rod_limit.py", "--check")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("6 links", done.stderr)


if __name__ == "__main__":
    unittest.main()
