"""bench/compare and scripts/measure_build: what they make of numbers and command lines. Nothing is built or timed here."""

import contextlib
import importlib.machinery
import importlib.util
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def load(path):
    """A script as a module."""
    loader = importlib.machinery.SourceFileLoader(Path(path).name, str(ROOT / path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


sys.path.insert(0, str(ROOT / "scripts"))
sys.dont_write_bytecode = True
import commits  # noqa: E402

compare, measure_build = load("bench/compare"), load("scripts/measure_build")


class Compare(unittest.TestCase):
    def refused(self, *arguments):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), self.assertRaises(SystemExit) as stop:
            compare.parse(list(arguments))
        self.assertEqual(stop.exception.code, 2)
        return errors.getvalue()

    def test_command_lines(self):
        options = compare.parse(["abc"])
        self.assertEqual((options.commit, options.with_, options.runs, options.run), ("abc", None, 11, None))
        self.assertEqual(compare.parse(["a", "b", "--run", "x", "--run", "y --until 1"]).run, ["x", "y --until 1"])
        self.assertTrue(compare.parse(["a", "--instructions"]).run)
        self.assertIn("fewer than 11", self.refused("a", "--runs", "10"))
        self.assertIn("--only", self.refused("a", "--only", "x", "--run", "y"))
        self.assertIn("not a regular expression", self.refused("a", "--only", "("))
        self.assertIn("COMMIT", self.refused())

    def test_spread_leaves_out_what_chance_allows(self):
        ratios = [0.5, 0.99, 1.0, 1.01, 1.02, 1.03, 1.04, 1.05, 1.06, 1.07, 3.0]
        self.assertEqual(compare.judge(ratios), (1.03, 0.99, 1.07, ""))
        self.assertEqual(compare.judge([0.5] + [1.1] * 10), (1.1, 1.1, 1.1, "slower"))
        self.assertEqual(compare.judge([0.5] * 2 + [1.1] * 9)[3], "")  # 2 of 11 happen by chance
        self.assertEqual(compare.judge([0.9] * 10 + [7.0])[3], "faster")
        # of 101 values, 39 to 62 below the median are no surprise
        self.assertEqual(compare.judge(list(range(101)))[1:3], (38, 62))

    def test_only_our_own_benchmarks_unless_others_are_asked_for(self):
        names = ["step/tree/8", "snake/lateral/sinew/iterations:1", "snake/lateral/ode_step/iterations:1", "contacts/1_to_5/newton"]
        self.assertEqual(compare.chosen(names, None), names[:2])
        self.assertEqual(compare.chosen(names, "lateral|newton"), names[1:])
        self.assertEqual(compare.groups_of(names), [names[:1], names[1:3], names[3:]])

    def test_times_are_the_smallest_in_nanoseconds(self):
        row = {"run_name": "a", "run_type": "iteration", "real_time": 9.0, "cpu_time": 2.0, "time_unit": "us"}
        rows = [row, row | {"cpu_time": 1.5}, row | {"run_type": "aggregate", "cpu_time": 0.1},
                row | {"run_name": "b/real_time", "time_unit": "ms"}, row | {"run_name": "c", "error_occurred": True}]
        self.assertEqual(compare.times_of({"benchmarks": rows}), {"a": 1500.0, "b/real_time": 9e6})

    def test_sides_take_turns_and_ratios_are_of_the_same_turn(self):
        calls = []
        speed = {"before": iter([1.0, 2.0, 4.0]), "after": iter([2.0, 4.0, 2.0])}

        def measure(side, part):
            calls.append(side)
            return {part: next(speed[side]), side: 1.0}  # a benchmark that only one of them has is left out

        with contextlib.redirect_stderr(io.StringIO()):
            ratios, times = compare.in_turns("before", "after", measure, ["x"], 3)
        self.assertEqual(ratios, {"x": [2.0, 2.0, 0.5]})
        self.assertEqual(times, {"x": 4.0})
        self.assertEqual(calls, ["before", "after", "after", "before", "before", "after"])

    def test_the_exit_code_is_1_if_one_is_slower(self):
        for ratio, code in ((1.2, 1), (0.8, 0)):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(compare.print_ratios({"x/iterations:1": [ratio] * 11}, {"x/iterations:1": 1000.0}), code)
            self.assertRegex(out.getvalue(), rf"x +{ratio:.3f} +{ratio:.3f} +{ratio:.3f} +1.00  (slower|faster)")

    def test_instructions_of_the_start_are_those_of_the_same_line_without_time(self):
        for line in ("x --until 2 --set a=1", "x --set a=1 --until=2", "x --set a=1"):
            self.assertEqual(compare.without_time(line), "x --set a=1 --until 0")


class MeasureBuild(unittest.TestCase):
    def test_costs_are_scaled_to_the_processor_time_and_the_last_build_of_a_step_counts(self):
        log = "# ninja log v5\n0\t1000\t7\ta.o\tff\n0\t6000\t7\tb.o\tff\n1000\t3000\t7\ta.o\tff\n0\t10\t7\ttiny.o\tff\n"
        self.assertEqual(measure_build.costs_table(log, 4 * 8.01), "24.0 b.o\n8.0 a.o\n")

    def test_processor_seconds_are_those_of_the_processes_that_were_started(self):
        busy = [sys.executable, "-c", "import time\nwhile time.process_time() < 0.3: pass"]
        self.assertAlmostEqual(measure_build.processor_seconds(lambda: subprocess.run(busy, check=True)), 0.3, delta=0.25)
        idle = [sys.executable, "-S", "-c", "import time; time.sleep(0.5)"]
        self.assertLess(measure_build.processor_seconds(lambda: subprocess.run(idle, check=True)), 0.3)

    def test_costs_of_another_commit_are_refused(self):
        result = subprocess.run([ROOT / "scripts/measure_build", "--commit", "HEAD", "--costs"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--costs is for the tree as it is", result.stderr)


class Commits(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "repository"
        self.git("init", "-q", self.root)
        for text in ("one", "two"):
            (self.root / "file").write_text(text)
            self.git("-C", self.root, "add", "file")
            self.git("-C", self.root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", text)

    def git(self, *arguments):
        subprocess.run(["git", *map(str, arguments)], check=True, capture_output=True)

    def test_another_commit_is_checked_out_beside_and_removed_again(self):
        commit = commits.find_commit("HEAD~1", self.root)
        self.assertRegex(commit, "^[0-9a-f]{40}$")
        self.assertTrue(commits.title(commit, self.root).endswith(" one"))
        tree = commits.check_out(commit, self.root / "build" / commit[:12], self.root)
        self.assertEqual(((tree / "file").read_text(), (self.root / "file").read_text()), ("one", "two"))
        commits.check_out(commit, tree, self.root)  # a second time it is there
        commits.remove(tree, self.root)
        self.assertFalse(tree.exists())

    def test_a_commit_that_does_not_exist_is_an_error(self):
        with self.assertRaisesRegex(commits.Failed, "nonsense: no such commit"):
            commits.find_commit("nonsense", self.root)

    def test_a_command_that_fails_says_what_it_said(self):
        with self.assertRaisesRegex(commits.Failed, r"(?s)exit code 3.*wrong turn"):
            commits.run(["bash", "-c", "echo wrong turn >&2; exit 3"])


if __name__ == "__main__":
    unittest.main()
