"""Obstacles, rough ground and real actuators of the snake robot, as a user meets them."""

import tomllib
import unittest

from program import ROOT, Case

SCENARIOS = ["obstacle-aided", "stairs", "incline", "rough-ground", "free-play", "saturation", "axis-offset", "scales"]


class Snake(Case):
    def test_every_scenario_has_numbers(self):
        for name in SCENARIOS:  # they are run by the entry validate/snake of ctest
            cases = tomllib.loads((ROOT / f"scenarios/snake/{name}.toml").read_text())["validate"].values()
            self.assertGreater(sum(len(case["expect"]) for case in cases), 1, name)

    def test_shown_scenarios_run_to_the_same_hash(self):
        for name in ("obstacle-aided", "snake/stairs", "axis-offset", "saturation", "free-play"):
            path = self.file(self.succeeds("show", name))
            self.assertEqual(self.run_json(path, "--until", 0.05)["hash"], self.run_json(name, "--until", 0.05)["hash"], name)

    def test_pegs_push_with_forces_that_are_signals(self):
        out = self.run_json("obstacle-aided", "--until", 3,
                            "--set", 'output.result.push={signal="contact.link7.capsule:peg.3.normal", take="max"}')
        self.assertGreater(out["result"]["push"], 5.0)

    def test_a_wall_stops_the_robot(self):
        wall = """
[ground.obstacle.wall]
kind = "box"
position = [0.9, 0.0, 0.1]
size = [0.1, 2.0, 0.2]
"""
        path = self.file(self.succeeds("show", "incline") + wall)
        ends = [self.run_json(path, "--set", "incline=0", "--set", f"ground.obstacle.wall.position={place}",
                              "--set", "output.result.head=body.link1.p")["result"]["head"][0]
                for place in ("[0.9, 0.0, 0.1]", "[9.0, 0.0, 0.1]")]
        # the head's sphere ends 0.0918 m ahead of its centre and may turn aside
        self.assertLess(ends[0], 0.85)
        self.assertGreater(ends[1], 1.5)

    def test_what_cannot_be_is_refused_with_the_way_out(self):
        refused = {
            ("axis-offset", "coordinates=maximal"): "robot.cross_mass",
            ("axis-offset", "axis_offset=0.2"): "robot.link_length",
            ("saturation", "torque_limit=inf"): "robot.torque_limit",
            ("free-play", "yaw_limit_deg=20"): "outside of the range",
            ("obstacle-aided", "ground.pegs.y=[0.0]"): "7 x and 1 y",
            ("obstacle-aided", "y0=0.05"): "robot.x0, y0, yaw0",
            ("rough-ground", "robot.x0=30"): "no ground below the robot",
        }
        for (name, value), words in refused.items():
            self.assertIn(words, self.fails(2, "run", name, "--set", value))


if __name__ == "__main__":
    unittest.main()
