"""Running: the JSON object, ends and snapshots, interruption, progress, failure."""

import json
import math
import os
import pty
import re
import select
import signal
import subprocess
import unittest

from program import PATIENCE, PENDULUM, Case, has_computed, sinew, wait_until

LONG = ("run", "pendulum", "--until", "1e6", "--no-record")  # far longer than any test waits
LONG_ENOUGH = 2.3  # [s] a bar comes after two
# A rod strikes rough ground with its end; by Newton's law it is thrown back with more energy than it came with.
ROD = """duration = 0.4
[ground]
kind = "plane"
[contact]
restitution = 1.0
mu = 1.9
[body.rod]
mass = 1.0
inertia = [0.0001, 0.0833333, 0.0833333]
[body.rod.shape.bar]
kind = "capsule"
radius = 0.01
length = 1.0
orientation = [0.7071067811865476, 0.0, 0.7071067811865476, 0.0]
[joint.air]
kind = "free"
child = "rod"
position = [0.0, 0.0, 0.6, 0.939372712847, 0.0, 0.342897807455, 0.0]
velocity = [0.0, 4.0, 0.0, -1.0, 0.0, -2.0]
"""


def kinds(value):
    """The same structure with type names in place of values."""
    if isinstance(value, dict):
        return {key: kinds(inner) for key, inner in value.items()}
    return type(value).__name__


class Json(Case):
    def test_the_energy_of_drives_is_in_the_report(self):
        energy = self.run_json("drive/force-step")["energy"]
        for key in ("work_electrical", "work_drives", "dissipated_copper", "dissipated_drives", "stored_electrical", "stored_drives"):
            self.assertIn(key, energy)
        out = sum(energy[key] for key in energy if key.startswith(("work_drives", "dissipated_copper", "dissipated_drives", "stored_")))
        self.assertAlmostEqual(energy["work_electrical"], out, delta=1e-3 * energy["work_electrical"])

    def test_drives_that_leave_energy_unexplained_end_with_3(self):
        done = sinew("run", "drive/position-step", "--set", "step=0.01", "--no-record")
        self.assertEqual(done.returncode, 3)
        self.assertIn("the unexplained part of drives is large: try integrator.step = 0.0025", done.stdout)
        self.assertRegex(done.stderr, r"^error: drive motor: of 8\.\d+ J that went through the drives 5\.\d+ J are left unexplained")
        self.assertIn("try integrator.step = 0.0025", done.stderr)

    def test_has_exactly_the_agreed_form(self):
        out = self.run_json("pendulum")
        number = "float"
        self.assertEqual(kinds(out), {
            "sinew": "str", "scenario": "str", "seed": "int",
            "time": {"end": number, "step": number, "steps": "int"},
            "wall_s": number, "real_time_factor": number,
            "solver": {"iterations_mean": number, "iterations_max": "int", "residual_max": number,
                       "unconverged_steps": "int"},
            "energy": dict.fromkeys(("kinetic", "potential", "elastic", "work_actuators", "work_external",
                                     "dissipated_friction", "dissipated_damping", "dissipated_impact",
                                     "balance_error"), number),
            "result": {"x": number, "y": number, "angle": number},
            "hash": "str", "recording": "str"})
        self.assertRegex(out["hash"], r"^[0-9a-f]{16}$")
        self.assertEqual(out["time"], {"end": 10.0, "step": 0.001, "steps": 10000})

    def test_is_the_only_thing_on_stdout(self):
        text = self.succeeds("run", "pendulum", "--json")
        _, end = json.JSONDecoder().raw_decode(text)
        self.assertEqual(text[end:], "\n")

    def test_same_run_same_hash(self):
        self.assertEqual(self.run_json("double-pendulum")["hash"], self.run_json("double-pendulum")["hash"])

    def test_seed_is_reported(self):
        self.assertEqual(self.run_json("pendulum", "--until", 0.1, "--seed", 42)["seed"], 42)
        self.assertEqual(self.run_json("pendulum", "--until", 0.1)["seed"], 0)
        self.fails(2, "run", "pendulum", "--seed", "-1")
        self.fails(2, "run", "pendulum", "--seed", "x")

    def test_vectors_are_arrays(self):
        result = self.run_json("double-pendulum", "--until", 0.1)["result"]
        self.assertEqual(len(result["upper"]), 3)
        self.assertIsInstance(result["fastest"], float)

    def test_quiet(self):
        self.assertEqual(self.succeeds("run", "pendulum", "--quiet"), "")
        self.assertEqual(json.loads(self.succeeds("run", "pendulum", "--quiet", "--json"))["scenario"], "basics/pendulum")

    def test_summary_for_people(self):
        text = self.succeeds("run", "pendulum")
        for word in ("basics/pendulum", "10 s in 10000 steps", "kinetic", "unexplained", "result", "hash"):
            self.assertIn(word, text)
        self.assertNotIn("\x1b", text)


