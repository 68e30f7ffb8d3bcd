"""Studies from Python: the same tables as from the command line, as arrays."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

import sinew


class Study(unittest.TestCase):
    def test_a_row_is_the_run_with_its_values(self):
        table = sinew.sweep("pendulum", {"gravity.g[1]": np.linspace(-12, -8, 5), "mass": [1, 2]}, until=0.2)
        self.assertEqual(len(table["row"]), 10)
        self.assertEqual(table["x"].dtype, float)
        scenario = sinew.load("pendulum")
        scenario["gravity.g"] = [0.0, table["gravity.g[1]"][4], 0.0]
        self.assertEqual(sinew.run(scenario, until=0.2)["hash"], table["hash"][4])

    def test_a_file_keeps_the_rows_and_they_are_not_run_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "study.h5"
            first = sinew.sweep("pendulum", {"mass": (1, 2)}, sampling="sobol", samples=8, until=0.1, out=path)
            again = sinew.sweep("pendulum", {"mass": (1, 2)}, sampling="sobol", samples=8, until=0.1, out=path, threads=1)
            for name, values in first.items():
                np.testing.assert_array_equal(values, again[name])
            with self.assertRaises(sinew.ScenarioError):
                sinew.sweep("pendulum", {"mass": [1, 2]}, until=0.1, out=path)

    def test_optimize_gives_the_best_and_all_runs(self):
        found = sinew.optimize("pendulum", {"gravity.g[1]": (-12, -4)}, minimize="abs(x - 0.5)", until=1, budget=80)
        self.assertLess(found["aim"][0], 0.01)
        self.assertEqual(len(found["table"]["x"]), found["runs"])
        self.assertAlmostEqual(np.abs(found["table"]["x"] - 0.5).min(), found["aim"][0])

    def test_identify_finds_what_was_changed(self):
        world = sinew.World(sinew.load("pendulum"))
        data = {"t": [], "body.bob.p.x": []}
        for _ in range(30):
            world.step(50)
            data["t"].append(world.time)
            data["body.bob.p.x"].append(float(np.ravel(world.signal("body.bob.p.x"))[0]))
        start = sinew.load("pendulum")
        g = start["gravity.g"]
        start["gravity.g"] = [g[0], g[1] * 1.05, g[2]]
        found = sinew.identify(start, data, {"gravity.g[1]": (-12, -8)})
        self.assertTrue(found["converged"])
        self.assertAlmostEqual(found["values"]["gravity.g[1]"], g[1], delta=1e-5)
        self.assertEqual(found["covariance"].shape, (1, 1))

    def test_bad_input_raises(self):
        for call in (lambda: sinew.sweep("pendulum", {"mas": [1, 2]}), lambda: sinew.sweep("pendulum", {"mass": [1]}, sampling="x"),
                     lambda: sinew.optimize("pendulum", {"mass": (1, 2)}), lambda: sinew.identify("pendulum", {"x": [1]}, "mass")):
            with self.assertRaises(sinew.ScenarioError):
                call()


if __name__ == "__main__":
    unittest.main()
