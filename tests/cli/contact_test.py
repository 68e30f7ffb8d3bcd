"""Things that touch, as a user of the command line meets them."""

import json
import math
import unittest

from program import Case, sinew

SCENARIOS = ("bouncing-ball", "block-on-incline", "rolling-sphere", "rocking-block", "stack", "painleve-rod",
             "table-on-five-legs", "spinning-coin")


class Run(Case):
    def test_friction_and_impacts_are_in_the_energy_account(self):
        ball = self.run_json("bouncing-ball")["energy"]
        self.assertAlmostEqual(ball["dissipated_impact"], 9.81, delta=0.05)
        self.assertEqual(ball["dissipated_friction"], 0.0)
        rolls = self.run_json("rolling-sphere")["energy"]
        self.assertAlmostEqual(rolls["dissipated_friction"], 2.0, delta=1e-9)
        self.assertLess(abs(rolls["balance_error"]), 1e-9)

    def test_solver_is_reported(self):
        solver = self.run_json("stack", "--until", 0.1)["solver"]
        self.assertEqual(solver["unconverged_steps"], 0)
        self.assertGreaterEqual(solver["iterations_mean"], 1.0)
        self.assertLess(solver["residual_max"], 1e-8)

    def test_results_of_the_files(self):
        block = self.run_json("block-on-incline")["result"]
        b = math.radians(25.236826)
        self.assertAlmostEqual(block["x"], 0.0, delta=1e-9)
        self.assertAlmostEqual(block["normal"], 9.81 * math.cos(b), delta=1e-7)
        self.assertAlmostEqual(block["friction"][0], -9.81 * math.sin(b), delta=1e-7)
        self.assertEqual(block["state"], 1.0)
        self.assertEqual(self.run_json("block-on-incline", "--set", "incline_deg=30")["result"]["state"], 2.0)
        stack = self.run_json("stack", "--until", 0.2)["result"]
        self.assertAlmostEqual(stack["ground_force"], 98.1, delta=1e-4)
        self.assertAlmostEqual(stack["top_force"], 9.81, delta=1e-5)

    def test_summary_for_people(self):
        text = self.succeeds("run", "block-on-incline", "--until", 1)
        self.assertRegex(text, r"contact +4 points at the end, normal forces 8\.873\d+ N together")
        self.assertIn("taken by friction", text)
        self.assertIn("taken by impacts", self.succeeds("run", "bouncing-ball"))
        self.assertNotIn("contact", self.succeeds("run", "pendulum"))

    def test_all_contact_signals_can_be_reported(self):
        names = [line.split()[0] for line in self.succeeds("show", "block-on-incline", "--signals").splitlines()]
        wanted = [name for name in names if name.startswith("contact")]
        self.assertEqual(len(wanted), 20)
        sets = [word for i, name in enumerate(wanted) for word in ("--set", f"output.result.r{i}={name}")]
        result = self.run_json("block-on-incline", "--until", 0.1, *sets)["result"]
        self.assertNotIn(None, result.values())
        self.assertIn("contacts.normal", wanted)

    def test_a_body_knows_how_fast_it_slides_on_whatever_it_touches(self):
        block = """duration = 0.2
            [contact]
            mu = 0.0
            [body.block]
            mass = 1.0
            inertia = [0.01, 0.01, 0.01]
            [body.block.shape.skin]
            kind = "sphere"
            radius = 0.1
            [joint.block]
            kind = "free"
            child = "block"
            position = [0.0, 0.0, 0.1, 1.0, 0.0, 0.0, 0.0]
            velocity = [0.0, 0.0, 0.0, 0.5, 0.0, 0.0]
            [output.result]
            fastest = { signal = "body.block.contact.slip", take = "max" }
            way = { signal = "body.block.contact.slip", take = "stretch" }
            """
        for ground in ('[ground]\nkind = "plane"\n', '[ground]\nkind = "profile"\n[ground.profile]\nx = [-1.0, 1.0]\nz = [-0.2, 0.0, -0.2]\n'):
            result = self.run_json(self.file(block + ground))["result"]
            self.assertAlmostEqual(result["fastest"], 0.5, delta=1e-12)  # nothing brakes
            self.assertAlmostEqual(result["way"], 0.1, delta=0.5 * 2e-3)  # but for the first and last step

    def test_an_open_contact_has_no_gap(self):
        result = self.run_json("bouncing-ball", "--until", 0.1, "--set",
                               "output.result.gap=contact.ball.skin:ground.gap")["result"]
        self.assertIsNone(result["gap"])


