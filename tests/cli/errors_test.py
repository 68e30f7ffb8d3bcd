"""What sinew says about bad scenario files: everything at once, with file and line and how to put it right."""

import unittest

from program import PENDULUM, Case


class BadFiles(Case):
    def problems(self, text):
        """{line: message} of a file that has problems."""
        path = self.file(text)
        found = {}
        for line in self.fails(2, "check", path).splitlines():
            place, message = line.removeprefix("error: ").removeprefix(str(path)).split(": ", 1)
            found.setdefault(int(place.removeprefix(":")), []).append(message)
        return found

    def test_all_problems_at_once(self):
        found = self.problems("""\
title = 3
duratoin = 4
[gravity]
g = [0, 1]
[body.bob]
mass = "heavy"
[joint.pivot]
knd = "revolute"
child = "bob"
[integrator]
method = "rk5"
step = 0
[output]
at = [1, "x"]
""")
        self.assertEqual(sorted(found), [1, 2, 4, 6, 8, 11, 12, 14])
        self.assertIn("text in quotes", found[1][0])
        self.assertIn("did you mean duration?", found[2][0])
        self.assertIn("3 numbers [m/s^2]", found[4][0])
        self.assertIn("a number [kg]", found[6][0])
        self.assertIn("did you mean kind", found[8][0])
        self.assertIn("allowed here: kind, parent, child", found[8][0])
        self.assertIn("did you mean rk4 or rk45?", found[11][0])
        self.assertIn("must be > 0", found[12][0])

    def test_rules_of_the_plan_have_lines_too(self):
        found = self.problems("""\
[body.bob]
inertia = [1, 1, 5]
[body.two]
[joint.pivot]
child = "bobb"
[loop.l]
kind = "free"
child = "bob"
""")
        self.assertEqual(sorted(found), [1, 2, 3, 5, 7])
        self.assertIn("bobb", found[5][0])

    def test_unknown_signal_names_the_nearest(self):
        found = self.problems(PENDULUM + 'y = "body.bob.py"\n')
        self.assertIn("did you mean body.bob.p.y", found[len(PENDULUM.splitlines()) + 1][0])

    def test_degrees(self):
        both = self.problems(PENDULUM.replace('"bob"', '"bob"\nposition = 1\nposition_deg = 3'))
        self.assertIn("both given", both[13][0])
        slide = self.problems(PENDULUM.replace('"bob"', '"bob"\nkind = "prismatic"\nposition_deg = 3'))
        self.assertIn("no angle", slide[13][0])

    def test_drive_that_is_not_switched_on(self):
        found = self.problems(PENDULUM.replace("[output", "[joint.pivot.motion]\nrate = 1\n[output"))
        self.assertIn('drive = "motion"', found[10][0])

    def test_robot_of_the_catalogue_takes_no_bodies(self):
        found = self.problems(PENDULUM + '[robot]\nkind = "spring-chain"\n')
        self.assertEqual(sorted(found), [7, 10])

    def test_numbers_that_are_none(self):
        for value in ("nan", "inf", "-inf", "true", "[1]", '"one"', '"1 +"', "1979-05-27", "{}"):
            with self.subTest(value):
                self.assertIn(8, self.problems(PENDULUM.replace("mass = 1.0", f"mass = {value}")))

    def test_names(self):
        self.assertIn(7, self.problems(PENDULUM.replace("[body.bob]", '[body."b o b"]')))
        self.assertIn(7, self.problems(PENDULUM.replace("[body.bob]", '[body.world]')))

    def test_tables_that_are_none(self):
        self.assertIn(1, self.problems("robot = 3\n" + PENDULUM))
        self.assertIn(1, self.problems("body = [1]\n"))

    def test_lists_that_belong_together_have_equal_lengths(self):
        for scenario, *sets, key in (
            ("continuum/pegs", "ground.pegs.y=[]", "ground.pegs.y"),
            ("continuum/pegs", "ground.pegs.x=[0.1]", "every peg has an x and a y"),
            ("snake/obstacle-aided", "ground.pegs.y=[0.3]", "ground.pegs.y"),
            ("continuum/arm", "modes_omega=[]", "modes_omega"),
            ("quadruped/phases-and-tails", "robot.tail=shared", "robot.tl=[0.1, 0.1]", "robot.tm"),
        ):
            with self.subTest(sets):
                message = self.fails(2, "show", scenario, *(word for s in sets for word in ("--set", s)))
                self.assertIn(key, message)

    def test_attitudes_that_are_none(self):
        for scenario, key in (("quadruped/self-righting", "start_quat"), ("quadruped/trot", "quat")):
            with self.subTest(key):
                self.assertIn("no attitude", self.fails(2, "show", scenario, "--set", f"{key}=[0,0,0,0]"))

    def test_number_of_links_and_their_lengths(self):
        message = self.fails(2, "show", "softbot/limb-unforced", "--set", "robot.n=3", "--set", "robot.lengths=[0.1, 0.2]")
        self.assertIn("robot.n is 3, but robot.lengths has 2", message)
        shown = self.succeeds("show", "--set", "robot.n=2", "--set", "robot.lengths=[0.1, 0.2]", "softbot/limb-unforced",
                              "--set", "robot.theta0=[]", "--set", "robot.rate0=[]", "--set", "robot.k=[]", "--set", "robot.c=[]")
        self.succeeds("check", self.file(shown))

    def test_quaternion_of_wrong_length(self):
        self.assertIn(12, self.problems(PENDULUM.replace('"bob"', '"bob"\norientation = [1, 1, 0, 0]')))

    def test_step_that_would_never_end(self):
        self.assertIn("never end", str(self.problems(PENDULUM + "[integrator]\nstep = 1e-200\n")))

    def test_syntax_errors_have_a_line(self):
        self.assertIn(3, self.problems("title = 1\n\na = \n"))
        self.assertIn(2, self.problems("title = 'x'\ntitle = 'y'\n"))

    def test_empty_file(self):
        self.assertIn("at least one body", self.problems("")[1][0])

    def test_binary_files(self):
        for content in (b"\x00", bytes(range(256)), b"\x7fELF" + b"\xff" * 50, b"\x89HDF\r\n\x1a\n"):
            with self.subTest(content[:8]):
                self.fails(2, "check", self.file(content))

    def test_deep_nesting_is_an_error_not_a_crash(self):
        self.fails(2, "check", self.file("a = " + "[" * 100000))


if __name__ == "__main__":
    unittest.main()
