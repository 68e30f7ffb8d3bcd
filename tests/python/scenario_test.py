"""Scenarios as Python sees them: keys, values, errors, files; runs equal to those of the command line."""

import copy
import json
import math
import os
import pydoc
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np

import sinew


class Keys(unittest.TestCase):
    def test_values_have_the_units_of_their_names(self):
        s = sinew.load("sidewinding")
        s["gait.Ah_deg"] = 40
        self.assertEqual(s["gait.Ah_deg"], 40.0)
        self.assertAlmostEqual(s["gait.Ah"], math.radians(40), places=15)
        self.assertEqual(s.info("gait.Ah")["unit"], "rad")

    def test_a_last_part_that_is_unique_is_enough(self):
        s = sinew.load("sidewinding", mu_long=0.125)
        self.assertEqual(s["mu_long"], 0.125)
        self.assertEqual(s["contact.mu_long"], 0.125)
        self.assertIn("mu_long", s)
        self.assertNotIn("mu_lung", s)

    def test_tables_are_attributes_that_say_what_their_keys_mean(self):
        s = sinew.load("sidewinding")
        s.gait.Ah_deg = 40
        self.assertEqual(s["gait.Ah_deg"], 40.0)
        self.assertEqual(s.gait.Ah, s["gait.Ah"])
        s.duration = 2
        self.assertEqual(s.duration, 2.0)
        self.assertIn("Ah", dir(s.gait))
        self.assertIn("gait", dir(s))
        said = pydoc.plain(pydoc.render_doc(s.contact))
        for key in s.keys():
            if key.startswith("contact.") and "." not in key[8:]:
                self.assertIn(s.info(key)["doc"], " ".join(said.replace("|", " ").split()), key)
        self.assertIn("[m/s^2]", type(s.gravity).g.__doc__)
        self.assertIn("now [0.0, 0.0, -9.81]", type(s.gravity).g.__doc__)
        self.assertEqual(sinew.load("pendulum").body.bob.mass, 1.0)
        with self.assertRaisesRegex(sinew.ScenarioError, "did you mean gait.Ah"):
            s.gait.Ahh = 1.0
        with self.assertRaisesRegex(AttributeError, "gait.Ahh"):
            s.gait.Ahh
        self.assertFalse(hasattr(s, "gate"))
        self.assertEqual(copy.deepcopy(s).duration, 2.0)

    def test_values_of_all_types_come_back(self):
        s = sinew.load("pendulum")
        s["output.at"] = np.array([0.5, 1.0])
        s["integrator.method"] = "rk4"
        s["output.result.speed"] = "body.bob.v"
        self.assertEqual(s["output.at"], [0.5, 1.0])
        self.assertEqual(s["integrator.method"], "rk4")
        self.assertEqual(len(sinew.run(s, until=1.0)["result"]["speed"]), 3)

    def test_all_keys_can_be_read(self):
        for name in ("sidewinding", "pendulum", "quadruped/trot", "continuum/worm"):
            s = sinew.load(name)
            for key in s:
                s[key]
            self.assertEqual(len(s), len(s.keys()))

    def test_a_copy_is_another_one(self):
        s = sinew.load("pendulum")
        c = s.copy()
        c["body.bob.mass"] = 3.0
        self.assertNotEqual(s["body.bob.mass"], 3.0)

    def test_what_is_saved_is_the_same_scenario(self):
        with tempfile.TemporaryDirectory() as folder:
            s = sinew.load("pendulum", mass=2.5)
            s.save(Path(folder) / "mine.toml")
            self.assertEqual(sinew.run(Path(folder) / "mine.toml", until=1)["hash"], sinew.run(s, until=1)["hash"])
        with self.assertRaisesRegex(sinew.SinewError, "cannot be written"):
            s.save("/nowhere/mine.toml")

    def test_several_keys_are_checked_together(self):
        s = sinew.load("pendulum")
        s.update({"integrator.step": 0.01}, duration=1.0)
        self.assertEqual(sinew.run(s)["time"], {"end": 1.0, "step": 0.01, "steps": 100})