class Time(Case):
    def test_until(self):
        out = self.run_json("pendulum", "--until", 0.25)
        self.assertEqual(out["time"], {"end": 0.25, "step": 0.001, "steps": 250})
        self.fails(2, "run", "pendulum", "--until", "-1")
        self.fails(2, "run", "pendulum", "--until", "nan")
        self.fails(2, "run", "pendulum", "--until", "soon")

    def test_nothing_at_all(self):
        out = self.run_json("pendulum", "--until", 0)
        self.assertEqual((out["time"]["end"], out["time"]["steps"]), (0.0, 0))
        self.assertEqual(out["result"]["x"], -1.0)

    def test_last_step_is_shortened(self):
        out = self.run_json("pendulum", "--until", 0.2505)
        self.assertEqual(out["time"], {"end": 0.2505, "step": 0.001, "steps": 251})

    def test_no_step_too_many_by_rounding(self):
        for step, steps in ((0.1, 100), (0.01, 1000), (1e-4, 100000), (0.003, 3334)):
            with self.subTest(step):
                out = self.run_json("pendulum", "--set", f"step={step}")
                self.assertEqual((out["time"]["end"], out["time"]["steps"]), (10.0, steps))

    def test_statistics(self):
        sets = [word for take in ("max", "min", "mean", "final") for word in
                ("--set", f'output.result.{take}={{signal="t", take="{take}"}}')]
        result = self.run_json("pendulum", *sets)["result"]
        self.assertEqual((result["max"], result["min"], result["final"]), (10.0, 0.0, 10.0))
        self.assertAlmostEqual(result["mean"], 5.0, places=9)


class Snapshots(Case):
    def at(self, times, *more):
        return self.run_json("pendulum", "--set", f"output.at={times}", *more)

    def test_states_in_the_order_given(self):
        at = self.at([1.0, 0.0, 10.0, 0.5])["result"]["at"]
        self.assertEqual(at["t"], [1.0, 0.0, 10.0, 0.5])
        self.assertEqual(at["x"][1], -1.0)
        self.assertEqual(at["q"][1], [0.0])
        self.assertEqual(len(at["u"]), 4)
        for i, until in enumerate([1.0, 0.0, 10.0, 0.5]):
            self.assertEqual(at["x"][i], self.run_json("pendulum", "--until", until)["result"]["x"])

    def test_between_steps(self):
        at = self.at([0.25037])["result"]["at"]
        self.assertEqual(at["x"][0], self.run_json("pendulum", "--until", 0.25037)["result"]["x"])

    def test_do_not_disturb_the_run(self):
        plain = self.run_json("pendulum")
        self.assertEqual(plain["hash"], self.at([0.00037, 5, 5, 9.9999])["hash"])

    def test_after_the_end_is_null(self):
        at = self.at([0.5, 3.0], "--until", 1)["result"]["at"]
        self.assertIsNotNone(at["x"][0])
        self.assertEqual((at["x"][1], at["q"][1]), (None, None))

    def test_result_names_do_not_hide_the_state(self):
        path = self.file(PENDULUM + 'q = "joint.pivot.q"\n')
        self.assertEqual(self.run_json(path, "--until", 0)["result"]["q"], 0.0)
        self.assertIn('"q" is taken', self.fails(2, "run", path, "--set", "output.at=[0]"))

    def test_same_in_both_coordinates(self):
        tree, maximal = (self.at([0.1], "--set", "inertia=[0.1, 0.1, 0.1]", "--set", f"coordinates={c}")["result"]["at"]
                         for c in ("tree", "maximal"))
        self.assertEqual(len(maximal["q"][0]), 1)
        self.assertAlmostEqual(tree["q"][0][0], maximal["q"][0][0], places=9)


