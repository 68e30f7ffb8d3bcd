"""The table of tails in docs/quadruped.md has the numbers that scripts/draw_quadruped.py draws, and they tell what the page says."""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent


class Tails(unittest.TestCase):
    def test_the_page_has_the_numbers_of_the_plot(self):
        script = [sys.executable, str(ROOT / "scripts/draw_quadruped.py"), "--numbers"]
        rows = json.loads(subprocess.run(script, check=True, stdout=subprocess.PIPE, text=True).stdout)
        page = (ROOT / "docs/quadruped.md").read_text()
        table = dict((m[0].strip(), (float(m[1]), float(m[2])))
                     for m in re.findall(r"^\| ([^|]+?)(?: \([^|]*\))? \| ([0-9.]+) \| ([0-9.]+) \|$", page, re.M))
        for label, yaw, torque in rows:
            self.assertIn(label, table)
            self.assertAlmostEqual(table[label][0], yaw, delta=6e-4, msg=label)
            self.assertAlmostEqual(table[label][1], torque, delta=6e-3 * torque, msg=label)
        by = {label: (yaw, torque) for label, yaw, torque in rows}
        self.assertGreater(by["pendulum"][0], 5 * by["arc"][0])   # a mass at the tip does most
        self.assertAlmostEqual(by["rod"][0], by["arc"][0], delta=1e-4)   # the rod is the arc
        self.assertGreater(by["rod, tendon"][1], by["rod"][1])   # elasticity wants a torque of its own


if __name__ == "__main__":
    unittest.main()
