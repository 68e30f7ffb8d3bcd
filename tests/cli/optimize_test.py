"""Searches find what a fine sweep finds, keep their conditions, and go on where they were stopped."""

import json
import signal
import subprocess
import time
import unittest

import h5py

from program import PENDULUM, SINEW, Case, sinew


class Optimize(Case):
    def setUp(self):
        super().setUp()
        self.file(PENDULUM)

    def run_here(self, *arguments):
        done = sinew(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def search(self, *arguments):
        return json.loads(self.run_here("optimize", "scenario.toml", *arguments, "--json"))

    def rows(self, name):
        text = self.run_here("study", "collect", name, "--csv", "-")
        lines = [line.split(",") for line in text.splitlines()]
        return [dict(zip(lines[0], line)) for line in lines[1:]]

    def rows_so_far(self, name):
        """Of a file that is being written; it may not be there yet."""
        try:
            with h5py.File(self.folder / name, "r", swmr=True) as file:
                return len(file["table"])
        except (OSError, KeyError):
            return 0

    def test_each_method_finds_the_best_of_a_fine_grid(self):
        self.run_here("sweep", "scenario.toml", "--vary", "gravity.g[1]=-12:-4:401", "--results", "x", "--out", "grid.h5", "--quiet")
        best = min((abs(float(r["x"]) + 0.5), float(r["gravity.g[1]"])) for r in self.rows("grid.h5"))
        for method in ("cmaes", "bobyqa"):
            found = self.search("--minimize", "abs(x + 0.5)", "--vary", "gravity.g[1]=-12:-4", "--method", method, "--budget", 300,
                                "--out", f"{method}.h5")
            self.assertLess(found["aim"][0], best[0] + 1e-12, method)
            self.assertAlmostEqual(found["best"][0]["values"]["gravity.g[1]"], best[1], delta=0.021)

    def test_a_plan_file_says_what_is_searched(self):
        self.file('scenario = "scenario.toml"\nvary = ["gravity.g[1]=-12:-4"]\nminimize = "abs(x + 0.5)"\nsubject_to = ["x > -0.6"]\n'
                  'method = "cmaes"\nbudget = 40\nrestarts = 0\n', "plan.toml")
        by_file = json.loads(self.run_here("optimize", "plan.toml", "--json", "--out", "a.h5"))
        by_words = self.search("--minimize", "abs(x + 0.5)", "--subject-to", "x > -0.6", "--vary", "gravity.g[1]=-12:-4", "--budget", 40,
                               "--restarts", 0, "--out", "b.h5")
        self.assertEqual([by_file[k] for k in ("aim", "runs", "ending")], [by_words[k] for k in ("aim", "runs", "ending")])
        over = json.loads(self.run_here("optimize", "plan.toml", "--maximize", "x", "--budget", 8, "--json", "--out", "c.h5"))
        self.assertEqual(over["runs"], 8)
        self.assertGreater(over["aim"][0], -0.6)
        self.file('scenario = "scenario.toml"\nmethod = "cma"\n', "plan.toml")
        done = sinew("optimize", "plan.toml", cwd=self.folder)
        self.assertIn("plan.toml:2: ", done.stderr)

    def test_the_best_is_a_scenario_with_the_same_bits(self):
        found = self.search("--maximize", "x", "--vary", "gravity.g[1]=-12:-4", "--budget", 24, "--out", "s.h5")
        told = json.loads(self.run_here("run", "s.best.toml", "--json", "--no-record"))
        self.assertEqual(told["hash"], found["best"][0]["hash"])

    def test_conditions_hold_for_the_best(self):
        free = self.search("--maximize", "x", "--vary", "gravity.g[1]=-12:-4", "--budget", 80, "--out", "a.h5")
        bound = self.search("--maximize", "x", "--subject-to", "x < -0.5", "--vary", "gravity.g[1]=-12:-4", "--budget", 160, "--out", "b.h5")
        self.assertGreater(free["aim"][0], -0.3)
        self.assertLess(bound["aim"][0], -0.5)
        self.assertGreater(bound["aim"][0], -0.51)
        never = sinew("optimize", "scenario.toml", "--maximize", "x", "--subject-to", "x > 2", "--vary", "gravity.g[1]=-12:-4", "--budget", 16,
                      "--out", "c.h5", cwd=self.folder)
        self.assertEqual(never.returncode, 3)
        self.assertRegex(never.stdout, r"no run meets all conditions: row \d+ comes closest, which misses x > 2 by 2\.\d")

    def test_a_search_that_was_killed_goes_on_to_the_same_end(self):
        words = ["--minimize", "abs(x + 0.5)", "--vary", "gravity.g[1]=-12:-4", "--budget", 600, "--set", "step=0.0002"]
        process = subprocess.Popen([SINEW, "optimize", "scenario.toml", *map(str, words), "--out", "killed.h5", "--quiet"], cwd=self.folder)
        while process.poll() is None and self.rows_so_far("killed.h5") < 20:
            time.sleep(0.002)
        process.send_signal(signal.SIGKILL)
        process.wait()
        second, whole = self.search(*words, "--out", "killed.h5"), self.search(*words, "--out", "whole.h5", "--jobs", 2)
        self.assertLess(second["ran"], whole["ran"])
        self.assertEqual([second[k] for k in ("aim", "best", "runs", "ending")], [whole[k] for k in ("aim", "best", "runs", "ending")])
        self.assertEqual(self.rows("killed.h5"), self.rows("whole.h5"))

    def test_a_search_goes_on_by_study_resume_and_with_a_larger_budget(self):
        words = ["--minimize", "abs(x + 0.5)", "--subject-to", "x > -0.6", "--vary", "gravity.g[1]=-12:-4", "--restarts", 1]
        whole = self.search(*words, "--budget", 48, "--out", "whole.h5")
        self.search(*words, "--budget", 24, "--out", "s.h5")
        more = self.search(*words, "--budget", 48, "--out", "s.h5")
        self.assertEqual(more["ran"], 24)
        self.assertEqual([more[k] for k in ("aim", "best", "runs", "ending")], [whole[k] for k in ("aim", "best", "runs", "ending")])
        (self.folder / "s.best.toml").unlink()
        said = self.run_here("study", "resume", "s.h5")
        self.assertIn("48 runs, 0 of them now", said)
        self.assertEqual(json.loads(self.run_here("run", "s.best.toml", "--json", "--no-record"))["hash"], whole["best"][0]["hash"])

    def test_no_run_of_a_front_is_better_than_another_in_everything(self):
        found = self.search("--maximize", "x", "--maximize", "y", "--results", "y=body.bob.p.y", "--vary", "gravity.g[1]=-12:-4", "--method",
                            "nsga2", "--population", 16, "--budget", 160, "--out", "front.h5")
        front = [(b["results"]["x"], b["results"]["y"]) for b in found["best"]]
        self.assertGreater(len(front), 5)
        for a in front:
            self.assertFalse(any(b[0] >= a[0] and b[1] >= a[1] and b != a for b in front))

    def test_pictures_of_a_study(self):
        self.run_here("sweep", "scenario.toml", "--vary", "mass=1:2:3", "--vary", "gravity.g[1]=-12:-4:4", "--out", "s.h5", "--quiet")
        for words in (["--heatmap", "mass", "gravity.g[1]", "x"], ["--lines", "gravity.g[1]", "x ^ 2"], ["--parallel", "all"],
                      ["--polar", "mass", "gravity.g[1]", "x < 9"], []):
            self.run_here("plot", "s.h5", *words, "-o", "p.svg")
            text = (self.folder / "p.svg").read_text()
            self.assertIn("gravity.g[1]", text)
        self.assertIn("s.heatmap.svg", self.run_here("plot", "s.h5", "--heatmap", "mass", "gravity.g[1]", "x"))
        self.assertTrue((self.folder / "s.heatmap.svg").exists())
        for words, said in ((["--heatmap", "mass", "mas", "x"], "did you mean mass"), (["--lines", "mass", "x +"], "missing at its end"),
                            (["--lines", "mass", "x", "--parallel", "all"], "each is a picture"),
                            (["--polar", "mass", "gravity.g[1]", "x"], "not a condition")):
            done = sinew("plot", "s.h5", *words, "-o", "p.svg", cwd=self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said, done.stderr)

    def test_bad_input_is_named(self):
        vary = ["--vary", "mass=1:2"]
        for words, said in (([*vary], "--maximize or --minimize"), (["--maximize", "x"], "nothing is varied"),
                            (["--maximize", "x", "--vary", "mass=1,2"], "needs a range"), (["--maximize", "z", *vary], "no such result"),
                            (["--maximize", "x *", *vary], "missing at its end"), (["--maximize", "x", "--minimize", "x", *vary], "take nsga2"),
                            (["--maximize", "x", *vary, "--method", "cma"], "cmaes, nsga2 or bobyqa"),
                            (["--maximize", "x", *vary, "--method", "nsga2"], "several aims"),
                            (["--maximize", "x", *vary, "--method", "bobyqa", "--subject-to", "x<1"], "take cmaes"),
                            (["--maximize", "x", *vary, "--subject-to", "x"], "not a condition"), (["--maximize", "x", *vary, "--budget", 0], "--budget")):
            with self.subTest(words):
                done = sinew("optimize", "scenario.toml", *words, "--out", "bad.h5", cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)


if __name__ == "__main__":
    unittest.main()
