"""Worlds: arrays that show them and never dangle, commands, controllers at their own rate, checkpoints."""

import gc
import json
import os
import subprocess
import sys
import tempfile
import threading
import unittest
import warnings
import weakref
from pathlib import Path

import numpy as np

import sinew


class Policies(unittest.TestCase):
    def test_a_network_that_numpy_has_packed_does_what_numpy_says(self):
        rng = np.random.default_rng(3)
        W0, b0, W1, b1 = rng.normal(size=(5, 2)), rng.normal(size=5), rng.normal(size=(1, 5)), rng.normal(size=1)
        with tempfile.TemporaryDirectory() as folder:
            np.savez_compressed(Path(folder) / "net.npz", W0=np.asfortranarray(W0), b0=b0, W1=W1.astype(np.float32), b1=b1)
            s = sinew.load("upright")
            s["control.policy"] = str(Path(folder) / "net.npz")
            w = sinew.World(s)
        q, u = w.q.copy(), w.u.copy()
        w.step(10)  # up to the next question
        wanted = 2.0 * np.tanh(W1.astype(np.float32) @ np.tanh(W0 @ [q[0], u[0]] + b0) + b1)[0]
        self.assertAlmostEqual(float(w.signal("joint.pivot.torque")), wanted, delta=1e-12)

    def test_robots_of_a_batch_with_a_network_are_single_runs(self):
        b = sinew.Batch("upright", 5)
        b.set("mass", np.linspace(0.8, 1.2, 5))
        b.step(700)
        for i, mass in enumerate(np.linspace(0.8, 1.2, 5)):
            w = sinew.World(sinew.load("upright", mass=float(mass)))
            w.step(700)
            self.assertEqual(b.q[i, 0], w.q[0])


class Views(unittest.TestCase):
    def test_arrays_follow_the_world(self):
        w = sinew.World("pendulum")
        q, p, z, t = w.q, w.signal("body.bob.p"), w.signal("body.bob.p.z"), w.signal("t")
        before = (q.copy(), p.copy(), float(z))
        w.step(50)
        self.assertNotEqual(q[0], before[0][0])
        self.assertFalse(np.array_equal(p, before[1]))
        self.assertEqual(float(z), p[2])
        self.assertEqual(float(t), w.time)
        self.assertEqual((p.shape, z.shape, q.shape), ((3,), (), (1,)))

    def test_arrays_cannot_be_written_to(self):
        w = sinew.World("pendulum")
        for array in (w.q, w.u, w.signal("com.p")):
            with self.assertRaises(ValueError):
                array[0] = 1.0
            with self.assertRaises(ValueError):
                array.setflags(write=True)

    def test_arrays_keep_the_world_alive_and_it_goes_with_the_last(self):
        for take in (lambda w: w.q, lambda w: w.u[:1], lambda w: w.signal("com.p")[1:], lambda w: w.signal("t").reshape(1)):
            w = sinew.World("pendulum")
            gone = weakref.ref(w)
            array = take(w)
            w.step(10)
            want = array.copy()
            del w
            gc.collect()
            trash = [np.full(8, 7.0) for _ in range(1000)]  # what freed memory would be given to
            self.assertIsNotNone(gone())
            self.assertTrue(np.array_equal(array, want))
            del array, trash
            gc.collect()
            self.assertIsNone(gone())

    def test_arrays_stay_valid_through_reset_restore_and_other_parameters(self):
        w = sinew.World("sidewinding")
        q, p = w.q, w.signal("com.p")
        place = (q.__array_interface__["data"], p.__array_interface__["data"])
        start = q.copy()
        c = w.checkpoint()
        w.step(40)
        w.set("contact.mu_long", 0.3)
        w.step(40)
        w.restore(c)
        self.assertTrue(np.array_equal(q, start))
        w.step(10)
        w.reset()
        self.assertTrue(np.array_equal(q, start))
        self.assertEqual(place, (w.q.__array_interface__["data"], p.__array_interface__["data"]))

    def test_a_signal_that_nobody_holds_costs_nothing_more_and_a_wrong_name_is_told(self):
        w = sinew.World("pendulum")
        for _ in range(100):
            w.signal("com.p")
            w.step(1)
        with self.assertRaisesRegex(sinew.ScenarioError, "com.px.*did you mean com.p.x"):
            w.signal("com.px")
        self.assertIn("com.p.x", w.signals())
        self.assertEqual(w.signals()["com.p.x"][0], "m")


