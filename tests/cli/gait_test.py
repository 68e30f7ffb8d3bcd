"""Gaits as a user meets them: basics/wave-chain."""

import math
import unittest

from program import Case


class Gait(Case):
    def test_joints_follow_the_formula(self):
        times = [1.0, 2.3, 6.0]  # the ramp ends at 1 s
        out = self.run_json("wave-chain", "--set", f"output.at={times}")["result"]
        for t, q in zip(times, out["at"]["q"]):
            for i in range(5):
                want = math.radians(35) * math.sin(math.radians(180 * t - 60 * i))
                self.assertAlmostEqual(q[7 + i], want, delta=1e-12)  # after the head's seven coordinates

    def test_every_drive_takes_the_wave(self):
        servo = [f"--set=joint.j{i}.{key}" for i in range(1, 6) for key in ('drive="servo"', "kp=20", "kd=0.2")]
        out = self.run_json("wave-chain", *servo, "--set=integrator.actuator=implicit")["result"]
        want = math.radians(35) * math.sin(math.radians(180 * 6))
        self.assertAlmostEqual(out["first"], want, delta=0.1)  # lags by kd/kp and the load

    def test_the_wave_moves_the_chain_against_its_own_direction(self):
        forward = self.run_json("wave-chain")["result"]["way"]
        backward = self.run_json("wave-chain", "--set", "dh_deg=60")["result"]["way"]
        self.assertGreater(forward, 0.1)
        self.assertLess(backward, -0.1)

    def test_shown_scenario_runs_to_the_same_hash(self):
        path = self.file(self.succeeds("show", "wave-chain"))
        self.assertEqual(self.run_json(path, "--until", 0.2)["hash"], self.run_json("wave-chain", "--until", 0.2)["hash"])

    def test_rates_in_degrees_or_radians_from_the_command_line(self):
        hashes = {self.run_json("wave-chain", "--until", 0.1, "--set", value)["hash"]
                  for value in ("wh_deg_s=90", f"wh={math.radians(90)!r}")}
        self.assertEqual(len(hashes), 1)

    def test_own_motion_and_gait_are_refused_with_both_names(self):
        message = self.fails(2, "run", "wave-chain", "--set", "joint.j2.motion.amplitude=0.1")
        self.assertIn("joint.j2.motion", message)
        self.assertIn('gait.kind = "wave"', message)

    def test_unknown_gait_names_the_known_ones(self):
        message = self.fails(2, "run", "wave-chain", "--set", "gait.kind=wav")
        for name in ("none", "lateral-undulation", "turning", "wave"):
            self.assertIn(name, message)


if __name__ == "__main__":
    unittest.main()
