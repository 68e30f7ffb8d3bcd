"""Completion in bash knows what the program knows."""

import os
import re
import shlex
import subprocess
import unittest
from pathlib import Path

from program import PATIENCE, PENDULUM, ROOT, SINEW, Case

SCRIPT = ROOT / "completions/sinew.bash"


def options_of(text):
    """All names of options in a help text."""
    found = re.findall(r"^  (-\S+)", text.partition("\nExamples:")[0], re.M)
    return sorted(name for names in found for name in names.split(","))


def commands_of(text):
    return re.findall(r"^  (\w+)", re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.M).group(1), re.M)


class Completion(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "bin").mkdir()
        (self.folder / "bin/sinew").symlink_to(Path(SINEW).resolve())

    def complete(self, line):
        """What bash would offer at the end of the line."""
        words = re.findall(r"[^\s=:]+|[=:]+", line) + ([""] if line[-1].isspace() else [])  # as bash splits them
        script = f"""source {shlex.quote(str(SCRIPT))}
            COMP_LINE={shlex.quote(line)} COMP_POINT={len(line)} COMP_CWORD={len(words) - 1}
            COMP_WORDS=({shlex.join(words)})
            complete -p sinew >/dev/null && _sinew
            ((${{#COMPREPLY[@]}})) && printf '%s\\n' "${{COMPREPLY[@]}}"; true"""
        environment = {**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "--norc", "-c", script], capture_output=True, text=True, timeout=PATIENCE,
                              cwd=self.folder, env=environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""), line)
        return done.stdout.splitlines()

    def test_commands_and_options_are_those_of_the_help(self):
        text = self.succeeds("--help")
        self.assertEqual(self.complete("sinew "), commands_of(text))
        self.assertEqual(sorted(self.complete("sinew -")), options_of(text))
        for command in commands_of(text):
            with self.subTest(command):
                self.assertEqual(sorted(self.complete(f"sinew {command} -")), options_of(self.succeeds(command, "--help")))
                self.assertIn(command, self.complete(f"sinew {command[:2]}"))

    def test_scenarios_by_full_name_last_part_and_file(self):
        self.file(PENDULUM, "mine.toml")
        self.file("", "notes.txt")
        for command in ("run", "show", "check"):
            offered = self.complete(f"sinew {command} ")
            for name in ("basics/pendulum", "pendulum", "mine.toml"):
                self.assertIn(name, offered)
            self.assertNotIn("notes.txt", offered)
        self.assertEqual(self.complete("sinew run slid"), ["slider-crank"])
        self.assertEqual(self.complete("sinew run basics/slid"), ["basics/slider-crank"])
        self.assertEqual(self.complete("sinew run --json --until 3 slid"), ["slider-crank"])

    def test_files_of_the_kind_that_an_option_takes(self):
        for name in ("run.h5", "run.txt"):
            self.file("", name)
        self.assertEqual(self.complete("sinew replay r"), ["run.h5"])
        self.assertEqual(self.complete("sinew run pendulum --out r"), ["run.h5"])
        self.assertEqual(sorted(self.complete("sinew run pendulum --resume r")), ["run.h5", "run.txt"])
        self.file("", "mine.toml")
        self.assertEqual(self.complete("sinew upgrade "), ["mine.toml", "bin/"])  # no name of a built-in scenario

    def test_the_view_takes_scenarios_and_recordings(self):
        self.file(PENDULUM, "mine.toml")
        self.file("", "run.h5")
        offered = self.complete("sinew view ")
        for name in ("basics/pendulum", "pendulum", "mine.toml", "run.h5"):
            self.assertIn(name, offered)
        self.assertEqual(self.complete("sinew view run.h5 --port "), [])
        self.assertIn("body.bob.mass=", self.complete("sinew view pendulum --set body.bob.m"))
        self.assertEqual(self.complete("sinew export run.h5 --html r"), [])
        self.file("", "run.html")
        self.assertEqual(self.complete("sinew export run.h5 --html r"), ["run.html"])

    def test_signals_of_the_recording_on_the_line(self):
        self.succeeds("run", "pendulum", "--until", 0.1, "--out", self.folder / "run.h5", "--quiet")
        self.assertEqual(self.complete("sinew export run.h5 --signals joint.pivot.q"), ["joint.pivot.q"])
        self.assertEqual(self.complete("sinew plot run.h5 --signals t,body.bob.p."),
                         ["t,body.bob.p.x", "t,body.bob.p.y", "t,body.bob.p.z"])
        self.assertEqual(self.complete("sinew export none.h5 --signals "), [])

    def test_keys_of_the_scenario_on_the_line(self):
        keys = self.complete("sinew run pendulum --set ")
        for key in ("body.bob.mass=", "mass=", "integrator.step=", "step=", "duration="):
            self.assertIn(key, keys)
        self.assertNotIn("kind=", keys)  # several keys end so
        self.assertNotIn("links=", keys)
        self.assertIn("links=", self.complete("sinew run spring-chain --set "))
        self.assertIn("body.bob.mass=", self.complete("sinew show pendulum --set mass=2 --set body.bob.m"))
        self.assertIn("robot.coordinates=", self.complete("sinew run pendulum --set=robot.c"))
        self.assertEqual(self.complete("sinew run --set "), [])

    def test_values_of_keys(self):
        self.assertEqual(self.complete("sinew run pendulum --set method="), ["moreau", "verlet", "rk4", "euler", "rk45"])
        self.assertEqual(self.complete("sinew run pendulum --set integrator.method=r"), ["rk4", "rk45"])
        self.assertEqual(self.complete("sinew run stack --set between_bodies="), ["true", "false"])
        self.assertEqual(self.complete("sinew run pendulum --set body.bob.mass="), ["1.0"])
        self.assertEqual(self.complete("sinew run pendulum --set output.result.x=joint.pivot.u"), ["joint.pivot.u"])

    def test_options_that_take_a_number_offer_nothing(self):
        self.assertEqual(self.complete("sinew run pendulum --until "), [])
        self.assertEqual(self.complete("sinew run pendulum "), [])

    def test_the_script_of_a_clone_is_not_started(self):
        clone = self.folder / "clone"
        clone.mkdir()
        script = clone / "sinew"
        script.write_text(f"#!/bin/sh\ntouch {self.folder}/started\n")
        script.chmod(0o755)
        self.assertEqual(self.complete("clone/sinew "), [])
        (clone / "build/release").mkdir(parents=True)
        (clone / "build/release/sinew").symlink_to(Path(SINEW).resolve())
        self.assertIn("run", self.complete("clone/sinew "))
        self.assertFalse((self.folder / "started").exists())

    def test_a_broken_scenario_or_program_is_silent(self):
        self.file("nonsense", "bad.toml")
        self.assertEqual(self.complete("sinew run bad.toml --set "), [])
        self.assertEqual(self.complete("sinew nonsense --"), [])
        self.assertEqual(self.complete("./missing/sinew "), [])


if __name__ == "__main__":
    unittest.main()