class Control(Case):
    COMPUTED = '"bob"\ndrive = "computed"\nmotion = {amplitude = 0.5, frequency = 1.0}'

    def test_computed_torque_follows_the_motion(self):
        path = self.file(PENDULUM.replace('"bob"', self.COMPUTED) + 'angle = "joint.pivot.q"\n')
        result = self.run_json(path, "--set", "step=1e-4", "--set", "output.at=[0.2, 0.65]")["result"]
        # the start does not move with the motion: the error is 0, its rate -amplitude 2 pi frequency
        w, rate = 20.0, -0.5 * 2 * math.pi
        for t, q in zip([0.2, 0.65], result["at"]["q"]):
            error = rate * t * math.exp(-w * t)
            self.assertAlmostEqual(q[0], 0.5 * math.sin(2 * math.pi * t) + error, delta=1e-3)
        self.assertAlmostEqual(result["angle"], 0.0, delta=1e-3)

    def test_every_joint_must_be_driven(self):
        message = self.fails(2, "check", self.file(
            PENDULUM.replace('"bob"', self.COMPUTED) + '[body.tip]\ninertia = [1, 1, 1]\n'
            '[joint.loose]\nparent = "bob"\nchild = "tip"\n'))
        self.assertRegex(message, r"scenario\.toml:\d+: joint\.loose\.drive: ")


class Interruption(Case):
    def interrupt(self, *options):
        process = self.started(*LONG, *options, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: has_computed(process))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 130)
        return out, err

    def test_prints_what_was_computed(self):
        out, err = self.interrupt("--json")
        end = json.loads(out)["time"]["end"]
        self.assertTrue(0 < end < 1e6)
        self.assertIn("interrupted at t = ", err)

    def test_summary_as_well(self):
        out, _ = self.interrupt()
        self.assertIn("hash", out)

    def test_twice_ends_at_once_when_the_first_is_not_heard(self):
        # a stopped process hears both when it goes on; either way it ends
        process = self.started(*LONG, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: has_computed(process))
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(timeout=PATIENCE), (130, -signal.SIGINT))