class Errors(unittest.TestCase):
    def test_an_unknown_key_names_the_nearest(self):
        s = sinew.load("sidewinding")
        with self.assertRaises(sinew.ScenarioError) as caught:
            s["gait.Ahh"] = 3
        self.assertEqual(caught.exception.key, "gait.Ahh")
        self.assertIn("did you mean gait.Ah", caught.exception.fix)
        with self.assertRaises(sinew.ScenarioError):
            s["gait.Ahh"]

    def test_a_value_that_is_not_allowed_changes_nothing(self):
        s = sinew.load("sidewinding", mu_long=0.1)
        with self.assertRaises(sinew.ScenarioError) as caught:
            s["mu_long"] = -1
        self.assertEqual((caught.exception.key, caught.exception.fix), ("mu_long", "it must be >= 0"))
        self.assertEqual(s["mu_long"], 0.1)
        for wrong in (None, object(), {"a": 1}):
            with self.assertRaisesRegex(sinew.ScenarioError, "mu_long"):
                s["mu_long"] = wrong

    def test_a_file_with_faults_names_every_one_with_its_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bad.toml"
            file.write_text('duration = "x"\n[gravtiy]\ng = 3\n')
            with self.assertRaises(sinew.ScenarioError) as caught:
                sinew.load(file)
        e = caught.exception
        self.assertEqual((e.file, e.line, e.key), (str(file), 1, "duration"))
        self.assertEqual(len(e.problems), 2)
        self.assertIn(":2: unknown key gravtiy", e.problems[1])
        self.assertIsInstance(e, sinew.SinewError)

    def test_the_key_of_an_error_is_a_key(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "bad.toml"
            file.write_text("duration = 1\n[body.a]\nmas = 1.0\n")
            cases = ((lambda: sinew.load(file), "body.a.mas", 3), (lambda: sinew.load("sidewindin"), None, None),
                     (lambda: sinew.World("pendulum").restore(file), None, None), (lambda: sinew.run("pendulum", until=-1), "until", None),
                     (lambda: sinew.build({"body": {"a": {"mass": None}}}), "body.a.mass", None),
                     (lambda: sinew.optimize("pendulum", {"body.bob.mass": (2, 1)}, maximize="x"), "body.bob.mass", None))
            for call, key, line in cases:
                with self.assertRaises(sinew.ScenarioError) as caught:
                    call()
                self.assertEqual((caught.exception.key, caught.exception.line), (key, line), str(caught.exception))
        with self.assertRaises(sinew.ScenarioError) as caught:
            sinew.load("sidewinding", mu_long="a")
        self.assertRegex(caught.exception.fix, "^it needs a number")

    def test_arguments_of_a_wrong_kind_are_told_in_our_words(self):
        w, b = sinew.World("pendulum"), sinew.Batch("pendulum", 2)
        for call, words in ((lambda: sinew.World(3), "load: 3 is no scenario"), (lambda: sinew.World("pendulum", robot=-1), "robot: -1"),
                            (lambda: w.step("a"), "step: 'a'"), (lambda: w.step(1.5), "step: 1.5"), (lambda: b.step("a"), "step: 'a'"),
                            (lambda: w.set("joint.pivot.damping", "x"), "joint.pivot.damping: 'x'"),
                            (lambda: w.command.__setitem__("joint.pivot", "a"), "joint.pivot: 'a' is no command"),
                            (lambda: b.set("mass", "a"), "mass: 'a'"), (lambda: sinew.Batch("pendulum", "a"), "robots: 'a'"),
                            (lambda: sinew.Batch("pendulum", 2, threads="a"), "threads: 'a'"),
                            (lambda: sinew.run("pendulum", until="a"), "until: 'a'"),
                            (lambda: sinew.rollout("pendulum", 2, "a"), "steps: 'a'")):
            with self.assertRaisesRegex(sinew.ScenarioError, words):
                call()

    def test_what_is_not_there_is_told(self):
        with self.assertRaisesRegex(sinew.ScenarioError, "unknown scenario"):
            sinew.load("nope")
        for seed in (-1, 1.5, "x"):
            with self.assertRaisesRegex(sinew.ScenarioError, "seed"):
                sinew.run("pendulum", seed=seed)
        with self.assertRaisesRegex(sinew.ScenarioError, "until"):
            sinew.run("pendulum", until=-1)
        with self.assertRaisesRegex(sinew.ScenarioError, "on_uncertified"):
            sinew.run("pendulum", on_uncertified="maybe")

    def test_a_run_that_fails_raises_and_keeps_what_was_computed(self):
        s = sinew.load("pendulum", method="rk4", step=0.05)
        s["joint.pivot.damping"] = 1e6
        with self.assertRaises(sinew.SinewError) as caught:
            sinew.run(s)
        self.assertIn("time", caught.exception.result)
        self.assertIn("damping of joint pivot", str(caught.exception))


class Built(unittest.TestCase):
    def test_a_robot_built_in_python_swings_as_one_of_a_file(self):
        tables = {
            "duration": 0.5,
            "body": {"bob": {"mass": 2.0, "shape": {"ball": {"kind": "sphere", "radius": 0.1}}}},
            "joint": {"pivot": {"child": "bob", "axis": [0, 1, 0], "p_child": [0, 0, 0.75], "position": [0.3]}},
        }
        built = sinew.build(tables)
        with tempfile.TemporaryDirectory() as folder:
            built.save(Path(folder) / "p.toml")
            self.assertEqual(sinew.run(Path(folder) / "p.toml")["hash"], sinew.run(built)["hash"])
        w = sinew.World(built)
        w.step(100)
        self.assertNotEqual(w.q[0], 0.3)

    def test_what_is_wrong_with_it_is_told(self):
        with self.assertRaisesRegex(sinew.ScenarioError, "nobody"):
            sinew.build({"body": {"a": {"mass": 1.0}}, "joint": {"j": {"child": "nobody"}}})


class Run(unittest.TestCase):
    def test_the_dictionary_is_that_of_the_command_line(self):
        program = [os.environ["SINEW"], "run", "pendulum", "--set", "mass=2", "--until", "2", "--seed", "3"]
        printed = subprocess.run([*program, "--no-record", "--json", "--quiet"], capture_output=True, text=True, check=True).stdout
        want, got = json.loads(printed), sinew.run(sinew.load("pendulum", mass=2), until=2, seed=3)
        for clock in ("wall_s", "real_time_factor"):
            want.pop(clock)
            got.pop(clock)
        self.assertEqual(got, want)

    def test_the_names_are_those_of_the_command_line(self):
        printed = subprocess.run([os.environ["SINEW"], "list", "--json"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(sinew.scenarios(), [entry["name"] for entry in json.loads(printed)])


if __name__ == "__main__":
    unittest.main()
