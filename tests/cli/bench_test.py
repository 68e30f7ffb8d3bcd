"""Test benches from the command line: results and nothing else; what needs a motion is refused with a reason."""

import json
import unittest

from program import Case

BENCH = "electroadhesion-bench"
FEW = ["--set", "batches=1", "--set", "pulls=2"]
REASON = "it is a test bench, where nothing moves and no time passes"


class Bench(Case):
    def test_a_run_reports_results_only(self):
        text = self.succeeds("run", BENCH, *FEW, "--no-record")
        self.assertRegex(text, r"(?m)^  bench +\d+ results; nothing moves, no time passes$")
        self.assertIn("glass_mean", text)
        for word in ("energy", "steps", "wall", "sinew view"):
            self.assertNotIn(word, text)

    def test_its_hash_is_that_of_its_results(self):
        def hash_of(*more):
            out = json.loads(self.succeeds("run", BENCH, *FEW, "--no-record", "--json", *more))
            self.assertEqual(out["time"]["end"], 0.0)
            return out["hash"]

        self.assertEqual(hash_of(), hash_of())
        self.assertNotEqual(hash_of(), hash_of("--seed", "1"))
        self.assertNotEqual(hash_of(), hash_of("--set", "pad_voltage=1000"))

    def test_what_needs_a_motion_is_refused(self):
        for more in (["--until", "1"], ["--checkpoint", self.folder / "c"]):
            self.assertIn(f"{more[0]}: softbot/{BENCH}: {REASON}", self.fails(2, "run", BENCH, "--no-record", *more))

    def test_tables_that_mean_nothing_are_refused(self):
        text = '[robot]\nkind = "shear-bench"\n'
        self.assertEqual(self.succeeds("check", self.file(text)), "ok\n")
        for more, words in (("[ground]\n", '[ground] is given, but the robot "shear-bench" is a test bench'),
                            ("[output]\n", "[output] is given"), ("[body.b]\n", "[body] is given")):
            self.assertIn(f":3: {words}", self.fails(2, "check", self.file(text + more)))
        self.assertIn(":1: the robot", self.fails(2, "check", self.file("duration = 1.0\n" + text)))
        self.assertIn("has no joints", self.fails(2, "check", self.file(text + 'coordinates = "maximal"\n')))
        self.assertIn("unknown key step", self.fails(2, "run", BENCH, "--set", "step=0.1"))

    def test_what_is_shown_is_a_file_that_runs(self):
        shown = self.succeeds("show", BENCH, *FEW)
        self.assertNotIn("[integrator]", shown)
        again = json.loads(self.succeeds("run", self.file(shown), "--no-record", "--json"))
        once = json.loads(self.succeeds("run", BENCH, *FEW, "--no-record", "--json"))
        self.assertEqual(again["result"], once["result"])

    def test_what_it_measures_is_listed(self):
        listed = self.succeeds("show", BENCH, *FEW, "--signals")
        self.assertRegex(listed, r"(?m)^glass_forces +N +measured, 2 numbers$")
        self.assertNotIn("energy", listed)
        self.assertRegex(self.succeeds("list"), rf"(?m)^softbot/{BENCH} .*\(test bench\)$")
        marked = {entry["name"] for entry in json.loads(self.succeeds("list", "--json")) if entry.get("bench")}
        self.assertIn("quadruped/states", marked)
        self.assertNotIn("quadruped/pitch-feedback", marked)  # bench = "run" moves

    def test_a_recording_has_results_to_plot_and_to_compare(self):
        recording = self.folder / "bench.h5"
        self.succeeds("run", BENCH, *FEW, "--out", recording, "--quiet")
        self.assertIn("the bits are the same", self.succeeds("replay", recording))
        self.succeeds("plot", recording, "-o", self.folder / "boxes.svg")
        self.assertIn("metalized-PET", (self.folder / "boxes.svg").read_text())


if __name__ == "__main__":
    unittest.main()
