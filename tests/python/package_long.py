"""What scripts/package makes is installed and used: the wheel in a fresh environment, the .deb in a clean root of Debian and unpacked.

PACKAGES names a folder with packages to take instead of making them. The clean root is made by mmdebstrap, which needs a mirror of Debian and
either root or user namespaces; nothing of it stays.
"""

import os
import platform
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests/golden/hashes.txt"
LOADER = "/lib64/ld-linux-x86-64.so.2"
CODE = "import sinew; r = sinew.run('pendulum', until=1); w = sinew.World('pendulum'); w.step(1000); print(r['hash'] == w.hash(), sinew.__file__)"


def searched_level():
    """The level of x86-64 whose library the loader takes here: v3, or none but the ordinary one."""
    if platform.machine() != "x86_64":
        return ""
    told = subprocess.run([LOADER, "--help"], capture_output=True, text=True, check=True).stdout
    return "x86-64-v3" if re.search(r"x86-64-v3 \(supported, searched\)", told) else ""


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.out = Path(cls.folder.name)
        cls.packages = Path(os.environ.get("PACKAGES", cls.out))
        if "PACKAGES" not in os.environ:
            cls.run_in("/", ROOT / "scripts/package", "--out", cls.out)
        cls.deb, cls.root = next(cls.packages.glob("*.deb")), cls.out / "root"
        cls.run_in(cls.out, "dpkg-deb", "-x", cls.deb, cls.root)

    @staticmethod
    def run_in(folder, *command, **environment):
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SINEW_S", "SINEW_V", "SINEW_T"))}
        done = subprocess.run([str(word) for word in command], cwd=folder, env={**clean, **environment}, text=True, capture_output=True,
                              check=False)
        if done.returncode:
            raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout

    def test_the_wheel_installs_without_a_network_and_runs(self):
        wheel = next(self.packages.glob("*.whl"))
        self.run_in(self.out, "/usr/bin/python3", "-m", "venv", "--system-site-packages", "v")
        self.run_in(self.out, "v/bin/pip", "install", "--no-index", "--no-deps", wheel)
        told = self.run_in(self.out, "v/bin/python", "-c", CODE)
        self.assertTrue(told.startswith("True "), told)
        self.assertIn(str(self.out / "v"), told)
        code = "import sinew; print(len(sinew.record('pendulum', 'run.h5', until=1)))"
        self.assertEqual(self.run_in(self.out, "v/bin/python", "-c", code), "101\n")
        # the library of the wheel itself, for this processor
        code = "import sinew; print(*{line.split()[-1] for line in open('/proc/self/maps') if 'libsinew' in line})"
        taken = self.run_in(self.out, "v/bin/python", "-c", code).split()
        place = os.path.join("sinew", *(["glibc-hwcaps", searched_level()] if searched_level() else []))
        self.assertEqual(len(taken), 2, taken)
        for library in taken:
            self.assertTrue(os.path.dirname(library).endswith(place) and library.startswith(str(self.out / "v")), library)

    def test_the_deb_holds_all_and_its_program_and_module_run_where_it_is_unpacked(self):
        for part in ("bin/sinew", "bin/sinew-view", "share/sinew/scenarios/basics/pendulum.toml", "include/sinew/batch.h",
                     "share/sinew/viewer/index.html", "share/man/man1/sinew.1.gz", "share/bash-completion/completions/sinew",
                     "lib/python3/dist-packages/sinew/__init__.py", "share/doc/sinew/copyright"):
            self.assertTrue((self.root / "usr" / part).is_file(), part)
        self.assertEqual(bool(list(self.root.glob("usr/lib/*/glibc-hwcaps/x86-64-v3/libsinew_core.so.*"))), platform.machine() == "x86_64")
        shared = next(self.root.glob("usr/lib/*/libsinew.so")).parent
        told = self.run_in(self.out, self.root / "usr/bin/sinew", "python", "-c", CODE, LD_LIBRARY_PATH=str(shared))
        self.assertTrue(told.startswith("True ") and str(self.root) in told, told)
        self.assertIn("libfmt9", self.run_in(self.out, "dpkg-deb", "-f", self.deb, "Depends"))

    def test_the_program_of_the_deb_exports_fmus(self):
        self.run_in(self.out, self.root / "usr/bin/sinew", "export", "basics/pendulum", "--fmu", "pendulum.fmu")
        with zipfile.ZipFile(self.out / "pendulum.fmu") as archive:
            self.assertIn("binaries/x86_64-linux/basics_pendulum.so", archive.namelist())

    def test_both_libraries_give_the_golden_hashes(self):
        program = self.root / "usr/bin/sinew"
        ways = {"as_it_is": f"exec {program}"}
        if searched_level():
            # the loader is the program then, so the scenarios are not found beside it
            scenarios = self.root / "usr/share/sinew/scenarios"
            ways["for_v2"] = f"SINEW_SCENARIOS={scenarios} exec {LOADER} --glibc-hwcaps-mask x86-64-v2 {program}"
        for way, command in ways.items():
            folder = self.out / way
            folder.mkdir()
            (folder / "sinew").write_text(f'#!/bin/sh\n{command} "$@"\n')
            (folder / "sinew").chmod(0o755)
            loaded = self.run_in(folder, "sh", "-c", "LD_DEBUG=libs ./sinew --version 2>&1")
            taken = re.search(r"calling init: (.*libsinew_core.*)", loaded).group(1)
            self.assertEqual("glibc-hwcaps" in taken, way == "as_it_is" and bool(searched_level()), taken)
            self.assertIn("hashes are the golden ones", self.run_in(ROOT, "scripts/check_hashes", folder))

    def test_a_program_is_built_with_the_library_of_the_deb(self):
        build = self.out / "examples"
        self.run_in(self.out, "cmake", "-G", "Ninja", "-S", ROOT / "examples", "-B", build, f"-DCMAKE_PREFIX_PATH={self.root}/usr",
                    "-DCMAKE_BUILD_TYPE=Release")
        self.run_in(self.out, "cmake", "--build", build, "--target", "loop_of_core", "loop_in_code")
        for name in ("loop_of_core", "loop_in_code"):
            self.assertTrue(self.run_in(self.out, build / name).strip(), name)

    def test_the_deb_is_installed_used_and_removed_in_a_clean_root(self):
        golden = re.search(r"^(\w+) snake/sidewinding --until 1$", GOLDEN.read_text(), re.M).group(1)
        script = ROOT / "tests/install/deb_in_root.sh"
        self.run_in(
            self.out, "mmdebstrap", "--quiet", "--variant=apt", f"--customize-hook=upload {self.deb} /sinew.deb",
            f"--customize-hook=upload {script} /try.sh",
            f'--customize-hook=chroot "$1" bash /try.sh {golden} "{searched_level()}"',
            f"--customize-hook=download /verdict {self.out}/verdict", "bookworm", "/dev/null")
        self.assertEqual((self.out / "verdict").read_text(), "installed, used and removed\n")


if __name__ == "__main__":
    sys.exit(unittest.main())
