"""The check of the golden hashes sees a changed one, and the golden file is one that it can read."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts/check_hashes"
GOLDEN = ROOT / "tests/golden/hashes.txt"

# Stands in for the program: says what it is asked for, and fails for "broken".
PROGRAM = r"""#!/bin/bash
[[ "$*" == *--no-record*--json*--quiet* ]] || exit 9
case $2 in
  first) echo '{"hash": "0123456789abcdef"}' ;;
  second) [[ $3 == --until && $4 == 1 ]] && echo '{"hash": "00000000000000aa"}' ;;
  *) echo "no such scenario" >&2; exit 2 ;;
esac
"""
LINES = "# a comment\n0123456789abcdef first\n\n00000000000000aa second --until 1\n"


class Hashes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = Path(folder.name)
        (self.build / "sinew").write_text(PROGRAM)
        (self.build / "sinew").chmod(0o755)
        self.golden = self.build / "hashes.txt"

    def run_script(self, lines, *options):
        self.golden.write_text(lines)
        return subprocess.run([SCRIPT, self.build, "--golden", self.golden, *options], capture_output=True, text=True,
                              check=False)

    def test_equal_hashes_pass(self):
        done = self.run_script(LINES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("2 of 2", done.stdout)

    def test_a_changed_hash_fails_and_is_named(self):
        done = self.run_script(LINES.replace("aa second", "ab second"))
        self.assertEqual(done.returncode, 1)
        self.assertIn("second --until 1", done.stdout)
        self.assertIn("00000000000000aa", done.stdout)
        self.assertNotIn("first", done.stdout)

    def test_a_run_that_fails_is_no_hash(self):
        done = self.run_script(LINES + "0123456789abcdef broken\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("no such scenario", done.stdout)

    def test_a_missing_program_is_said(self):
        (self.build / "sinew").unlink()
        done = self.run_script(LINES)
        self.assertEqual(done.returncode, 1)
        self.assertIn("missing", done.stderr)

    def test_writing_keeps_comments_and_order(self):
        done = self.run_script(LINES.replace("00aa", "00ff"), "--write")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(self.golden.read_text(), LINES)

    def test_writing_stops_where_a_run_fails(self):
        lines = LINES + "0123456789abcdef broken\n"
        self.assertEqual(self.run_script(lines, "--write").returncode, 1)
        self.assertEqual(self.golden.read_text(), lines)


class TheGoldenFile(unittest.TestCase):
    def test_has_enough_lines_of_the_agreed_form_each_once(self):
        lines = [line for line in GOLDEN.read_text().splitlines() if line and not line.startswith("#")]
        self.assertGreaterEqual(len(lines), 25)
        for line in lines:
            self.assertRegex(line, r"^[0-9a-f]{16} \S.*$")
        arguments = [line.split(" ", 1)[1] for line in lines]
        self.assertEqual(len(set(arguments)), len(arguments))

    def test_names_scenarios_that_exist(self):
        for line in GOLDEN.read_text().splitlines():
            match = re.match(r"[0-9a-f]{16} (\S+)", line)
            if match:
                name = match.group(1)
                self.assertTrue((ROOT / name if name.endswith(".toml") else ROOT / "scenarios" / f"{name}.toml").is_file(), line)


if __name__ == "__main__":
    unittest.main()
