"""Vector environments keep the rules of the field, and learning loops get what they ask for."""

import unittest

import numpy as np

import sinew
from sinew import gym


def swing_up(**options):
    given = {"limit": 5.0, "steps": 5, "horizon": 8, **options}
    return gym.VectorEnv("pendulum", 6, lambda env: env.batch.signal("body.bob.p.z")[:, 0], **given)


class VectorEnvs(unittest.TestCase):
    def test_the_rules_hold(self):
        gym.check_env(swing_up())
        gym.check_env(swing_up(observe=["body.bob.p", "joint.pivot.u"], terminated=lambda env: np.abs(env.batch.u[:, 0]) > 1.0))
        gym.check_env(swing_up(randomize=lambda random, n: {"body.bob.mass": random.uniform(0.5, 2.0, n)}))

    def test_the_check_can_fail(self):
        class Wrong(gym.VectorEnv):
            def step(self, actions):
                observations, rewards, ends, cut, infos = super().step(actions)
                return observations, rewards + 1.0, ends, cut, infos
        with self.assertRaisesRegex(AssertionError, "no reward"):
            gym.check_env(Wrong("pendulum", 3, lambda env: np.zeros(3), horizon=2))

    def test_episodes_are_cut_off_and_begin_anew_in_the_next_step(self):
        env = swing_up(horizon=3)
        start, _ = env.reset(seed=0)
        action = np.full((6, 1), 2.0)
        for _ in range(3):
            observations, _, ends, cut, _ = env.step(action)
        self.assertTrue(cut.all() and not ends.any())
        self.assertFalse(np.array_equal(observations, start))
        observations, rewards, ends, cut, _ = env.step(action)
        self.assertTrue(np.array_equal(observations, start))
        self.assertFalse(rewards.any() or cut.any())

    def test_a_step_is_the_steps_of_a_world_with_the_action_cut_to_its_limit(self):
        env = swing_up()
        env.reset()
        env.step(np.full((6, 1), 99.0))
        w = sinew.World("pendulum")
        w.command["joint.pivot"] = 5.0
        w.step(5)
        self.assertEqual(env.batch.q[2, 0], w.q[0])

    def test_a_robot_that_fails_ends_its_episode_and_comes_back(self):
        s = sinew.load("pendulum", method="rk4", step=0.05)
        s["joint.pivot.damping"] = 0.1
        env = gym.VectorEnv(s, 4, lambda env: np.ones(4), steps=200, randomize=lambda random, n: {"joint.pivot.damping": [0.1, 1e6, 0.1, 0.1]})
        env.reset(seed=0)
        _, rewards, ends, _, infos = env.step(np.zeros((4, 1)))
        self.assertEqual(infos["failed"].tolist(), [False, True, False, False])
        self.assertEqual((ends.tolist(), rewards.tolist()), ([False, True, False, False], [1.0, 0.0, 1.0, 1.0]))
        _, _, ends, _, infos = env.step(np.zeros((4, 1)))
        self.assertFalse(infos["failed"].any() or ends.any())

    def test_what_is_wrong_is_told(self):
        for call, words in ((lambda: gym.VectorEnv("continuum/worm", 2, None), "takes no commands"),
                            (lambda: swing_up(act="joint.knee"), "no command has this name"),
                            (lambda: swing_up(limit=0.0), "limit"), (lambda: swing_up(steps=0), "1 or more"),
                            (lambda: swing_up().step(np.zeros((6, 1))), "reset first"),
                            (lambda: gym.Box(1.0, 0.0, (2,)), "above")):
            with self.assertRaisesRegex(sinew.ScenarioError, words):
                call()
        env = swing_up()
        env.reset()
        with self.assertRaisesRegex(sinew.ScenarioError, "shape"):
            env.step(np.zeros(6))
        env.close()
        with self.assertRaisesRegex(sinew.ScenarioError, "closed"):
            env.reset()


if __name__ == "__main__":
    unittest.main()
