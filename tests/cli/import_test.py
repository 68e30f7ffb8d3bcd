"""Robots of other programs: run, check, import and robot.file, what is told on the way, and what ends with which code."""

import json
import unittest

from program import Case, sinew

LEG = """\
<robot name="hopper">
  <link name="body">
    <inertial><mass value="2"/><inertia ixx="0.02" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial>
    <collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision>
  </link>
  <link name="leg">
    <inertial><origin xyz="0 0 -0.1"/><mass value="0.2"/>
      <inertia ixx="0.001" ixy="0" ixz="0" iyy="0.001" iyz="0" izz="0.0005"/></inertial>
    <collision><origin xyz="0 0 -0.2"/><geometry><box size="0.3 0.3 0.02"/></geometry></collision>
  </link>
  <joint name="hip" type="revolute">
    <parent link="body"/><child link="leg"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="20" velocity="10"/>
  </joint>
</robot>
"""

MODEL_OF_SDF = """\
<sdf version="1.7"><model name="table">
  <link name="top">
    <pose>0 0 2 0 0 0</pose>
    <inertial><mass>5</mass></inertial>
    <glow/>
    <collision name="c"><pose>0 0 -0.35 0 0 0</pose><geometry><box><size>1 1 0.7</size></box></geometry></collision>
  </link>
</model></sdf>
"""


