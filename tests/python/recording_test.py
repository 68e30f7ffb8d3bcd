"""Recordings as tables, while they grow too; what they say of what happened."""

import sys
import tempfile
import unittest
from pathlib import Path
from unittest import mock

import numpy as np

import sinew


class Recordings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.file = Path(cls.folder.name) / "run.h5"
        cls.result = sinew.run("bouncing-ball", until=1.0, record=cls.file)

    def test_signals_have_names_units_and_numbers(self):
        r = sinew.Recording(self.file)
        self.assertEqual(r.signals[0], "t")
        self.assertEqual(r.units["com.p.z"], "m")
        self.assertEqual(r["com.p"].shape, (len(r), 3))
        self.assertTrue(np.array_equal(r["com.p"][:, 2], r["com.p.z"]))
        self.assertEqual((r.t[0], r.t[-1]), (0.0, 1.0))
        self.assertIn("com.p", r)
        with self.assertRaisesRegex(sinew.ScenarioError, "did you mean com"):
            r["com.q"]

    def test_it_holds_the_report_and_the_scenario_of_its_run(self):
        r = sinew.Recording(self.file)
        self.assertEqual(r.result, self.result)
        with tempfile.TemporaryDirectory() as folder:
            again = Path(folder) / "again.toml"
            again.write_text(r.scenario)
            self.assertEqual(sinew.run(again, until=1.0)["hash"], self.result["hash"])

    def test_a_module_that_is_not_there_is_named_with_its_package(self):
        r = sinew.Recording(self.file)
        for call, name in ((r.to_pandas, "pandas"), (r.to_xarray, "xarray")):
            with mock.patch.dict(sys.modules, {name: None}), self.assertRaisesRegex(sinew.SinewError, f"apt install python3-{name}"):
                call()

    def test_tables_of_pandas_have_the_same_numbers(self):
        r = sinew.Recording(self.file)
        frame = r.to_pandas(["com.p", "energy.kinetic"])
        self.assertEqual(list(frame.columns), ["com.p.x", "com.p.y", "com.p.z", "energy.kinetic"])
        self.assertTrue(np.array_equal(frame["com.p.z"].to_numpy(), r["com.p.z"]))
        self.assertTrue(np.array_equal(frame.index.to_numpy(), r.t))
        self.assertEqual(frame.attrs["units"]["energy.kinetic"], "J")
        self.assertEqual(r.to_pandas().shape, (len(r), len(r.signals) - 1))

    def test_events_are_the_moments_at_which_switches_turn(self):
        file = Path(self.folder.name) / "drop.h5"
        sinew.run("contact/sphere-drop", until=0.3, record=file)
        r = sinew.Recording(file)
        for t, name, begins in r.events:
            k = int(np.searchsorted(r.t, t))
            self.assertEqual((r[name][k - 1], r[name][k]), (0.0, 1.0) if begins else (1.0, 0.0))
        self.assertEqual(r.events, sorted(r.events))
        touches = [t for t, name, begins in r.events if name == "body.ball.contact.count" and begins]
        row = r.t[1] - r.t[0]
        self.assertAlmostEqual(touches[0], np.sqrt(2 * 0.1 / 9.81), delta=row)  # it falls 0.1 m

    def test_what_is_no_recording_is_told(self):
        with self.assertRaisesRegex(sinew.SinewError, "nowhere.h5"):
            sinew.Recording("/nowhere.h5")
        with tempfile.TemporaryDirectory() as folder:
            other = Path(folder) / "x.h5"
            other.write_text("no")
            with self.assertRaises(sinew.SinewError):
                sinew.Recording(other)
        with self.assertRaisesRegex(sinew.SinewError, "end it with .h5"):
            sinew.record("pendulum", "x.csv")


if __name__ == "__main__":
    unittest.main()