class Commands(unittest.TestCase):
    def test_a_command_acts_and_is_held(self):
        free, pushed = sinew.World("pendulum"), sinew.World("pendulum")
        pushed.command["joint.pivot"] = 3.0
        self.assertEqual(pushed.command["joint.pivot.torque"], 3.0)
        for w in (free, pushed):
            w.step(100)
        self.assertNotEqual(free.q[0], pushed.q[0])
        self.assertEqual(list(free.command), ["joint.pivot.torque"])

    def test_wrong_commands_are_told(self):
        w = sinew.World("pendulum")
        with self.assertRaisesRegex(sinew.ScenarioError, "no command has this name.*joint.pivot.torque"):
            w.command["joint.knee"] = 1.0
        with self.assertRaisesRegex(sinew.ScenarioError, "finite"):
            w.command["joint.pivot"] = float("nan")
        with self.assertRaisesRegex(sinew.ScenarioError, "takes 1 numbers, not 2"):
            w.command["joint.pivot"] = [1.0, 2.0]

    def test_a_scenario_with_a_controller_warns(self):
        w = sinew.World("softbot/limb-pd3")
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            w.command[next(iter(w.command))] = 1.0
        self.assertIn("has a controller", str(caught[0].message))
        with self.assertRaisesRegex(sinew.ScenarioError, "controller of its own"):
            w.controller(lambda t, observation, command: None)


class Controllers(unittest.TestCase):
    def test_a_robot_of_the_catalogue_without_its_controller_does_what_is_said_here(self):
        weak = sinew.load("biped/stand", kp=1e-6)  # the springs of its joints; their dampers stay
        w = sinew.World(weak, controller=False)
        legs = [f"joint.{part}_{side}" for side in "LR" for part in ("yaw", "hip", "knee", "ankle")]
        start = np.concatenate([np.atleast_1d(w.signal(f"{leg}.q")) for leg in legs])

        @w.controller(observe=[f"{leg}.q" for leg in legs], command=[f"{leg}.torque" for leg in legs])
        def hold(t, observation, command):
            command[:] = 5000.0 * (start - observation)

        height = float(w.signal("com.p.z"))
        w.step(500)
        self.assertAlmostEqual(float(w.signal("com.p.z")), height, delta=5e-4)
        sinking = sinew.World(weak, controller=False)
        sinking.step(500)
        self.assertLess(float(sinking.signal("com.p.z")), height - 1e-3)
        b = sinew.Batch(weak, 4, threads=1, controller=False)
        self.assertEqual((b.in_lanes, len(b.command_names)), (4, 18))
        b.step(500)
        self.assertEqual(b.hash(0), sinking.hash())
        with self.assertRaisesRegex(sinew.ScenarioError, "control.latency"):
            sinew.World(sinew.load("biped/stand", **{"control.latency": 0.002}), controller=False)

    def test_it_is_asked_at_its_own_rate_and_gives_the_bits_of_a_loop(self):
        w, times = sinew.World("pendulum"), []

        @w.controller(None, period=0.01, phase=0.005, observe=["joint.pivot.q", "joint.pivot.u"])
        def hold(t, observation, command):
            times.append(t)
            command[0] = -20.0 * observation[0] - 2.0 * observation[1]

        w.step(35)
        w.step(15)
        self.assertEqual(np.round(times, 12).tolist(), [0.005, 0.015, 0.025, 0.035, 0.045])
        by_hand = sinew.World("pendulum")
        for k in range(50):
            if k % 10 == 5:
                by_hand.command["joint.pivot"] = -20.0 * by_hand.q[0] - 2.0 * by_hand.u[0]
            by_hand.step(1)
        self.assertEqual(w.hash(), by_hand.hash())

    def test_what_it_raises_comes_through_and_the_world_goes_on(self):
        w = sinew.World("pendulum")
        w.controller(lambda t, o, c: 1 / 0, period=0.01)
        with self.assertRaises(ZeroDivisionError):
            w.step(100)
        w.remove_controllers()
        w.step(100)
        with self.assertRaisesRegex(sinew.ScenarioError, "period"):
            w.controller(lambda t, o, c: None, period=-1.0)
        w.controller(lambda t, o, c: w.step(1))
        with self.assertRaisesRegex(sinew.SinewError, "cannot step the world"):
            w.step(1)

    def test_one_that_holds_its_world_goes_with_it(self):
        w = sinew.World("pendulum")
        w.controller(lambda t, o, c: w.time)
        gone = weakref.ref(w)
        w.step(3)
        del w
        gc.collect()
        self.assertIsNone(gone())


