"""Batches: rows of robots that have the bits of single runs; masks, failures, commands, rollouts."""

import gc
import os
import unittest
import weakref

import numpy as np

import sinew


class Batches(unittest.TestCase):
    def test_a_thousand_different_robots_are_a_thousand_single_runs(self):
        n, steps = 100 if os.environ.get("SINEW_SANITIZED") else 1000, 8
        s = sinew.load("snake/lateral-undulation")
        mu = np.linspace(0.05, 0.7, n)
        b = sinew.Batch(s, n, threads=2)
        b.set("mu_trans", mu)
        self.assertEqual(b.in_lanes, n)
        b.step(steps)
        other = sinew.Batch(s, n, threads=1)
        other.set("contact.mu_trans", mu)
        other.step(steps)
        self.assertEqual([b.hash(i) for i in range(n)], [other.hash(i) for i in range(n)])
        for i in range(n):
            s["contact.mu_trans"] = mu[i]
            w = sinew.World(s, robot=i)
            w.step(steps)
            self.assertEqual(w.hash(), b.hash(i))
            self.assertTrue(np.array_equal(w.q, b.q[i]))
        self.assertFalse(b.failed.any())

    def test_arrays_follow_and_hold_the_batch(self):
        b = sinew.Batch("pendulum", 7)
        gone, q, command, failed = weakref.ref(b), b.q, b.command, b.failed
        self.assertEqual((q.shape, b.u.shape, command.shape, failed.shape), ((7, 1), (7, 1), (7, 1), (7,)))
        command[:, 0] = np.arange(7)
        b.step(20)
        self.assertEqual(len(set(q[:, 0])), 7)
        with self.assertRaises(ValueError):
            q[0, 0] = 1.0
        want = q.copy()
        del b
        gc.collect()
        self.assertIsNotNone(gone())
        self.assertTrue(np.array_equal(q, want))
        del q, command, failed
        gc.collect()
        self.assertIsNone(gone())

    def test_masks_and_numbers_of_robots_choose_who_begins_anew(self):
        b = sinew.Batch("pendulum", 6)
        start = b.q.copy()
        b.step(10)
        b.reset([1, 4])
        self.assertEqual((b.q == start)[:, 0].tolist(), [False, True, False, False, True, False])
        self.assertEqual((b.time == 0.0).tolist(), [False, True, False, False, True, False])
        b.reset(np.array([True] + 5 * [False]))
        self.assertEqual(b.time[0], 0.0)
        b.set("body.bob.mass", 3.0, mask=[2])
        self.assertEqual(b.time[2], 0.0)
        for wrong in ([True], [9], [-1], ["a"]):
            with self.assertRaises(sinew.ScenarioError):
                b.reset(wrong)

    def test_one_that_fails_is_named(self):
        b = sinew.Batch(sinew.load("pendulum", method="rk4", step=0.05), 5)
        b.set("joint.pivot.damping", [0.1, 0.1, 1e6, 0.1, 0.1])
        b.step(300)
        self.assertEqual(b.failed.tolist(), [False, False, True, False, False])
        self.assertEqual(list(b.failures), [2])
        self.assertIn("robot 2 at t = ", b.failures[2])

    def test_angles_are_in_the_unit_of_their_name_and_starts_may_differ(self):
        b = sinew.Batch("pendulum", 4)
        b.set("joint.pivot.position_deg", [10, 20, 30, 40])
        self.assertTrue(np.allclose(b.q[:, 0], np.radians([10, 20, 30, 40]), rtol=0, atol=1e-15))

    def test_signals_of_all_robots_are_those_of_their_worlds(self):
        b = sinew.Batch("sidewinding", 5)
        b.step(30)
        w = sinew.World("sidewinding", robot=3)
        w.step(30)
        self.assertTrue(np.array_equal(b.signal("com.p")[3], w.signal("com.p")))
        self.assertEqual(b.signal("t").shape, (5, 1))
        with self.assertRaisesRegex(sinew.ScenarioError, "no signal"):
            b.signal("nothing")

    def test_what_is_wrong_is_told(self):
        for call, words in ((lambda: sinew.Batch("pendulum", 0), "robots"), (lambda: sinew.Batch("pendulum", 2, threads=0), "threads"),
                            (lambda: sinew.Batch("pendulum", 2).set("body.bob.mas", 1.0), "did you mean body.bob.mass"),
                            (lambda: sinew.Batch("pendulum", 2).set("body.bob.mass", [1.0, -1.0]), "robot 1: "),
                            (lambda: sinew.Batch("pendulum", 2).step(-1), "number of steps"),
                            (lambda: sinew.Batch("drive/knee", 2), "test bench")):
            with self.assertRaisesRegex(sinew.ScenarioError, words):
                call()


class Rollouts(unittest.TestCase):
    def test_frames_are_those_of_a_world(self):
        r = sinew.rollout("pendulum", 3, 25, record=("q", "com.p", "failed"), every=10)
        self.assertEqual((r["q"].shape, r["com.p"].shape, r["failed"].shape), ((3, 4, 1), (3, 4, 3), (3, 4)))
        self.assertTrue(np.allclose(r["t"], [0, 0.01, 0.02, 0.025]))
        w = sinew.World("pendulum")
        w.step(20)
        self.assertEqual(r["q"][1, 2, 0], w.q[0])

    def test_commands_are_broadcast(self):
        torque = np.array([0.0, 1.0, 2.0]).reshape(3, 1, 1)
        held = sinew.rollout("pendulum", 3, 20, command=torque)
        spelt = sinew.rollout("pendulum", 3, 20, command=np.repeat(torque, 20, axis=1), every=5)
        self.assertTrue(np.array_equal(held["q"][:, -1], spelt["q"][:, -1]))
        self.assertEqual(len(set(held["q"][:, -1, 0])), 3)
        with self.assertRaisesRegex(sinew.ScenarioError, "do not fit"):
            sinew.rollout("pendulum", 3, 20, command=np.zeros((3, 7, 1)))

    def test_a_controller_is_asked_once_for_all(self):
        calls = []

        def hold(t, observation, command):
            calls.append((t, observation.shape))
            command[:, 0] = -20.0 * observation[:, 0] - 2.0 * observation[:, 1]

        r = sinew.rollout("pendulum", 4, 40, controller=hold, every=10)
        self.assertEqual([shape for _, shape in calls], 4 * [(4, 2)])
        w = sinew.World("pendulum")
        for _ in range(4):
            w.command["joint.pivot"] = -20.0 * w.q[0] - 2.0 * w.u[0]
            w.step(10)
        self.assertEqual(r["q"][2, -1, 0], w.q[0])


if __name__ == "__main__":
    unittest.main()
