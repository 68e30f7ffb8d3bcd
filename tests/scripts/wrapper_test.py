"""./sinew builds when it must, never otherwise, and stays out of the way. The compiler here is a stand-in."""

import os
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Stands for cmake: counts its builds, and "compiles" src/cli/main.cpp, a shell script, by copying it.
CMAKE = """#!/bin/bash
if [[ $1 == --preset ]]; then mkdir -p build/release; exit 0; fi
echo build >> "$2/../count"
sleep 0.3
grep -q SYNTAX "$2/../../src/cli/main.cpp" && { echo "main.cpp:1: error: bad syntax"; exit 1; }
cp "$2/../../src/cli/main.cpp" "$2/sinew"
"""
PROGRAM = '#!/bin/bash\nprintf "%s|" "$@"\nexit 7\n'


class Wrapper(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clone = Path(folder.name) / "a clone"
        for path in ("scripts", "src/cli", "cmake", "tools"):
            (self.clone / path).mkdir(parents=True)
        for path in ("sinew", "scripts/build.sh", "CMakeLists.txt", "CMakePresets.json"):
            shutil.copy(ROOT / path, self.clone / path)
        self.script("scripts/setup", "#!/bin/bash\n")
        self.script("tools/cmake", CMAKE)
        self.script("src/cli/main.cpp", PROGRAM)
        self.backdate()
        self.environment = {**os.environ, "PATH": f"{self.clone / 'tools'}:{os.environ['PATH']}"}

    def script(self, path, text):
        (self.clone / path).write_text(text)
        (self.clone / path).chmod(0o755)

    def backdate(self):
        past = time.time() - 100
        for path in [self.clone, *self.clone.rglob("*")]:
            os.utime(path, (past, past))

    def command(self, *arguments, clone=None):
        return [str((clone or self.clone) / "sinew"), *arguments]

    def run_sinew(self, *arguments, **options):
        return subprocess.run(self.command(*arguments, **options), env=self.environment, capture_output=True, text=True)

    def builds(self):
        count = self.clone / "build/count"
        return len(count.read_text().split()) if count.exists() else 0

    def test_builds_once_and_passes_arguments_output_and_exit_code(self):
        first = self.run_sinew("run", "a b", "--set", "x=[1, 2]")
        self.assertEqual((first.stdout, first.returncode), ("run|a b|--set|x=[1, 2]|", 7), first.stderr)
        self.assertIn("building sinew (first time", first.stderr)
        second = self.run_sinew("run")
        self.assertEqual((second.stdout, second.stderr, second.returncode), ("run|", "", 7))
        self.assertEqual(self.builds(), 1)

    def test_a_changed_a_new_and_a_deleted_source_each_build_again(self):
        self.run_sinew()
        self.script("src/cli/main.cpp", PROGRAM.replace("7", "8"))
        self.assertEqual(self.run_sinew().returncode, 8)
        (self.clone / "src/cli/new.cpp").touch()
        self.run_sinew()
        (self.clone / "src/cli/new.cpp").unlink()
        self.run_sinew()
        self.assertEqual(self.builds(), 4)

    def test_a_failed_build_shows_the_log_on_stderr_and_is_tried_again(self):
        self.script("src/cli/main.cpp", "SYNTAX\n")
        for attempt in (1, 2):
            result = self.run_sinew()
            self.assertEqual((result.stdout, result.returncode, self.builds()), ("", 4, attempt))
            self.assertIn("main.cpp:1: error: bad syntax", result.stderr)
            self.assertIn("error: build: ", result.stderr)

    def test_two_at_once_build_once(self):
        both = [subprocess.Popen(self.command("x"), env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                for _ in range(2)]
        self.assertEqual([process.communicate()[0] for process in both], [b"x|", b"x|"])
        self.assertEqual(self.builds(), 1)

    def test_a_symbolic_link_and_another_working_folder_reach_the_same_build(self):
        self.run_sinew()
        link = self.clone.parent / "link"
        link.symlink_to(self.clone / "sinew")
        for command in ([str(link), "x"], ["./link", "x"], ["a clone/../a clone/sinew", "x"]):
            result = subprocess.run(command, env=self.environment, capture_output=True, text=True, cwd=self.clone.parent)
            self.assertEqual((result.stdout, result.stderr), ("x|", ""))
        self.assertEqual(self.builds(), 1)

    def test_a_copied_clone_builds_for_its_own_place(self):
        self.run_sinew()
        copy = self.clone.parent / "copy"
        shutil.copytree(self.clone, copy)
        result = self.run_sinew("x", clone=copy)
        self.assertIn("building sinew", result.stderr)
        self.assertEqual(result.stdout, "x|")

    def test_a_missing_package_stops_with_the_code_of_setup(self):
        self.script("scripts/setup", "#!/bin/bash\nexit 4\n")
        self.assertEqual(self.run_sinew().returncode, 4)
        self.assertEqual(self.builds(), 0)


if __name__ == "__main__":
    unittest.main()