class Checkpoints(unittest.TestCase):
    def test_back_is_back_to_the_bit(self):
        w = sinew.World("sidewinding")
        w.step(100)
        c = w.checkpoint()
        w.step(100)
        end = w.hash()
        w.restore(c)
        self.assertEqual(w.time, c.time)
        w.step(100)
        self.assertEqual(w.hash(), end)

    def test_one_in_a_file_leads_other_worlds_and_the_program_on(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "c.bin"
            w = sinew.World("pendulum", results=True)
            w.step(500)
            w.checkpoint(file)
            other = sinew.World("pendulum", results=True)
            other.restore(file)
            self.assertEqual(other.hash(), w.hash())
            w.step(500)
            program = [os.environ["SINEW"], "run", "--resume", str(file), "--until", "1", "--no-record", "--json", "--quiet"]
            printed = subprocess.run(program, capture_output=True, text=True, check=True).stdout
            self.assertEqual(json.loads(printed)["hash"], w.hash())
            self.assertEqual(json.loads(printed)["result"], w.results())
            with self.assertRaises(sinew.ScenarioError):
                sinew.World("sidewinding").restore(file)
            with self.assertRaisesRegex(sinew.SinewError, "results=True"):
                sinew.World("pendulum").checkpoint(file)

    def test_one_of_another_robot_is_refused(self):
        with self.assertRaisesRegex(sinew.ScenarioError, "another robot"):
            sinew.World("sidewinding").restore(sinew.World("pendulum").checkpoint())
        with self.assertRaisesRegex(sinew.SinewError, "no checkpoint"):
            sinew.World("pendulum").restore(3)


class Steps(unittest.TestCase):
    def test_a_step_that_fails_is_told_and_there_is_a_way_back(self):
        s = sinew.load("pendulum", method="rk4", step=0.05)
        s["joint.pivot.damping"] = 1e6
        w = sinew.World(s)
        with self.assertRaisesRegex(sinew.SinewError, "damping of joint pivot"):
            w.step(1000)
        self.assertTrue(np.all(np.isfinite(w.q)))
        w.reset()
        self.assertEqual(w.time, 0.0)
        with self.assertRaisesRegex(sinew.ScenarioError, "number of steps"):
            w.step(-1)

    def test_steps_that_are_not_solved_are_counted_and_raised_where_asked_for(self):
        s = sinew.load("snake/link-slide", **{"contact.solver": "sweep", "contact.tolerance": 1e-300})
        w = sinew.World(s)
        w.step(5)
        self.assertGreater(w.uncertified, 0)
        with self.assertRaisesRegex(sinew.NotCertified, "contact.tolerance"):
            sinew.World(s, on_uncertified="raise").step(5)

    def test_seeds_and_robots_give_other_noise_and_their_own_again(self):
        s = sinew.build({
            "duration": 1.0,
            "body": {"bob": {"mass": 1.0}},
            "joint": {"pivot": {"child": "bob", "axis": [0, 1, 0], "p_child": [-1, 0, 0]}},
            "sensor": {"angle": {"kind": "potentiometer", "joint": "pivot", "noise": 0.01}},
        })

        def read(**which):
            w = sinew.World(s, **which)
            w.step(10)
            return float(w.signal("sensor.angle"))

        numbers = {read(seed=a, robot=b) for a in (0, 1) for b in (0, 1)}
        self.assertEqual(len(numbers), 4)
        self.assertEqual(read(seed=1, robot=1), read(seed=1, robot=1))

    def test_other_threads_run_meanwhile_and_may_not_touch_a_world_that_moves(self):
        w, ready, seen = sinew.World("sidewinding"), threading.Event(), []
        c = w.checkpoint()

        def look():
            ready.wait()
            while not seen:
                try:
                    w.restore(c)
                except sinew.SinewError as error:
                    seen.append(str(error))

        thread = threading.Thread(target=look)
        thread.start()
        ready.set()
        while not seen:
            w.step(200)
        thread.join()
        self.assertIn("another thread", seen[0])

    def test_control_c_ends_a_long_call(self):
        code = ("import os, signal, threading, sinew\n"
                "w = sinew.World('sidewinding')\n"
                "threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n"
                "try:\n    w.step(10**9)\nexcept KeyboardInterrupt:\n    w.step(1); print('stopped', w.time > 0)\n")
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=600)
        self.assertEqual((done.stdout, done.stderr, done.returncode), ("stopped True\n", "", 0))


if __name__ == "__main__":
    unittest.main()
