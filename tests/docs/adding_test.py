#!/usr/bin/env python3
"""The pages of docs/adding/ are true: what they add is added to a copy of the tree, built, and run.

Each page holds complete files ("File PATH:" above a block), edits ("In PATH:" above blocks in diff form, whose context must
occur exactly once), a scenario ("Scenario NAME:") and a table of its results. All pages are applied to one copy, so that it is
built once; then the contract tests run over the longer lists, and each scenario must give the numbers of its table.
Environment: CMAKE (the program), ADDING_WORK (a folder to keep the copy and its build in, so that a second run is quick;
default: a temporary one), JOBS (default 2).
"""

import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / f"docs/adding/{name}.md" for name in ("gait", "joint", "law", "robot", "stepper")]
CMAKE = os.environ.get("CMAKE", "cmake")
JOBS = os.environ.get("JOBS", "2")


class Page:
    """What a page says: files {path: text}, edits [(path, diff lines)], scenario (name, text), results [rows]."""

    def __init__(self, text):
        self.files, self.edits, self.scenario, self.results = {}, [], None, []
        label, block, language = None, None, None
        for line in text.splitlines():
            if line.startswith("```"):
                if block is None:
                    block, language = [], line[3:].strip()
                    continue
                self._take(label, language, block)
                block = None
            elif block is not None:
                block.append(line)
            elif match := re.fullmatch(r"(File|In|Scenario) (\S+):", line):
                label = match.groups()
            elif line.startswith("| `"):
                cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
                self.results.append((cells[0], float(cells[1]), float(cells[2]), *(cells[3:] or [""])))

    def _take(self, label, language, block):
        kind, name = label
        if (kind, language) == ("File", "cpp"):
            self.files[name] = "\n".join(block) + "\n"
        elif (kind, language) == ("In", "diff"):
            self.edits.append((name, block))
        elif (kind, language) == ("Scenario", "toml"):
            self.scenario = (name, "\n".join(block) + "\n")
        else:
            raise ValueError(f"a block of {language} below '{kind} {name}:' means nothing here")


def edited(text, diff):
    """The text with the lines of a diff: ' ' context and '-' must be there, once, in this order; '+' is new."""
    before = [line[1:] for line in diff if line[:1] in (" ", "-")]
    after = [line[1:] for line in diff if line[:1] in (" ", "+")]
    if any(line[:1] not in (" ", "+", "-") for line in diff) or not before:
        raise ValueError("a diff has lines that begin with a blank, + or -, and some context")
    lines = text.splitlines()
    places = [i for i in range(len(lines)) if lines[i:i + len(before)] == before]
    if len(places) != 1:
        raise ValueError(f"found {len(places)} times, not once:\n" + "\n".join(before))
    lines[places[0]:places[0] + len(before)] = after
    return "\n".join(lines) + "\n"


def tree():
    """{path: bytes} of the files of this tree."""
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
                            capture_output=True)
    if listed.returncode == 0:
        paths = [ROOT / name for name in listed.stdout.decode().split("\0") if name]
    else:  # no repository: a release unpacked
        paths = [path for path in ROOT.rglob("*") if "build" not in path.relative_to(ROOT).parts[:1]]
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths if path.is_file()}


def write(folder, files):
    """Makes the folder hold these files and no others; files that are right already keep their times."""
    for path in folder.rglob("*"):
        name = path.relative_to(folder)
        if path.is_file() and name.parts[0] != "build" and name.as_posix() not in files:
            path.unlink()
    for name, content in files.items():
        path = folder / name
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        shutil.copymode(ROOT / name if (ROOT / name).exists() else __file__, path)


class Edits(unittest.TestCase):
    def test_stale_context_is_noticed(self):
        self.assertEqual(edited("a\nb\nc\n", [" b", "+x"]), "a\nb\nx\nc\n")
        self.assertEqual(edited("a\nb\n", ["-a", "+x"]), "x\nb\n")
        for text, diff in (("a\nb\n", [" c", "+x"]), ("a\na\n", [" a", "+x"]), ("ab\n", ["-a", "+x"]), ("a\n", ["+x"])):
            with self.assertRaises(ValueError):
                edited(text, diff)


class Adding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        work = os.environ.get("ADDING_WORK")
        if not work:
            temporary = tempfile.TemporaryDirectory()
            cls.addClassCleanup(temporary.cleanup)
            work = temporary.name
        # where a clone has its build too: seen from there the paths are the same, so that the compiler cache knows what is unchanged
        cls.source, cls.build = Path(work) / "tree", Path(work) / "tree/build/release"
        cls.source.mkdir(parents=True, exist_ok=True)
        cls.pages = {page.stem: Page(page.read_text()) for page in PAGES}
        files = tree()
        for name, page in cls.pages.items():
            for path, text in page.files.items():
                assert path not in files, f"docs/adding/{name}.md: {path} exists already: the page needs another example"
                files[path] = text.encode()
            for path, diff in page.edits:
                try:
                    files[path] = edited(files[path].decode(), diff).encode()
                except (ValueError, KeyError) as error:
                    raise AssertionError(f"docs/adding/{name}.md: the edit of {path} is out of date: {error}") from None
        write(cls.source, files)
        preset = "ci" if os.environ.get("CI") == "true" else "release"  # the flags of the build beside it
        cls.run_or_fail([CMAKE, "--preset", preset, "-DSINEW_TESTS=ON"])
        cls.run_or_fail([CMAKE, "--build", cls.build, "-j", JOBS, "--target", "sinew_cli", "sinew_contract_tests"])

    @classmethod
    def run_or_fail(cls, command):
        cache = {"CCACHE_DIR": os.environ.get("CCACHE_DIR", str(ROOT / "build/.ccache")), "CCACHE_NOHASHDIR": "1",
                 "CCACHE_BASEDIR": str(cls.source.resolve())}
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=cls.source,
                              env={**os.environ, **cache})
        if done.returncode:
            raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}")
        return done.stdout

    def test_each_page_adds_something_and_says_what_it_gives(self):
        for name, page in self.pages.items():
            self.assertTrue(page.files and page.edits and page.scenario and page.results, name)

    def test_what_the_pages_add_keeps_the_contracts(self):
        tests = self.run_or_fail([self.build / "sinew_contract_tests", "--gtest_brief=1"])
        self.assertIn("PASSED", tests)
        listed = self.run_or_fail([self.build / "sinew_contract_tests", "--gtest_list_tests"])
        for added in ("pin_slot", "ratchet", "peristalsis"):
            self.assertIn(f"/{added}", listed)

    def test_the_tree_with_them_follows_the_dependency_law(self):
        self.run_or_fail([sys.executable, self.source / "scripts/check_includes.py", self.source])

    def test_the_scenarios_give_the_numbers_of_the_pages(self):
        for page_name, page in self.pages.items():
            name, text = page.scenario
            path = self.build / name
            path.write_text(text)
            for key, value, tolerance, options in page.results:
                with self.subTest(page=page_name, result=key, options=options):
                    out = json.loads(self.run_or_fail([self.build / "sinew", "run", path, "--json", "--no-record",
                                                       *options.split()]))
                    got = out["result"][key]
                    self.assertTrue(math.isfinite(got) and abs(got - value) <= tolerance, f"{got}, not {value}")


if __name__ == "__main__":
    unittest.main()
