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

    def run_setup(self, *arguments, installed, apt_works=True, has_sudo=True, path=None, **options):
        self.tool("dpkg-query", f"for p in {' '.join(installed)}; do printf 'installed:%s ' $p; done")
        if has_sudo:
            self.tool("sudo", f'echo sudo >> {self.calls}; exec "$@"')
        self.tool("apt-get", f'echo "$@" >> {self.calls}; exit {0 if apt_works else 100}')
        environment = {**os.environ, "PATH": f"{self.tools}:{path or os.environ['PATH']}"}
        return subprocess.run([str(SETUP), *arguments], env=environment, capture_output=True, text=True, **options)

    def run_as_user(self, *arguments, **options):
        """As somebody who is not root; root becomes nobody for that."""
        if os.geteuid() == 0:
            self.tools.chmod(0o755)
            self.calls.chmod(0o666)
            copy = self.tools / "setup"  # where nobody may read it
            shutil.copy(SETUP, copy)
            options |= {"user": "nobody", "executable": str(copy)}
        return self.run_setup(*arguments, **options)

    run_packages = re.search(r"^run=\(([^)]*)\)", SETUP.read_text(), re.M).group(1).split()

    def test_nothing_happens_when_all_is_there(self):
        result = self.run_setup(installed=self.run_packages)
        self.assertEqual((result.returncode, result.stdout, result.stderr, self.calls.read_text()), (0, "", "", ""))

    def test_only_the_missing_packages_are_installed_and_named_in_one_line(self):
        result = self.run_setup("run", installed=[p for p in self.run_packages if p not in ("cmake", "libfmt-dev")])
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", "installing cmake libfmt-dev\n"))
        update, install = (call for call in self.calls.read_text().splitlines() if call != "sudo")
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
        result = self.run_setup("page", installed=[], path=self.plain_path())
        self.assertEqual((result.returncode, result.stdout, result.stderr, self.calls.read_text()), (0, "", "", ""))

    def test_programs_that_are_missing_are_installed(self):
        path = self.plain_path()
        for purpose, packages in (("page", "nodejs npm"), ("view", "libboost-dev nodejs npm"), ("plot", "gnuplot-nox")):
            result = self.run_setup(purpose, installed=[], path=path)
            self.assertEqual((result.returncode, result.stderr), (0, f"installing {packages}\n"))

    def test_a_first_run_needs_neither_the_view_nor_gnuplot(self):
        self.assertFalse({"libboost-dev", "gnuplot-nox", "nodejs", "python3"} & set(self.run_packages))

    def test_tests_need_figures_the_view_and_a_browser(self):
        result = self.run_setup("test", installed=self.run_packages, path=self.plain_path())
        self.assertEqual(result.stderr.split()[-4:], ["gnuplot-nox", "nodejs", "npm", "chromium"])
        self.assertIn("libboost-dev", result.stderr.split())

    def test_a_node_that_is_too_old_is_an_error(self):
        self.tool("node", "echo v16.20.2")
        self.tool("npm", "")
        result = self.run_setup("page", installed=[], path=self.plain_path())
        self.assertEqual(result.returncode, 4)
        self.assertIn("16.20.2", result.stderr)

    def test_who_is_not_root_installs_with_sudo(self):
        result = self.run_as_user("run", installed=[p for p in self.run_packages if p != "cmake"])
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", "installing cmake\n"))
        calls = self.calls.read_text().splitlines()
        self.assertEqual((calls[0], calls[2]), ("sudo", "sudo"))
        self.assertTrue(calls[3].endswith("install --no-install-recommends cmake"), calls)

    def test_without_root_and_sudo_the_error_says_what_to_run(self):
        result = self.run_as_user("run", installed=[p for p in self.run_packages if p != "cmake"], has_sudo=False,
                                  path=self.plain_path())
        self.assertEqual((result.returncode, self.calls.read_text()), (4, ""))
        self.assertIn("not root and no sudo: as root run: apt-get install cmake\n", result.stderr)

    def test_a_failure_names_the_packages_and_what_to_do(self):
        result = self.run_setup("run", installed=[p for p in self.run_packages if p != "cmake"], apt_works=False)
        self.assertEqual(result.returncode, 4)
        self.assertIn("error: scripts/setup: could not install cmake: ", result.stderr)
        self.assertIn("apt-get install cmake", result.stderr)

    def test_an_unknown_purpose_is_bad_input(self):
        self.assertEqual(self.run_setup("dance", installed=[]).returncode, 2)


if __name__ == "__main__":
    unittest.main()
