"""The commands, their output and their exit codes."""

import json
import os
import subprocess
import tomllib
import unittest

from program import PENDULUM, SINEW, Case, sinew


class Help(Case):
    def test_no_arguments_print_help(self):
        text = self.succeeds()
        for word in ("list", "show", "run", "check", "Examples:", "sinew run pendulum"):
            self.assertIn(word, text)
        self.assertEqual(text, self.succeeds("--help"))

    def test_each_command_explains_itself(self):
        for command in ("list", "show", "run", "check"):
            self.assertIn(f"Usage: sinew {command}", self.succeeds(command, "--help"))

    def test_version(self):
        self.assertRegex(self.succeeds("--version"), r"^sinew \d+\.\d+\.\d+\n$")

    def test_unknown_command_names_the_nearest(self):
        self.assertIn("did you mean run?", self.fails(2, "rnu", "pendulum"))

    def test_unknown_option(self):
        self.assertIn("--jsn", self.fails(2, "run", "pendulum", "--jsn"))

    def test_missing_scenario(self):
        self.fails(2, "run")
        self.fails(2, "show")
        self.fails(2, "check")


class List(Case):
    def test_names_and_titles(self):
        text = self.succeeds("list")
        self.assertRegex(text, r"(?m)^basics/pendulum +\S")
        self.assertNotIn("\x1b", text)

    def test_json(self):
        entries = {entry["name"]: entry for entry in json.loads(self.succeeds("list", "--json"))}
        self.assertEqual(entries["basics/pendulum"]["result"], ["x", "y", "angle"])
        for entry in entries.values():
            self.assertTrue(entry["title"], entry)
            self.assertIn("source", entry)

    def test_broken_scenario_does_not_hide_the_others(self):
        self.file("nonsense", "bad.toml")
        self.file(PENDULUM, "good.toml")
        text = self.succeeds("list", env={**os.environ, "SINEW_SCENARIOS": str(self.folder)})
        self.assertIn("has errors", text)
        self.assertRegex(text, r"(?m)^good +test")

    def test_missing_folder(self):
        self.fails(4, "list", env={**os.environ, "SINEW_SCENARIOS": str(self.folder / "none")})

    def test_every_built_in_scenario_is_right(self):
        seen = set()
        for entry in json.loads(self.succeeds("list", "--json")):
            with self.subTest(entry["name"]):
                # sinew validate does what check does before it runs a case, in the entries validate/FOLDER of ctest: here one
                # of each folder is enough
                folder = entry["name"].split("/")[0]
                if folder not in seen:
                    self.assertEqual(self.succeeds("check", entry["name"]), "ok\n")
                seen.add(folder)
                tomllib.loads(self.succeeds("show", entry["name"]))  # no table twice
        self.assertGreater(len(seen), 5)


class Names(Case):
    def test_full_name_last_part_and_path(self):
        path = self.file(PENDULUM)
        self.assertEqual(self.run_json("basics/pendulum", "--until", 0.1)["scenario"], "basics/pendulum")
        self.assertEqual(self.run_json("pendulum", "--until", 0.1)["scenario"], "basics/pendulum")
        self.assertEqual(self.run_json(path)["scenario"], str(path))

    def test_unknown_name_names_the_nearest(self):
        self.assertIn("did you mean basics/pendulum?", self.fails(2, "run", "pendlum"))

    def test_ambiguous_name_lists_all(self):
        for folder in ("a", "b"):
            (self.folder / folder).mkdir()
            self.file(PENDULUM, f"{folder}/same.toml")
        message = self.fails(2, "run", "same", env={**os.environ, "SINEW_SCENARIOS": str(self.folder)})
        self.assertIn("a/same, b/same", message)

    def test_file_errors(self):
        self.fails(4, "run", self.folder / "missing.toml")
        self.fails(4, "run", self.folder)
        (self.folder / "dir.toml").mkdir()
        self.fails(4, "check", self.folder / "dir.toml")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_unreadable_file(self):
        path = self.file(PENDULUM)
        path.chmod(0)
        self.fails(4, "run", path)


class Show(Case):
    def test_every_key_has_unit_meaning_and_default(self):
        text = self.succeeds("show", "pendulum")
        self.assertRegex(text, r"(?m)^mass = 1\.0 +# \[kg\] .+; live; default 1\.0$")
        self.assertRegex(text, r"(?m)^step = 0\.001 +# \[s\] time step; default 0\.001$")  # not while it runs
        self.assertRegex(text, r"(?m)^g = \[0\.0, -9\.81, 0\.0\] +# \[m/s\^2\] .+; default \[0\.0, 0\.0, -9\.81\]$")

    def test_what_is_shown_runs_to_the_same_hash(self):
        for name in ("pendulum", "double-pendulum", "spinning-top", "torque-free-body", "four-bar", "slider-crank",
                     "spring-chain"):
            with self.subTest(name):
                path = self.file(self.succeeds("show", name))
                original = self.run_json(name, "--until", 0.5)
                again = self.run_json(path, "--until", 0.5)
                self.assertEqual(original["hash"], again["hash"])
                self.assertEqual(original["result"], again["result"])
                self.assertEqual(self.succeeds("check", path), "ok\n")

    def test_shown_twice_is_the_same(self):
        first = self.succeeds("show", self.file(PENDULUM))
        second = self.succeeds("show", self.file(first))
        self.assertEqual(first, second)

    def test_odd_values_survive(self):
        odd = PENDULUM.replace('"test"', r'"a \"quoted\" \\ line\nand ä"').replace("1.0\n\n[joint", "0.1\n\n[joint")
        odd = odd.replace('child = "bob"', 'child = "bob"\norientation = [0.6, 0.0, 0.8000001, 0.0]\nposition_deg = 33.3')
        path = self.file(odd)
        shown = self.file(self.succeeds("show", path), "shown.toml")
        self.assertEqual(self.run_json(path)["hash"], self.run_json(shown)["hash"])
        self.assertEqual(self.succeeds("show", path).partition("\n")[2], self.succeeds("show", shown).partition("\n")[2])

    def test_signals(self):
        text = self.succeeds("show", "pendulum", "--signals")
        for signal in ("t", "body.bob.p.x", "body.bob.quat.w", "joint.pivot.q", "energy.kinetic", "momentum.angular.z",
                       "loops.gap"):
            self.assertRegex(text, rf"(?m)^{signal} +\S")


class Output(Case):
    def test_full_device_is_a_file_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([SINEW, "list"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 4)
        self.assertTrue(done.stderr.startswith("error: standard output: "))

    def test_reader_that_went_away_is_a_file_error(self):
        read, write = os.pipe()
        os.close(read)
        done = subprocess.run([SINEW, "list"], stdout=write, stderr=subprocess.PIPE, text=True)
        os.close(write)
        self.assertEqual(done.returncode, 4)

    def test_check_says_ok(self):
        self.assertEqual(self.succeeds("check", self.file(PENDULUM)), "ok\n")

    def test_works_from_any_folder(self):
        self.assertEqual(sinew("check", "pendulum", cwd="/").returncode, 0)


if __name__ == "__main__":
    unittest.main()
