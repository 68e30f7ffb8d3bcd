"""scripts/setup installs what is missing and only that. apt-get, dpkg-query and sudo here are stand-ins."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SETUP = Path(__file__).resolve().parents[2] / "scripts/setup"


class Setup(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tools = Path(folder.name)
        self.calls = self.tools / "calls"
        self.calls.touch()

    def tool(self, name, body):
        (self.tools / name).write_text(f"#!/bin/bash\n{body}\n")
        (self.tools / name).chmod(0o755)

    def run_setup(self, *arguments, installed, apt_works=True, path=None):
        self.tool("dpkg-query", f"for p in {' '.join(installed)}; do printf 'installed:%s ' $p; done")
        self.tool("sudo", 'exec "$@"')
        self.tool("apt-get", f'echo "$@" >> {self.calls}; exit {0 if apt_works else 100}')
        environment = {**os.environ, "PATH": f"{self.tools}:{path or os.environ['PATH']}"}
        return subprocess.run([str(SETUP), *arguments], env=environment, capture_output=True, text=True)

    run_packages = re.search(r"^run=\(([^)]*)\)", SETUP.read_text(), re.M).group(1).split()

    def test_nothing_happens_when_all_is_there(self):
        result = self.run_setup(installed=self.run_packages)
        self.assertEqual((result.returncode, result.stdout, result.stderr, self.calls.read_text()), (0, "", "", ""))

    def test_only_the_missing_packages_are_installed_and_named_in_one_line(self):
        result = self.run_setup("run", installed=[p for p in self.run_packages if p not in ("cmake", "libfmt-dev")])
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", "installing cmake libfmt-dev\n"))
        update, install = self.calls.read_text().splitlines()
        self.assertTrue(update.endswith(" update"))
        self.assertTrue(install.endswith("install --no-install-recommends cmake libfmt-dev"))

    def test_tests_need_more_than_runs(self):
        result = self.run_setup("test", installed=self.run_packages)
        self.assertIn("libgtest-dev", result.stderr)

    def plain_path(self):
        """A folder with what every machine has: no node, no npm, no browser."""
        folder = self.tools / "plain"
        folder.mkdir()
        for name in ("bash", "env", "mktemp", "rm", "tail"):
            (folder / name).symlink_to(shutil.which(name))
        return folder

    def test_the_page_of_the_view_needs_programs_wherever_they_come_from(self):
        self.tool("node", "echo v18.19.0")
        self.tool("npm", "")
        result = self.run_setup("view", installed=[], path=self.plain_path())
        self.assertEqual((result.returncode, result.stdout, result.stderr, self.calls.read_text()), (0, "", "", ""))

    def test_programs_that_are_missing_are_installed(self):
        result = self.run_setup("view", installed=[], path=self.plain_path())
        self.assertEqual((result.returncode, result.stderr), (0, "installing nodejs npm\n"))

    def test_tests_need_the_page_and_a_browser(self):
        result = self.run_setup("test", installed=self.run_packages, path=self.plain_path())
        self.assertEqual(result.stderr.split()[-3:], ["nodejs", "npm", "chromium"])

    def test_a_node_that_is_too_old_is_an_error(self):
        self.tool("node", "echo v16.20.2")
        self.tool("npm", "")
        result = self.run_setup("view", installed=[], path=self.plain_path())
        self.assertEqual(result.returncode, 4)
        self.assertIn("16.20.2", result.stderr)

    def test_a_failure_names_the_packages_and_what_to_do(self):
        result = self.run_setup("run", installed=[p for p in self.run_packages if p != "cmake"], apt_works=False)
        self.assertEqual(result.returncode, 4)
        self.assertIn("error: scripts/setup: could not install cmake: ", result.stderr)
        self.assertIn("apt-get install cmake", result.stderr)

    def test_an_unknown_purpose_is_bad_input(self):
        self.assertEqual(self.run_setup("dance", installed=[]).returncode, 2)


if __name__ == "__main__":
    unittest.main()
