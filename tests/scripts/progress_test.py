"""What ./sinew and ./test say while they build."""

import os
import pty
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NINJA = """rule make
  command = touch $out
  description = Building CXX object $out
build a.o: make in
build b.o: make in
build c.o: make in
build prog: make a.o b.o c.o
rule again
  command = touch build.ninja
  generator = 1
build build.ninja: again always
build always: phony
"""


class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "scripts").mkdir()

    def bash(self, script, **options):
        command = f"root='{self.folder}' jobs=2; source '{ROOT}/scripts/progress.sh'; cd '{self.folder}'; {script}"
        return subprocess.run(["bash", "-euo", "pipefail", "-c", command], text=True, **{"capture_output": True, **options})

    def says(self, script):
        result = self.bash(script)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout + result.stderr

    def plan(self):
        return {name: int(cost) for cost, name in (line.split() for line in self.says("plan_steps . prog").splitlines())}

    def test_steps_cost_what_the_table_says_and_then_what_they_cost_here(self):
        (self.folder / "build.ninja").write_text(NINJA)
        (self.folder / "in").touch()
        (self.folder / "scripts/build_costs").write_text("# seconds, step\n2.5 a.o\n40 b.o\n")
        self.assertEqual(self.plan(), {"a.o": 2500, "b.o": 40000, "c.o": 5000, "prog": 500})
        (self.folder / ".ninja_log").write_text("# ninja log v5\n0\t9000\t1\ta.o\tff\n10\t60\t1\tb.o\tff\n5\t75\t1\tc.o\tff\n")
        (self.folder / "build.ninja").write_text(NINJA.replace("touch", ": ; touch"))
        self.assertEqual(self.plan(), {"a.o": 9000, "b.o": 40000, "c.o": 70, "prog": 500}, "50 ms of b.o came out of a cache")
        (self.folder / "other.ninja").write_text((self.folder / "build.ninja").read_text())
        subprocess.run(["ninja", "-C", self.folder, "-f", "other.ninja", "prog"], check=True, capture_output=True)
        self.assertEqual(self.plan(), {})

    def test_time_left_follows_the_speed_so_far(self):
        left = lambda *numbers: int(self.says(f"seconds_left {' '.join(map(str, numbers))}"))
        self.assertEqual(left(400_000, 0, 0, 0, 2, 20_000, 0, 20_000, 0), 200)  # as expected, by two at once
        self.assertAlmostEqual(left(400_000, 200_000, 200_000, 200_000, 2), 100, delta=1)
        self.assertAlmostEqual(left(400_000, 200_000, 200_000, 600_000, 2), 300, delta=15)  # three times slower
        self.assertLess(left(400_000, 200_000, 200_000, 2_000, 2), 10)  # out of a cache
        self.assertEqual(left(400_000, 400_000, 400_000, 400_000, 2), 0)

    def test_time_left_counts_what_is_running(self):
        left = lambda *numbers: int(self.says(f"seconds_left {' '.join(map(str, numbers))}"))
        self.assertAlmostEqual(left(400_000, 200_000, 200_000, 200_000, 2, 80_000, 40_000, 60_000, 20_000), 70, delta=1)
        self.assertAlmostEqual(left(400_000, 300_000, 300_000, 600_000, 2, 100_000, 100_000), 100, delta=5)  # one step alone, half done
        self.assertGreater(left(400_000, 300_000, 300_000, 300_000, 2, 100_000, 500_000), 9)  # longer than it should: it is not over

    def test_words_claim_no_more_than_is_known(self):
        for seconds, words in ((1, "a few seconds left"), (7, "about 10 s left"), (13, "about 15 s left"), (53, "about 60 s left"),
                               (149, "about 150 s left"), (151, "about 3 min left"), (600, "about 10 min left")):
            self.assertEqual(self.says(f"in_words {seconds}"), words + "\n")

    def test_in_a_pipe_a_line_now_and_then(self):
        script = """unset EPOCHSECONDS; EPOCHSECONDS=100
            declare -A cost=([a.o]=100000) begun=([a.o]=100)
            all=100000 order=(a.o) finished=0 tracked=0 spent=0 step=0 steps=9 start=100 told=100
            for ((; EPOCHSECONDS < 160; EPOCHSECONDS++)); do tell_progress; done"""
        self.assertEqual(self.says(script).splitlines(), [f"building sinew: [0/9], about {t} s left" for t in (90, 70, 60)])

    def test_steps_are_followed_in_the_order_of_the_plan(self):
        script = """unset EPOCHSECONDS; EPOCHSECONDS=100
            declare -A cost=([a.o]=4000 [b.o]=8000 [c.o]=2000) begun=()
            order=(a.o b.o c.o) finished=0 tracked=0 spent=0
            start_steps; EPOCHSECONDS=106; finish_step a.o; finish_step other; EPOCHSECONDS=107; finish_step b.o
            echo "$finished $tracked $spent ${order[*]} ${begun[c.o]}"; finish_step c.o; echo "$finished $spent ${#order[@]}" """
        self.assertEqual(self.says(script), "12000 12000 13000 c.o 106\n14000 14000 0\n")

    def test_everything_is_kept_in_the_log(self):
        (self.folder / "plan").write_text("1000 a.o\n500 prog\n")
        words = "[1/2] Building CXX object a.o\nwarning: \\x5B1/2\n  indented\n[2/2] Linking prog\nlast without an end"
        self.assertEqual(self.says(f"printf '%b' '{words}' | follow_steps plan log"), "")
        self.assertEqual((self.folder / "log").read_text(), words.replace("\\x5B", "[") + "\n")

    def test_on_a_terminal_one_line_that_is_gone_in_the_end(self):
        (self.folder / "plan").write_text("1000 a.o\n500 prog\n")
        ours, theirs = pty.openpty()
        self.addCleanup(os.close, ours)
        result = self.bash("printf '[1/2] Building a.o\\n[2/2] Linking prog\\n' | follow_steps plan log", capture_output=False,
                           stdout=subprocess.PIPE, stderr=theirs)
        os.close(theirs)
        shown = os.read(ours, 10000).decode()
        self.assertEqual((result.returncode, result.stdout), (0, ""))
        self.assertTrue(shown.startswith("\r[1/2], a few seconds left\033[K"), repr(shown))
        self.assertTrue(shown.endswith("\r\033[K"), repr(shown))
        self.assertNotIn("\n", shown)


if __name__ == "__main__":
    unittest.main()
