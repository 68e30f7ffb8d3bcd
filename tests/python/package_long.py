"""What scripts/package makes is installed and used: the wheel in a fresh environment, the .deb unpacked into an empty root.

PACKAGE_BUILD names a build to take instead of making one for x86-64-v2.
"""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CODE = "import sinew; r = sinew.run('pendulum', until=1); w = sinew.World('pendulum'); w.step(1000); print(r['hash'] == w.hash(), sinew.__file__)"


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.out = Path(cls.folder.name)
        build = os.environ.get("PACKAGE_BUILD")
        cls.run_in("/", ROOT / "scripts/package", "--out", cls.out, *(["--build", build] if build else []))

    @staticmethod
    def run_in(folder, *command, **environment):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SINEW"))}
        done = subprocess.run([str(word) for word in command], cwd=folder, env={**clean, **environment}, text=True, capture_output=True,
                              check=False)
        if done.returncode:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_the_wheel_installs_without_a_network_and_runs(self):
        wheel = next(self.out.glob("*.whl"))
        self.run_in(self.out, "/usr/bin/python3", "-m", "venv", "--system-site-packages", "v")
        self.run_in(self.out, "v/bin/pip", "install", "--no-index", "--no-deps", wheel)
        told = self.run_in(self.out, "v/bin/python", "-c", CODE)
        self.assertTrue(told.startswith("True "), told)
        self.assertIn(str(self.out / "v"), told)
        code = "import sinew; print(len(sinew.record('pendulum', 'run.h5', until=1)))"
        self.assertEqual(self.run_in(self.out, "v/bin/python", "-c", code), "101\n")

    def test_the_deb_holds_all_and_its_program_and_module_run_where_it_is_unpacked(self):
        deb, root = next(self.out.glob("*.deb")), self.out / "root"
        self.run_in(self.out, "dpkg-deb", "-x", deb, root)
        for part in ("bin/sinew", "share/sinew/scenarios/basics/pendulum.toml", "include/sinew/batch.h", "share/bash-completion/completions/sinew",
                     "lib/python3/dist-packages/sinew/__init__.py"):
            self.assertTrue((root / "usr" / part).is_file(), part)
        self.assertTrue(list(root.glob("usr/lib/**/libsinew_core.a")))
        told = self.run_in(self.out, root / "usr/bin/sinew", "run", "pendulum", "--until", "1", "--no-record", "--json", "--quiet")
        self.assertIn('"hash"', told)
        told = self.run_in(self.out, root / "usr/bin/sinew", "python", "-c", CODE)
        self.assertTrue(told.startswith("True ") and str(root) in told, told)
        self.assertIn("libfmt9", self.run_in(self.out, "dpkg-deb", "-f", deb, "Depends"))


if __name__ == "__main__":
    unittest.main()