class Unsolved(Case):
    def test_the_run_goes_on_and_says_which_contact_was_not_solved(self):
        done = sinew("run", "block-on-incline", "--until", 0.1, "--set", "tolerance=1e-300", "--json")
        self.assertEqual(done.returncode, 3)
        out = json.loads(done.stdout)
        self.assertEqual(out["time"]["end"], 0.1)
        self.assertGreater(out["solver"]["unconverged_steps"], 0)
        self.assertAlmostEqual(out["result"]["x"], 0.0, delta=1e-6)
        first = done.stderr.splitlines()[0]
        self.assertRegex(first, r"^error: contact block\.box:ground: \d+ of 100 steps .* at t = \S+ s \(worst residual "
                                r"\S+ m/s, contact\.tolerance 1e-300 m/s\): try integrator\.step = .*contact\.tolerance")

    def test_a_joint_axis_is_named(self):
        path = self.file("""\
duration = 0.5
[body.upper]
inertia = [1, 1, 1]
[body.lower]
inertia = [1, 1, 1]
[joint.pivot]
child = "upper"
axis = [0, 1, 0]
p_child = [-0.83, 0, 0.31]
[joint.elbow]
parent = "upper"
child = "lower"
axis = [0, 1, 0]
p_child = [-0.47, 0, 0.13]
drive = "servo"
kp = 100
kd = 1
[integrator]
actuator = "implicit"
[contact]
tolerance = 1e-300
""")
        done = sinew("run", path)
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^error: servo of joint elbow: ")
        self.assertIn("hash", done.stdout)


class Joints(Case):
    TEXT = """\
duration = 2.0
[gravity]
kind = "none"
[body.bob]
inertia = [1, 1, 1]
[joint.pivot]
child = "bob"
velocity = 1.0
{}
[output.result]
angle = "joint.pivot.q"
speed = "joint.pivot.u"
"""

    def test_range_stops_the_joint(self):
        for method in ("moreau", "rk4", "euler"):
            result = self.run_json(self.file(self.TEXT.format("upper = 0.5")), "--set", f"method={method}")["result"]
            self.assertAlmostEqual(result["angle"], 0.5, delta=2e-3)  # speed times step
            self.assertAlmostEqual(result["speed"], 0.0, delta=1e-8)

    def test_dry_friction_brings_it_to_rest(self):
        for method in ("moreau", "rk4", "euler"):
            out = self.run_json(self.file(self.TEXT.format("dry_friction = 1.0")), "--set", f"method={method}")
            self.assertAlmostEqual(out["result"]["angle"], 0.5, delta=1e-3)  # w^2 / (2 torque / inertia)
            self.assertAlmostEqual(out["result"]["speed"], 0.0, delta=1e-8)
            self.assertAlmostEqual(out["energy"]["dissipated_friction"], 0.5, delta=1e-3)

    def test_implicit_servo_bears_gains_that_are_too_stiff_for_an_explicit_one(self):
        text = self.TEXT.format('drive = "servo"\nkp = 1e8\nkd = 1e5')
        self.assertEqual(sinew("run", self.file(text)).returncode, 3)
        result = self.run_json(self.file(text), "--set", "actuator=implicit")["result"]
        self.assertAlmostEqual(result["angle"], 0.0, delta=1e-6)