class Progress(Case):
    def on_terminal(self, *arguments, until=None):
        """What a run shows on a terminal before it is interrupted: once that is there, or after as long as a bar takes to come."""
        leader, follower = pty.openpty()
        process = self.started(*arguments, stdout=subprocess.DEVNULL, stderr=follower)
        os.close(follower)
        shown, sent = b"", False
        while True:
            if not sent and process.poll() is None and (
                    re.search(until, shown.decode()) if until else has_computed(process, LONG_ENOUGH)):
                process.send_signal(signal.SIGINT)
                sent = True
            if select.select([leader], [], [], 0.05)[0]:
                try:
                    piece = os.read(leader, 65536)
                except OSError:  # the other end is closed
                    break
                if not piece:
                    break
                shown += piece
        os.close(leader)
        self.assertEqual(process.wait(timeout=PATIENCE), 130 if sent else 0)
        return shown.decode()

    def test_bar_on_a_terminal(self):
        bar = r"\[=* *\] +\d+ %  t = \S+ of 1e\+06 s, .* left"
        self.assertRegex(self.on_terminal(*LONG, until=bar), bar)

    def test_no_bar_for_short_or_quiet_runs(self):
        self.assertEqual(self.on_terminal("run", "pendulum", "--until", 0.01, "--no-record"), "")
        self.assertEqual(self.on_terminal(*LONG, "--quiet"), "")

    def test_no_bar_in_a_pipe(self):
        process = self.started(*LONG, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        wait_until(lambda: has_computed(process, LONG_ENOUGH))
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertRegex(err, r"^interrupted at t = \S+ s of 1e\+06 s\n$")


class Failure(Case):
    def diverge(self, *arguments):
        done = sinew("run", *arguments, "--json")
        self.assertEqual(done.returncode, 3, done.stdout)
        return json.loads(done.stdout), done.stderr

    def test_stiff_spring_is_named_with_the_cure(self):
        out, err = self.diverge("spring-chain", "--set", "step=0.2", "--set", "stiffness=1e4")
        first = err.splitlines()[0]
        self.assertRegex(first, r"^error: basics/spring-chain at t = \S+ s: diverged: .*: use integrator.method = \"euler\"")
        self.assertRegex(err, r"fastest body before: mass\d, ")
        self.assertRegex(err, r"likely cause: the spring of joint spring\d is too stiff")
        self.assertLess(out["time"]["end"], 10.0)

    def test_what_was_computed_is_kept(self):
        out, _ = self.diverge("spring-chain", "--set", "step=0.2", "--set", "stiffness=1e4", "--set", "output.at=[0, 9]")
        self.assertNotIn(None, out["energy"].values())
        self.assertIsNotNone(out["result"]["x_first"])
        self.assertIsNotNone(out["result"]["at"]["x_first"][0])
        self.assertIsNone(out["result"]["at"]["x_first"][1])

    def test_the_cure_works(self):
        self.succeeds("run", "spring-chain", "--set", "step=0.2", "--set", "stiffness=1e4", "--set", "method=euler")

    def test_strong_servo(self):
        text = PENDULUM.replace('"bob"', '"bob"\ndrive = "servo"\nkp = 1e9\nkd = 1e3') + '[integrator]\nmethod = "rk4"\n'
        _, err = self.diverge(self.file(text))
        self.assertIn("servo of joint pivot", err)

    def test_overflow_is_no_invalid_json(self):
        out, _ = self.diverge("spring-chain", "--set", "step=1e3", "--set", "stiffness=1e200", "--until", "1e6")
        self.assertIn("hash", out)

    def test_failure_is_in_the_json(self):
        out, err = self.diverge("quadruped/trot", "--set", "stride=0.2", "--set", "step=5e-4")
        failure = out["failure"]
        self.assertEqual(failure["time"], out["time"]["end"])
        self.assertLess(failure["time"], 4.0)
        self.assertRegex(failure["place"], r"^joint \S+$")
        self.assertIn("the step is too long for the controller", failure["cause"])
        self.assertIn("integrator.step", failure["advice"])
        for said in failure["place"], failure["cause"], failure["what"]:
            self.assertIn(said, err)

    def test_a_twentieth_of_the_energy_from_nowhere_is_a_failure(self):
        for sets in "law=penalty", "gait_period=0.25", "robot.g=1.62":
            with self.subTest(sets):
                out, err = self.diverge("quadruped/trot", "--set", "step=5e-4", "--set", sets)
                self.assertRegex(err, r"^error: quadruped/trot at t = \S+ s: diverged: ")
                self.assertEqual(out["failure"]["time"], out["time"]["end"])

    def test_a_controller_held_too_long_is_named(self):
        weights = "[1,1,1,1,0]"
        out, _ = self.diverge(
            "limb-lqr4", "--set", "n=5", "--set", 'actuated=["joint1","joint2","joint3","joint4"]',
            "--set", "angle_weights=" + weights, "--set", "rate_weights=" + weights, "--until", "5")
        self.assertIn("step times pole", out["failure"]["cause"])

    def test_impacts_that_create_energy_are_named(self):
        out, _ = self.diverge(self.file(ROD), "--set", "impact_law=newton")
        self.assertIn("contacts put in", out["failure"]["what"])
        self.assertEqual(out["failure"]["place"], "contact rod.bar:ground")
        self.assertIn("Newton's law of restitution", out["failure"]["cause"])
        self.assertIn('impact_law = "newton-bounded"', out["failure"]["advice"])

    def test_impacts_create_no_energy_unless_they_are_asked_to(self):
        total = []
        for end in ("0.1", "0.2", "0.4"):
            energy = self.run_json(self.file(ROD), "--no-record", "--until", end)["energy"]
            total.append(energy["kinetic"] + energy["potential"])
            self.assertGreater(energy["dissipated_friction"] + energy["dissipated_impact"], -1e-6)
        for now in total:
            self.assertAlmostEqual(now, 9.0527, delta=1e-3)  # what it starts with; by Newton's law 10.9 J

    def test_a_trot_has_room(self):
        for sets in "stride=0.15", "gravity.incline=0.0873":
            with self.subTest(sets):
                out = self.run_json("quadruped/trot", "--no-record", "--set", sets)
                self.assertNotIn("failure", out)
                self.assertLess(out["result"]["tilt"], 0.05)
                stride = 0.15 if "stride" in sets else 0.08
                self.assertGreater(out["result"]["way"], 0.8 * 4.0 * stride / (0.55 * 0.4))

    def test_calm_runs_do_not_fail(self):
        for sets in (["step=0.05"], ["g=[0,0,0]"], ["damping=5"], ["mass=1e-6"], ["mass=1e6"]):
            with self.subTest(sets):
                self.succeeds("run", "pendulum", *[word for one in sets for word in ("--set", one)])


if __name__ == "__main__":
    unittest.main()
