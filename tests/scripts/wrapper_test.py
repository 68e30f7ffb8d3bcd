"""./sinew builds when it must, never otherwise, and stays out of the way. The compiler here is a stand-in."""

import os
import platform
import shutil
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

# Stands for cmake: counts its builds, and "compiles" src/cli/main.cpp, a shell script, by copying it.
CMAKE = """#!/bin/bash
if [[ $1 == --preset ]]; then mkdir -p build/release; echo "${@:3}" > build/release/options; exit 0; fi
echo build >> "$2/../count"
sleep 0.3
grep -q SYNTAX "$2/../../src/cli/main.cpp" && { echo "main.cpp:1: error: bad syntax"; exit 1; }
for program in ${*#*--target}; do
  [[ $program == sinew_cli ]] && cp "$2/../../src/cli/main.cpp" "$2/sinew"
  [[ $program == sinew_view_program ]] && cp "$2/../../src/cli/main.cpp" "$2/sinew-view"
done
echo "[2/2] Linking sinew"
"""
PROGRAM = '#!/bin/bash\nprintf "%s|" "$@"\nexit 7\n'


class Wrapper(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clone = Path(folder.name) / "a clone"
        for path in ("scripts", "src/cli", "cmake", "tools"):
            (self.clone / path).mkdir(parents=True)
        for path in ("sinew", "scripts/build.sh", "scripts/progress.sh", "scripts/processor", "CMakeLists.txt", "CMakePresets.json"):
            shutil.copy(ROOT / path, self.clone / path)
        self.script("scripts/setup", '#!/bin/bash\necho "$1" >> "${0%/*}/purposes"\n')
        self.script("scripts/build_viewer", '#!/bin/bash\necho page >> "${0%/*}/pages"\n')
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

    def asked(self):
        """What was asked of scripts/setup and scripts/build_viewer since the last time."""
        words = []
        for path in (self.clone / "scripts/purposes", self.clone / "scripts/pages"):
            words += path.read_text().split() if path.exists() else []
            path.unlink(missing_ok=True)
        return words

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

    def test_the_page_and_the_server_are_made_for_the_commands_that_show_it_and_no_other(self):
        self.run_sinew("list")
        self.assertEqual(self.asked(), ["run"])
        for words in (["run", "x"], ["view", "--help"], ["export", "r.h5", "--csv", "-"], ["run", "--set", "a=--live"], []):
            self.run_sinew(*words)
            self.assertEqual(self.asked(), [], words)
        self.run_sinew("export", "r.h5", "--html", "r.html")
        self.run_sinew("export", "r.h5", "--html=r.html")
        self.assertEqual((self.asked(), self.builds()), (["page", "page"], 1))
        self.assertFalse((self.clone / "build/release/sinew-view").exists())
        first = self.run_sinew("view", "x", "--no-open")
        self.assertEqual((first.stdout, first.returncode), ("view|x|--no-open|", 7))
        self.assertIn("building sinew and the server of its web view (first time)", first.stderr)
        self.assertEqual((self.asked(), self.builds()), (["run", "view", "page"], 2))
        for words in (["view"], ["run", "x", "--live"]):
            result = self.run_sinew(*words)
            self.assertEqual((result.stdout, result.stderr), ("".join(word + "|" for word in words), ""))
            self.assertEqual((self.asked(), self.builds()), (["page"], 2), words)

    def test_the_server_is_built_again_after_a_change_when_it_is_next_needed(self):
        self.run_sinew("view")
        self.script("src/cli/main.cpp", PROGRAM.replace("7", "8"))
        self.run_sinew("run")
        server = self.clone / "build/release/sinew-view"
        self.assertNotIn("exit 8", server.read_text())
        self.run_sinew("view")
        self.assertIn("exit 8", server.read_text())
        self.assertEqual(self.builds(), 3)

    def test_gnuplot_is_installed_for_the_commands_that_draw(self):
        path = self.clone / "plain"
        path.mkdir()
        for name in ("bash", "env", "dirname", "find", "flock", "mkdir", "nproc", "touch", "cp", "mv", "rm", "sed", "grep", "sleep", "awk",
                     "cat", "tail", "readlink"):
            (path / name).symlink_to(shutil.which(name))
        self.environment["PATH"] = f"{self.clone / 'tools'}:{path}"
        self.run_sinew("list")
        self.asked()
        for words in (["plot", "r.h5"], ["validate", "--report", "x"], ["validate", "--report=x"]):
            self.assertEqual(self.run_sinew(*words).returncode, 7)
            self.assertEqual(self.asked(), ["plot"], words)
        for words in (["plot", "--help"], ["validate"], ["run", "x"]):
            self.run_sinew(*words)
            self.assertEqual(self.asked(), [], words)
        self.script("tools/gnuplot", "#!/bin/bash\n")
        self.run_sinew("plot", "r.h5")
        self.assertEqual(self.asked(), [])

    def processor(self, level):
        """A machine of that level from now on."""
        v2 = "pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm"
        flags = {"older": "pni", "x86-64-v2": v2, "x86-64-v3": v2 + " avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"}[level]
        (self.clone.parent / "cpuinfo").write_text(f"flags\t\t: fpu {flags} end\n")
        self.environment["SINEW_CPUINFO"] = str(self.clone.parent / "cpuinfo")

    @unittest.skipUnless(platform.machine() == "x86_64", "levels of x86-64")
    def test_on_a_processor_that_is_too_old_nothing_is_installed_or_built(self):
        self.processor("older")
        result = self.run_sinew("run", "x")
        self.assertEqual((result.returncode, result.stdout, self.asked(), self.builds()), (4, "", [], 0))
        self.assertTrue(result.stderr.startswith("error: processor: it is older than x86-64-v2"), result.stderr)
        self.processor("x86-64-v2")
        self.run_sinew()
        self.processor("older")  # the folder of the build is a copy from elsewhere
        self.assertEqual(self.run_sinew().returncode, 4)

    @unittest.skipUnless(platform.machine() == "x86_64", "levels of x86-64")
    def test_a_build_for_a_newer_processor_is_built_again_one_for_an_older_is_not(self):
        self.processor("x86-64-v3")
        self.run_sinew()
        self.processor("x86-64-v2")
        self.assertEqual(self.run_sinew("x").stdout, "x|")
        self.assertEqual(self.builds(), 2)
        self.processor("x86-64-v3")
        self.run_sinew()
        self.assertEqual(self.builds(), 2)

    @unittest.skipUnless(platform.machine() == "x86_64", "levels of x86-64")
    def test_a_processor_that_was_asked_for_on_another_machine_is_not_kept(self):
        self.processor("x86-64-v2")
        (self.clone / "build/release").mkdir(parents=True)
        (self.clone / "build/release/CMakeCache.txt").write_text(
            f"CMAKE_HOME_DIRECTORY:INTERNAL={self.clone.resolve()}\nSINEW_ARCH:STRING=x86-64-v3\n")
        self.run_sinew()
        self.assertIn("-DSINEW_ARCH=\n", (self.clone / "build/release/options").read_text())

    def test_a_page_that_cannot_be_made_stops(self):
        self.script("scripts/build_viewer", "#!/bin/bash\necho 'error: no page' >&2\nexit 4\n")
        result = self.run_sinew("view")
        self.assertEqual((result.stdout, result.returncode), ("", 4))
        self.assertIn("error: no page", result.stderr)

    def test_a_missing_package_stops_with_the_code_of_setup(self):
        self.script("scripts/setup", "#!/bin/bash\nexit 4\n")
        self.assertEqual(self.run_sinew().returncode, 4)
        self.assertEqual(self.builds(), 0)


# Stands for npm: counts what it is asked for, and "builds" the page by copying src/main.ts.
NPM = """#!/bin/bash
echo "$1" >> ../npm
if [[ $1 == ci ]]; then mkdir -p node_modules; touch node_modules/.package-lock.json; exit 0; fi
grep -q SYNTAX src/main.ts && { echo "main.ts:1: error: bad syntax"; exit 1; }
mkdir -p dist
cp src/main.ts dist/index.html
"""


class Page(unittest.TestCase):
    """scripts/build_viewer makes the page when it must, and never otherwise."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.clone = Path(folder.name) / "a clone"
        for path in ("scripts", "viewer/src", "tools"):
            (self.clone / path).mkdir(parents=True)
        shutil.copy(ROOT / "scripts/build_viewer", self.clone / "scripts/build_viewer")
        for path, text in (("scripts/setup", '#!/bin/bash\n[[ $1 == page ]]\n'), ("tools/npm", NPM), ("viewer/src/main.ts", "page"),
                           ("viewer/package.json", "{}"), ("viewer/package-lock.json", "{}"), ("viewer/vite.config.ts", "")):
            (self.clone / path).write_text(text)
            (self.clone / path).chmod(0o755)
        past = time.time() - 100
        for path in self.clone.rglob("*"):
            os.utime(path, (past, past))

    def build(self):
        environment = {**os.environ, "PATH": f"{self.clone / 'tools'}:{os.environ['PATH']}"}
        return subprocess.run([str(self.clone / "scripts/build_viewer")], env=environment, capture_output=True, text=True)

    def asked(self):
        """What npm was asked for since the last time."""
        calls = self.clone / "npm"
        words = calls.read_text().split() if calls.exists() else []
        calls.unlink(missing_ok=True)
        return words

    def test_builds_once_and_says_so_on_stderr(self):
        first = self.build()
        self.assertEqual((first.returncode, first.stdout, first.stderr), (0, "", "building the page of the web view...\n"))
        self.assertEqual((self.clone / "viewer/dist/index.html").read_text(), "page")
        self.assertEqual(self.asked(), ["ci", "run"])
        again = self.build()
        self.assertEqual((again.returncode, again.stdout, again.stderr, self.asked()), (0, "", "", []))

    def test_a_change_builds_again_and_installs_only_for_another_list_of_packages(self):
        self.build()
        self.asked()
        later = time.time() + 100
        changes = (("src/main.ts", ["run"]), ("src/new.ts", ["run"]), ("index.html", ["run"]), ("vite.config.ts", ["run"]),
                   ("package-lock.json", ["ci", "run"]))
        for path, wanted in changes:
            with self.subTest(path):
                (self.clone / "viewer" / path).touch()
                os.utime(self.clone / "viewer" / path, (later, later))
                self.assertEqual((self.build().returncode, self.asked()), (0, wanted))
                past = time.time() - 100
                for file in self.clone.rglob("viewer/**/*"):
                    if "dist" not in file.parts and "node_modules" not in file.parts:
                        os.utime(file, (past, past))

    def test_a_page_that_does_not_compile_shows_why_and_is_tried_again(self):
        (self.clone / "viewer/src/main.ts").write_text("SYNTAX")
        for _ in range(2):
            result = self.build()
            self.assertEqual((result.returncode, result.stdout), (4, ""))
            self.assertIn("main.ts:1: error: bad syntax", result.stderr)
            self.assertIn("error: scripts/build_viewer: ", result.stderr)

    def test_packages_that_cannot_be_installed_are_an_error(self):
        (self.clone / "tools/npm").write_text("#!/bin/bash\necho 'network unreachable'; exit 1\n")
        result = self.build()
        self.assertEqual(result.returncode, 4)
        self.assertIn("network unreachable", result.stderr)
        self.assertIn("check the network", result.stderr)


if __name__ == "__main__":
    unittest.main()
