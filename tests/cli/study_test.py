"""Studies: nothing is lost or repeated however often a sweep is killed; the table is the same from threads, lanes and shards."""

import json
import os
import random
import signal
import sqlite3
import subprocess
import time
import unittest

import h5py

from program import PENDULUM, SINEW, Case, sinew

LONG = bool(os.environ.get("SINEW_LONG"))


class Study(Case):
    def run_here(self, *arguments):
        done = sinew(*arguments, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def table(self, name):
        with h5py.File(self.folder / name) as file:
            return file["table"][:]

    def csv(self, name):
        return self.run_here("study", "collect", name, "--csv", "-")

    def test_a_sweep_that_is_killed_again_and_again_loses_and_repeats_nothing(self):
        rows, kills = (10000, 100) if LONG else (500, 10)
        self.file(PENDULUM)
        words = ["sweep", "scenario.toml", "--vary", f"mass=1:2:{rows}", "--set", "step=0.0005", "--quiet", "--jobs", "2"]
        lucky, seen, killed = random.Random(3), {}, 0
        while killed < kills:
            process = subprocess.Popen([SINEW, *words, "--out", "killed.h5"], cwd=self.folder, stderr=subprocess.PIPE)
            before = len(seen)
            wanted = before + lucky.randint(1, max(1, rows // kills - 8))
            while process.poll() is None and len(seen) < wanted:
                time.sleep(0.002 * lucky.random())
                seen.update(self.rows_so_far(seen))
            process.send_signal(signal.SIGKILL)
            process.communicate()
            killed += 1
            seen.update(self.rows_so_far(seen))
        self.assertLess(len(seen), rows, "the kills came in the middle of it")
        done = sinew(*words[:-3], "--json", "--out", "killed.h5", cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        told = json.loads(done.stdout)
        self.assertEqual(told["ran"], rows - len(seen), "exactly those that were missing")
        table = self.table("killed.h5")
        self.assertEqual(list(table["row"]), list(range(rows)))
        for row in table:
            self.assertEqual(seen.get(row["row"], row.tobytes()), row.tobytes(), "what was there stays as it is")
        self.run_here(*words, "--out", "whole.h5")
        self.assertEqual(self.table("whole.h5").tobytes(), table.tobytes())
        self.assertEqual([p.name for p in self.folder.glob("*.part")], [])

    def rows_so_far(self, seen):
        """{number: bytes} of the file as it is now; each row is there once and as it was."""
        path = self.folder / "killed.h5"
        if not path.exists():
            return {}
        try:
            with h5py.File(path, "r", swmr=True) as file:
                table = file["table"][:]
        except (OSError, KeyError):
            return {}
        numbers = list(table["row"])
        self.assertEqual(len(numbers), len(set(numbers)), "no row twice")
        self.assertLessEqual(set(seen), set(numbers), "no row is lost")
        found = {row["row"]: row.tobytes() for row in table}
        self.assertTrue(all(found[n] == seen[n] for n in seen))
        return found

    def test_threads_lanes_and_shards_give_the_same_table(self):
        words = ["sweep", "snake/lateral-undulation", "--vary", "Ah_deg=20:60:5", "--vary", "mu_long=0.1,0.3", "--set",
                 "actuator=implicit", "--set", "step=0.0039", "--until", 0.2, "--results", "com_speed,com_dx", "--quiet"]
        self.run_here(*words, "--jobs", 1, "--no-lanes", "--out", "one.h5")
        self.run_here(*words, "--jobs", 1, "--out", "lanes.h5")
        self.run_here(*words, "--jobs", 2, "--out", "two.h5")
        for i in (2, 3, 1):
            self.run_here(*words, "--shard", f"{i}/3", "--out", "parts.h5")
            self.assertTrue((self.folder / f"parts.{i}of3.h5").exists())
        one = self.csv("one.h5")
        self.assertEqual(len(one.splitlines()), 11)
        for name in ("lanes.h5", "two.h5", "parts.h5"):
            self.assertEqual(self.csv(name), one, name)
            self.assertEqual(self.table(name).tobytes(), self.table("one.h5").tobytes(), name)

    def test_a_row_is_the_run_with_its_values(self):
        self.file(PENDULUM)
        self.run_here("sweep", "scenario.toml", "--vary", "method=moreau,rk4", "--out", "s.h5", "--quiet")
        for row in self.table("s.h5"):
            told = sinew("run", "scenario.toml", "--set", f"method={row['method'].decode()}", "--json", "--no-record",
                         cwd=self.folder).stdout
            self.assertIn(row["hash"].decode(), told)

    def test_a_plan_file_says_the_same_as_options(self):
        self.file(PENDULUM)
        self.file('scenario = "scenario.toml"\nvary = ["mass=1:2:3"]\nresults = ["x"]\nuntil = 0.2\n', "plan.toml")
        self.run_here("sweep", "plan.toml", "--out", "a.h5", "--quiet")
        self.run_here("sweep", "scenario.toml", "--vary", "mass=1:2:3", "--results", "x", "--until", 0.2, "--out", "b.h5", "--quiet")
        self.assertEqual(self.csv("a.h5"), self.csv("b.h5"))
        self.file('scenario = "scenario.toml"\nvarry = ["mass=1:2:3"]\nsamples = "x"\n', "plan.toml")
        done = sinew("sweep", "plan.toml", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("plan.toml:2: ", done.stderr)
        self.assertIn("plan.toml:3: ", done.stderr)

    def test_results_may_be_formulas_of_results_and_signals(self):
        self.file(PENDULUM)
        self.run_here("sweep", "scenario.toml", "--vary", "mass=1:2:3", "--until", 0.5, "--results", "x", "--results", "c=sqrt(abs(x))*2",
                      "--results", "far=body.bob.p.x - 0.5", "--results", "r=(body.bob.p.x^2 + body.bob.p.y^2)/x", "--out", "s.h5", "--quiet")
        for row in self.table("s.h5"):
            x = row["x"]
            self.assertAlmostEqual(row["c"], 2 * abs(x)**0.5, places=15)
            self.assertAlmostEqual(row["far"], x - 0.5, places=15)
            self.assertAlmostEqual(row["r"], 1 / x, places=9)
        done = sinew("sweep", "scenario.toml", "--vary", "mass=1:2:3", "--results", "c=2*xx", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("neither a result nor a signal", done.stderr)

    def test_sqlite_has_the_same_numbers(self):
        self.file(PENDULUM)
        self.run_here("sweep", "scenario.toml", "--vary", "mass=1:2:7", "--out", "s.h5", "--quiet")
        self.run_here("study", "collect", "s.h5", "--sqlite", "s.db", "--quiet")
        with sqlite3.connect(self.folder / "s.db") as base:
            rows = base.execute("select row, mass, x, status from study").fetchall()
        table = self.table("s.h5")
        self.assertEqual(rows, [(int(r["row"]), r["mass"], r["x"], r["status"].decode()) for r in table])

    def test_a_study_is_cancelled_looked_at_and_gone_on_with(self):
        self.file(PENDULUM)
        words = ["sweep", "scenario.toml", "--vary", "mass=1:2:4000", "--out", "s.h5", "--quiet"]
        process = subprocess.Popen([SINEW, *words], cwd=self.folder)
        self.addCleanup(process.kill)
        while not (self.folder / "s.h5").exists():
            time.sleep(0.005)
        self.assertIn(f"process {process.pid} is at work", self.run_here("study", "status", "s.h5"))
        second = sinew(*words, cwd=self.folder)
        self.assertEqual(second.returncode, 4)
        self.assertIn("works on this study", second.stderr)
        self.assertIn(str(process.pid), self.run_here("study", "cancel", "s.h5"))
        self.assertEqual(process.wait(), 130)
        self.assertIn("are missing", self.run_here("study", "status", "s.h5"))
        self.assertIn("4000 of 4000", self.run_here("study", "resume", "s.h5"))
        self.assertIn("nothing is at work", self.run_here("study", "cancel", "s.h5"))

    def test_what_is_missing_is_run_wherever_the_parts_were_left_and_nothing_is_lost(self):
        self.file(PENDULUM)
        words = ["sweep", "scenario.toml", "--vary", "mass=1:2:9", "--results", "x", "--until", 0.2, "--quiet"]
        self.run_here(*words, "--out", "one.h5")
        for i in (1, 3):
            self.run_here(*words, "--shard", f"{i}/3", "--out", "s.h5")
        early = sinew("study", "collect", "s.h5", "--quiet", cwd=self.folder)
        self.assertIn("3 runs are missing", early.stderr)
        self.assertIn("9 of 9 runs are done, 3 of them now", self.run_here("study", "resume", "s.h5"), "also a part that never began")
        self.assertEqual(self.csv("s.h5"), self.csv("one.h5"), "what was run into the whole is not in any part")
        told = json.loads(self.run_here(*words, "--shard", "2/3", "--out", "s.h5", "--json"))
        self.assertEqual([told["done"], told["ran"]], [3, 0], "a part takes over what the whole has")
        (self.folder / "s.h5").unlink()
        told = json.loads(self.run_here(*words, "--out", "s.h5", "--json"))
        self.assertEqual([told["done"], told["ran"]], [9, 0], "and the whole what its parts have")
        self.assertEqual(self.table("s.h5").tobytes(), self.table("one.h5").tobytes())
        words[3] = "mass=1:2:8"
        for more in (["--shard", "1/4"], ["--on", "slurm"], []):
            done = sinew(*words, *more, "--out", "s.h5", cwd=self.folder)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("another study is in", done.stderr)
        self.assertEqual(self.csv("s.h5"), self.csv("one.h5"))

    def test_runs_that_failed_are_told_also_to_who_wants_no_other_word(self):
        self.file(PENDULUM)
        words = ["sweep", "scenario.toml", "--until", 0.1, "--quiet"]
        some = sinew(*words, "--vary", "mass=-1,1", "--out", "some.h5", cwd=self.folder)
        self.assertEqual(some.returncode, 0)
        self.assertIn("1 of 2 runs failed or were not certified; row 0 was refused", some.stderr)
        none = sinew(*words, "--vary", "mass=-1,-2", "--out", "none.h5", cwd=self.folder)
        self.assertEqual(none.returncode, 3)
        self.assertIn("mass is -1", none.stderr)

    # Commands with the names and the answers of Slurm's that run what they are given here, at once. Slurm itself: slurm_test.py.
    def test_a_job_array_gives_the_same_table(self):
        self.file(PENDULUM)
        programs = self.folder / "bin"
        programs.mkdir()
        sbatch = """#!/bin/bash
echo "$@" >> calls
script=${@: -1}
n=$(sed -n 's/^#SBATCH --array=1-\\([0-9]*\\).*/\\1/p' "$script")
for ((i = 1; i <= ${n:-1}; i++)); do SLURM_ARRAY_TASK_ID=$i bash "$script" > /dev/null || exit; done
echo "$((41 + $(wc -l < calls)));cluster"
"""
        for name, text in (("sbatch", sbatch), ("squeue", "#!/bin/bash\necho PENDING\necho RUNNING\n"),
                           ("scancel", "#!/bin/bash\necho \"$@\" > cancelled\n")):
            (programs / name).write_text(text)
            (programs / name).chmod(0o755)
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}
        words = ["sweep", "scenario.toml", "--vary", "mass=1:2:7", "--results", "far=body.bob.p.x - 0.5", "--until", 0.1]
        slurm = ["--on", "slurm", "--shards", 3, "--at-once", 2, "--partition", "short", "--out", "s.h5"]
        done = sinew(*words, *slurm, cwd=self.folder, env=environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("array 42 of 3 parts, then 43", done.stdout)
        calls = (self.folder / "calls").read_text().splitlines()
        self.assertIn("--dependency=afterany:42", calls[1])
        script = (self.folder / "s.h5.slurm" / "array.sh").read_text()
        for line in ("#SBATCH --array=1-3%2", "#SBATCH --partition=short", "#SBATCH --requeue", "#SBATCH --cpus-per-task=1"):
            self.assertIn(line + "\n", script)
        self.run_here(*words, "--out", "one.h5", "--quiet")
        self.assertEqual(self.csv("s.h5"), self.csv("one.h5"))
        waiting = sinew("study", "resume", "s.h5", cwd=self.folder, env=environment)
        self.assertEqual(waiting.returncode, 2)
        self.assertIn("2 tasks of it are in Slurm's queue", waiting.stderr)
        status = sinew("study", "status", "s.h5", cwd=self.folder, env=environment).stdout
        self.assertIn("Slurm jobs 42 43: 2 tasks in the queue", status)
        sinew("study", "cancel", "s.h5", cwd=self.folder, env=environment)
        self.assertEqual((self.folder / "cancelled").read_text(), "42 43\n")
        sinew(*words, *slurm, "--no-requeue", cwd=self.folder, env=environment)
        self.assertIn("#SBATCH --no-requeue\n", (self.folder / "s.h5.slurm" / "array.sh").read_text())
        without = sinew(*words, *slurm, cwd=self.folder, env={**os.environ, "PATH": "/nowhere"})
        self.assertEqual(without.returncode, 4)
        self.assertIn("no Slurm here", without.stderr)

    def test_a_study_does_not_go_on_when_a_file_that_it_names_has_changed(self):
        self.file(PENDULUM, "part.toml")
        self.file('include = ["part.toml"]\n')
        words = ["sweep", "scenario.toml", "--vary", "mass=1,2", "--out", "s.h5", "--quiet"]
        self.run_here(*words)
        before = (self.folder / "s.h5").read_bytes()
        self.file(PENDULUM.replace("duration = ", "duration = 1"), "part.toml")
        done = sinew(*words, cwd=self.folder)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("other contents of the files that it names", done.stderr)
        self.assertEqual((self.folder / "s.h5").read_bytes(), before)
        self.file(PENDULUM, "part.toml")
        self.run_here(*words)
        self.run_here("sweep", "./scenario.toml", *words[2:])
        self.run_here(*words[:-3], "--shard", "1/2", "--out", "t.h5", "--quiet")
        (self.folder / "elsewhere").mkdir()
        done = sinew("study", "resume", "../t.h5", cwd=self.folder / "elsewhere")
        self.assertIn("2 of 2 runs are done, 1 of them now", done.stdout, done.stderr)

    def test_bad_input_is_named(self):
        self.file(PENDULUM)
        self.run_here("sweep", "scenario.toml", "--vary", "mass=1,2", "--out", "s.h5", "--quiet")
        self.file('scenario = "scenario.toml"\nuntil = -5\nseed = -3\n', "plan.toml")
        for words, said in ((["sweep"], "no scenario"),
                            (["sweep", "scenario.toml"], "nothing is varied"),
                            (["sweep", "scenario.toml", "--vary", "mas=1,2"], "body.bob.mass"),
                            (["sweep", "scenario.toml", "--vary", "mass=1:2"], "how many values"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--results", "z"], "no such result"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--shard", "4/3", "--out", "p.h5"], "--shard"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--shard", "1/3"], "--out"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2,3", "--out", "s.h5"], "another study"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--sampling", "sobel"], "sobol"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--stop-when", "x"], "stop_when"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--on", "moon"], "threads or slurm"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--partition", "p"], "--on slurm"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--on", "slurm"], "--out"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--seed", -1], "--seed"),
                            (["sweep", "scenario.toml", "--vary", "mass=1,2", "--vary", "body.bob.mass=1,2"], "the same key as mass"),
                            (["sweep", "scenario.toml", "--vary", "method=rk4", "--vary", "integrator.method=rk4"], "the same key"),
                            (["sweep", "scenario.toml", "--vary", "duration=1,2", "--until", 1], "the same end"),
                            (["sweep", "scenario.toml", "--vary", "mass=nan,1"], "--vary mass=nan"),
                            (["sweep", "plan.toml", "--vary", "mass=1,2"], "plan.toml:2: until is -5"),
                            (["sweep", "plan.toml", "--vary", "mass=1,2"], "plan.toml:3: seed is -3"),
                            (["plot", "scenario.toml"], "--output is required"),
                            (["study", "look", "s.h5"], "status, resume"),
                            (["study", "status", "scenario.toml"], "no study")):
            with self.subTest(words):
                done = sinew(*words, cwd=self.folder)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(said, done.stderr)
        self.assertEqual(sinew("study", "status", "none.h5", cwd=self.folder).returncode, 4)


if __name__ == "__main__":
    unittest.main()
