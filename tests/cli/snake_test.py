"""The snake robot as a user meets it: its results, the summary of a run, and every number of its specification."""

import json
import re
import unittest

from program import ROOT, Case

RESULTS = """mid_x mid_y mid_z head_x head_y head_z tail_x tail_y tail_z com_dx com_dy com_speed heading_deg distance
    cost_of_transport ekin epot work_actuators work_contact work_joints energy_residual max_torque saturated_time mean_normal_force
    mean_contacts max_penetration max_joint_drift max_cone_violation max_friction_gain mean_iterations failed_steps
    worst_residual wall_time""".split()


class Results(Case):
    def test_list_names_those_of_the_robot_and_of_the_file(self):
        entries = {entry["name"]: entry for entry in json.loads(self.succeeds("list", "--json"))}
        self.assertEqual(entries["snake/sidewinding"]["result"], RESULTS)
        self.assertEqual(entries["snake/straight-at-rest"]["result"][:len(RESULTS) + 1], RESULTS + ["front1"])

    def test_run_reports_what_list_names(self):
        out = self.run_json("link-slide", "--until", 0.1, "--no-record")
        self.assertEqual(list(out["result"]), RESULTS)
        self.assertEqual(out["result"]["wall_time"], out["wall_s"])
        self.assertEqual(out["result"]["work_actuators"], out["energy"]["work_actuators"])
        self.assertEqual(out["result"]["energy_residual"], out["energy"]["balance_error"])
        self.assertEqual(out["result"]["failed_steps"], out["solver"]["unconverged_steps"])

    def test_results_of_the_command_line_add_and_replace(self):
        out = self.run_json("link-slide", "--until", 0.1, "--no-record", "--set", "output.result.ekin=t",
                            "--set", 'output.result.down={signal="com.p", take="change"}')["result"]
        names = list(out)
        self.assertEqual(names[:-2], [name for name in RESULTS if name != "ekin"])
        self.assertEqual(set(names[-2:]), {"ekin", "down"})
        self.assertEqual(out["ekin"], 0.1)
        self.assertEqual(out["down"][0], out["com_dx"])

    def test_mean_speed_begins_at_t_avg_start(self):
        late = self.run_json("link-slide", "--no-record", "--set", "output.t_avg_start=0.5")["result"]
        # uniform acceleration from rest: 2 s / t^2 = 0.643868 m/s^2; its mean speed in the second half is at 0.75 s
        self.assertAlmostEqual(late["com_speed"], 0.643868 * 0.75, places=5)
        never = self.run_json("link-slide", "--no-record", "--set", "output.t_avg_start=2")["result"]
        self.assertIsNone(never["com_speed"])

    def test_at_times(self):
        at = self.run_json("link-slide", "--no-record", "--set", "output.at=[0, 0.5, 1]")["result"]["at"]
        self.assertEqual((at["com_dx"][0], at["distance"][0]), (0.0, 0.0))
        self.assertAlmostEqual(at["com_dx"][1] / at["com_dx"][2], 0.25, places=6)
        self.assertEqual(at["distance"], at["com_dx"])


class Summary(Case):
    def test_tells_the_journey_and_leaves_the_long_list_to_json(self):
        text = self.succeeds("run", "sidewinding", "--until", 0.5, "--no-record")
        self.assertRegex(text, r"journey   0\.\d+ m in the direction \d+\.\d deg")
        self.assertRegex(text, r"heading -?\d")
        self.assertRegex(text, r"drives spent \S+ J: cost of transport \S+")
        self.assertNotIn("mean speed", text)  # that begins at 6 s
        self.assertIn(f"{len(RESULTS)} numbers of the robot: see --json", text)
        self.assertNotIn("max_cone_violation", text)
        self.assertLess(len(text.splitlines()), 24)

    def test_mean_speed_says_since_when(self):
        text = self.succeeds("run", "link-slide", "--no-record", "--set", "output.t_avg_start=0.5")
        self.assertIn("mean speed 0.4829 m/s from 0.5 s on", text)

    def test_a_robot_that_stays(self):
        self.assertIn("journey   it stays where it is", self.succeeds("run", "link-stick", "--no-record"))


class Files(Case):
    def test_every_scenario_says_what_to_try(self):
        for path in sorted((ROOT / "scenarios" / "snake").glob("*.toml")):
            with self.subTest(path.name):
                head = re.match(r"(#.*\n)+", path.read_text()).group()
                self.assertRegex(head, f"sinew run (snake/)?{path.stem} --set ")
                self.assertEqual(self.succeeds("check", path), "ok\n")
                for command in re.findall(r"# +sinew (run .*?)(?:  +.*)?\n", head):
                    words = command.split()
                    self.succeeds(*words, "--until", 0.002, "--no-record", "--quiet")


if __name__ == "__main__":
    unittest.main()