class Import(Case):
    def model(self, text=LEG, name="hopper.urdf"):
        path = self.folder / name
        path.write_text(text)
        return path

    def test_a_robot_runs_and_stands_where_its_servos_hold_it(self):
        run = sinew("run", self.model(), "--no-record", "--json", "--until", "2", "--set", "robot.drive=servo",
                    "--set", "output.result.z=body.body.p.z", "--set", "output.result.moved={ signal = 'body.body.p', take = 'range' }")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("nothing holds body: it floats", run.stderr)
        result = json.loads(run.stdout)["result"]
        self.assertAlmostEqual(result["z"], 0.21, 6)
        self.assertLess(max(result["moved"]), 1e-6)

    def test_a_scenario_takes_a_robot_and_has_the_last_word(self):
        self.model()
        scenario = self.folder / "mine.toml"
        scenario.write_text('duration = 0.1\n[robot]\nfile = "hopper.urdf"\nbase = "fixed"\n'
                            "[joint.hip]\ndamping = 0.7\n[ground]\nkind = \"none\"\n")
        shown = sinew("show", scenario)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertRegex(shown.stdout, r"damping = \[?0\.7")
        self.assertRegex(shown.stdout, r'\[joint\.body_fixed\]\nkind = "weld"')
        self.assertRegex(shown.stdout, r'\[ground\]\nkind = "none"')
        self.assertEqual(sinew("run", scenario, "--no-record").returncode, 0)

    def test_what_is_wrong_with_a_robot_in_a_scenario_is_said_at_its_own_line(self):
        self.model(LEG.replace('upper="1"', 'upper="one"'))
        scenario = self.folder / "mine.toml"
        scenario.write_text('[robot]\nfile = "hopper.urdf"\n')
        check = sinew("check", scenario)
        self.assertEqual(check.returncode, 2)
        self.assertIn('hopper.urdf:13: upper="one" of <limit>: give finite numbers', check.stderr)
        scenario.write_text('[robot]\nfile = "nowhere.urdf"\n')
        check = sinew("check", scenario)
        self.assertEqual(check.returncode, 2)
        self.assertIn("mine.toml:2: robot.file:", check.stderr)
        self.model()
        scenario.write_text('[robot]\nfile = "hopper.urdf"\nbase = "flying"\n')
        self.assertIn('"flying" is none of auto, free, fixed', sinew("check", scenario).stderr)
        scenario.write_text('[robot]\nkind = "snake"\nfile = "hopper.urdf"\n')
        self.assertIn("brings its own bodies", sinew("check", scenario).stderr)
        scenario.write_text('[robot]\nbase = "free"\n')
        self.assertIn("say how a robot's file is read, but none is given", sinew("check", scenario).stderr)

    def test_the_scenario_that_import_writes_runs_as_the_robot_does(self):
        path = self.model()
        out = self.folder / "mine.toml"
        made = sinew("import", path, "--out", out, "--drive", "motion")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertIn("# decision 1: ", out.read_text())
        hashes = [json.loads(sinew("run", *arguments, "--no-record", "--json", "--until", "0.2").stdout)["hash"]
                  for arguments in ([out], [path, "--set", "robot.drive=motion"])]
        self.assertEqual(*hashes)
        again = sinew("import", path, "--out", out)
        self.assertEqual(again.returncode, 4)  # what is there is not replaced

    def test_check_tells_masses_ranges_and_inertia_that_no_such_body_has(self):
        check = sinew("check", self.model())
        self.assertRegex(check.stdout, r"\nall +2\.2\n")
        self.assertRegex(check.stdout, r"\nhip +revolute +-1 to 1 +none\n")
        self.assertIn("shapes touch the ground; bodies do not touch each other", check.stdout)
        self.assertNotIn("!", check.stdout)
        check = sinew("check", self.model(LEG.replace('"0.02"', '"20"')))  # as if in kg cm^2
        self.assertEqual(check.returncode, 0)
        self.assertIn("! body: 2 kg within 0.15 m have a moment of 0.045 kg m^2 at most, not 20: is it in other units?", check.stdout)
        self.assertRegex(sinew("check", "pendulum", "--health").stdout, r"body +mass")

    def test_a_model_of_sdf_runs_stands_and_is_checked(self):
        path = self.model(MODEL_OF_SDF, "table.sdf")
        run = sinew("run", path, "--no-record", "--json", "--until", "1", "--set", "output.result.z=body.top.p.z")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertAlmostEqual(json.loads(run.stdout)["result"]["z"], 0.7, 6)  # put on the ground
        check = sinew("check", path)
        self.assertEqual(check.returncode, 0, check.stderr)
        self.assertIn("table.sdf:5: <glow> in <link> is not understood and left out", check.stdout)
        self.assertRegex(check.stdout, r"\ntop +5 +1 ")
        static = self.model(MODEL_OF_SDF.replace("<glow/>", "").replace('"table">', '"table"><static>1</static>'), "fixed.sdf")
        self.assertRegex(sinew("check", static).stdout, r"top_fixed +weld")  # told although there is nothing to note
        self.assertEqual(sinew("run", static, "--no-record", "--until", "0.1").returncode, 0)

    def test_strict_makes_errors_of_warnings(self):
        path = self.model(LEG.replace("</robot>", "<wings span='2'/></robot>"))
        for command in ("check", "run", "import"):
            process = sinew(command, path, "--strict")
            self.assertEqual(process.returncode, 2, command)
            self.assertIn("warning 1: ", process.stderr)
            self.assertIn("<wings> in <robot> is not understood", process.stderr)
        self.assertEqual(sinew("check", path).returncode, 0)

    def test_a_missing_mesh_is_a_warning_for_check_and_an_error_for_run(self):
        path = self.model(LEG.replace('<box size="0.2 0.2 0.1"/>', '<mesh filename="package://hopper/body.stl"/>'))
        check = sinew("check", path)
        self.assertEqual(check.returncode, 0, check.stderr)
        self.assertIn("mesh package://hopper/body.stl: no such file", check.stdout)
        run = sinew("run", path, "--no-record")
        self.assertEqual(run.returncode, 2)
        self.assertIn("is all that it touches with, and is missing", run.stderr)
        run = sinew("run", path, "--no-record", "--until", "0.01", "--without-meshes")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("body: the mesh package://hopper/body.stl is left out", run.stderr)

    def test_damaged_files_are_refused_with_code_2(self):
        for name, text in {"cut.urdf": LEG[:200], "empty.urdf": "", "noise.urdf": "\x01\x02", "page.xml": "<html/>"}.items():
            process = sinew("check", self.model(text, name))
            self.assertEqual(process.returncode, 2, name)
            self.assertIn(name, process.stderr)
        self.assertEqual(sinew("check", self.folder / "nowhere.urdf").returncode, 4)
        self.assertEqual(sinew("import", self.model(), "--base", "flying").returncode, 2)


if __name__ == "__main__":
    unittest.main()