class Results(Case):
    TEXT = """\
duration = 1.0
[gravity]
kind = "none"
[body.b]
inertia = [1, 1, 1]
[joint.j]
kind = "free"
child = "b"
velocity = [0, 0, 0, 1, 0, 0]
[integrator]
step = 0.01
[output.result]
mean = { signal = "body.b.p.x", take = "mean", from = 0.5 }
range = { signal = "body.b.p.x", take = "range", from = 0.5 }
change = { signal = "body.b.p.x", take = "change", from = 0.25 }
largest = { signal = "body.b.v", less = 1.0, over = "largest" }
average = { signal = "body.b.v", less = 1.0, over = "mean" }
norm = { signal = "3 * body.b.v.x, 4 * body.b.v.x", over = "norm" }
rate = { signal = "body.b.p.x", take = "rate" }
shifted = "2 * body.b.p.x - 0.5"
again = { signal = "shifted", take = "min" }
mass = "model.M"
"""

    def test_parts_of_the_time_and_groups_in_one_number(self):
        result = self.run_json(self.file(self.TEXT))["result"]
        for name, value in {"mean": 0.75, "range": 0.5, "change": 0.75, "largest": 1.0, "average": -2 / 3, "norm": 5.0, "rate": 1.0,
                            "shifted": 1.5, "again": -0.5}.items():
            self.assertAlmostEqual(result[name], value, delta=1e-9, msg=name)
        self.assertEqual([round(x, 12) for x in result["mass"][:7]], [1, 0, 0, 0, 0, 0, 0])

    def test_wrong_ones_are_named(self):
        for wrong, part in (('{ signal = "model.M", in = "again" }', "no ball or free joints"), ('"model.N"', "model.M"),
                            ('"control.gain"', "[control] kind"), ('{ signal = "model.M", take = "max" }', "leave out take"),
                            ('"2 body.b.p.x"', "no signal"),
                            ('{ signal = "body.b.p.x", in = "again" }', "in belongs to model.NAME")):
            self.assertIn(part, self.fails(2, "check", self.file(self.TEXT.replace('"model.M"', wrong))), wrong)
        falls = self.TEXT.replace('"none"', '"uniform"').replace('"model.M"', '{ signal = "body.b.p.x", take = "rest" }')
        self.assertIn("hangs still", self.fails(2, "check", self.file(falls)))
        self.assertIn("largest", self.fails(2, "check", self.file(self.TEXT.replace('"largest" }', '"largst" }'))))
        self.assertIn("output.result.mean.from", self.fails(2, "check", self.file(self.TEXT.replace("from = 0.5", "from = -1", 1))))


class Penalty(Case):
    def test_explicit_forces_in_long_steps_put_no_energy_in(self):
        text = self.succeeds("show", "sphere-drop").replace('method = "rk45"', 'method = "moreau"')
        for key in ("step", "substeps", "restitution", "k"):
            text = "\n".join(line for line in text.splitlines() if not line.startswith(key + " = "))
        path = self.file(text)
        usual = self.run_json(path, "--until", "1")
        self.assertGreater(usual["energy"]["dissipated_impact"], 0.0)
        self.assertAlmostEqual(usual["result"]["y_end"], 0.05, delta=1e-3)
        # what would be without
        whole = sinew("run", path, "--no-record", "--until", "1", "--set", "substeps=1")
        self.assertEqual(whole.returncode, 3)
        self.assertIn("contacts put in", whole.stderr)

    def test_wrong_options_are_named(self):
        for setting, part in (("x_cap=-1", "contact.x_cap"), ("friction_law=rough", "smooth"), ("restitution_rule=best", "closed"),
                              ("restitution_rule=seed", 'is called "konyev" now'), ("impact_law=poisson", "newton-bounded"),
                              ("contact.material.wood.k=-1", "contact.material.wood.k")):
            self.assertIn(part, self.fails(2, "run", "two-surfaces", "--set", setting))
        found = self.fails(2, "run", "impact", "--set", "compensate_load=true", "--set", "exponent=1.5")
        self.assertIn("contact.compensate_load", found)
        self.assertIn("make that 1", found)


class Show(Case):
    def test_what_is_shown_runs_to_the_same_hash(self):
        for name in SCENARIOS:
            with self.subTest(name):
                path = self.file(self.succeeds("show", name))
                original = self.run_json(name, "--until", 0.05)
                again = self.run_json(path, "--until", 0.05)
                self.assertEqual(original["hash"], again["hash"])
                self.assertEqual(original["result"], again["result"])

    def test_they_are_listed(self):
        text = self.succeeds("list")
        for name in SCENARIOS:
            self.assertRegex(text, rf"(?m)^basics/{name} +\S")

    def test_same_in_both_coordinates(self):
        for name in SCENARIOS:
            tree, maximal = (self.run_json(name, "--until", 0.05, "--set", f"coordinates={c}")["result"]
                             for c in ("tree", "maximal"))
            for key in tree:
                ours, theirs = ([x] if not isinstance(x, list) else x for x in (tree[key], maximal[key]))
                for a, b in zip(ours, theirs):
                    self.assertAlmostEqual(a, b, delta=1e-6, msg=f"{name}, {key}")


if __name__ == "__main__":
    unittest.main()
