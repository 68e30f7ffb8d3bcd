"""scripts/package: what it compiles for. The packages themselves are made, installed and used by ./test --long."""

import importlib.machinery
import importlib.util
import subprocess
import unittest
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[2] / "scripts/package"
LOADER = importlib.machinery.SourceFileLoader("package", str(PROGRAM))
package = importlib.util.module_from_spec(importlib.util.spec_from_loader("package", LOADER))
LOADER.exec_module(package)


class Package(unittest.TestCase):
    def test_only_x86_64_has_a_library_more_and_others_are_compiled_for_the_whole_architecture(self):
        self.assertEqual(package.levels("x86_64"), ("x86-64-v2", ["x86-64-v3"]))
        for machine in ("aarch64", "riscv64", "ppc64le"):
            self.assertEqual(package.levels(machine), ("", []))

    def test_what_the_loader_asks_for_is_told_from_the_other_names_of_a_library(self):
        self.assertEqual(package.INTERFACE.fullmatch("libsinew_core.so.0.1").groups(), ("libsinew_core", "0.1"))
        for name in ("libsinew.so", "libsinew.so.0.1.0", "sinew.so.0.1"):
            self.assertIsNone(package.INTERFACE.fullmatch(name), name)

    def test_a_build_without_the_module_is_refused(self):
        done = subprocess.run([PROGRAM, "wheel", "--build", "/nowhere", "--out", "/tmp"], capture_output=True, text=True, check=False)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("error: scripts/package: /nowhere has no module: build its target sinew_python", done.stderr)


if __name__ == "__main__":
    unittest.main()
