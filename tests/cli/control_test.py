"""Control of soft robots through the program: results, errors and runs that go on."""

import unittest

from program import Case, sinew


class ControlTest(Case):
    def refused(self, code, *arguments):
        done = sinew("run", *arguments)
        self.assertEqual(done.returncode, code, done.stderr)
        return done.stderr + done.stdout

    def test_limb_stays_near_its_path(self):
        r = self.run_json("limb-lqr3", "--until", "20")["result"]
        self.assertEqual(len(r["err_max"]), 3)
        self.assertLess(max(r["err_max"]), 0.0091)  # 0.0086 at the highest place, and the source's tolerance
        self.assertLess(max(r["err_rms"]), max(r["err_max"]))
        self.assertLess(max(r["moment_max"]), 0.0071)

    def test_regulator_that_cannot_be_is_refused_in_words(self):
        text = self.refused(2, "shape-lqr", "--set", "gravity.kind=uniform", "--set", "gravity.g=[0,0,-1e-3]")
        self.assertIn("joints that are not followed feel gravity", text)

    def test_unknown_joint_is_named(self):
        text = self.refused(2, "limb-lqr3", "--set", 'actuated=["knee"]')
        self.assertIn('no joint that the controller follows is named "knee"', text)

    def test_key_of_another_kind_is_refused(self):
        text = self.refused(2, "limb-lqr3", "--set", "angle_gain=3")
        self.assertIn('angle_gain has no meaning for control.kind = "lqr"', text)

    def test_lagging_actuators_go_on_where_they_were(self):
        whole = self.run_json("limb-lqr3-limited", "--until", "2")
        half = self.folder / "half.checkpoint"
        self.succeeds("run", "limb-lqr3-limited", "--until", "1", "--checkpoint", half)
        self.assertEqual(self.run_json("--resume", half, "--until", "2")["hash"], whole["hash"])

    def test_scheme_of_the_thesis_without_a_solution_ends_with_code_3(self):
        text = self.refused(3, "table-on-five-legs", "--set", "solver=newton-normal")
        self.assertIn("contact", text)

    def test_scheme_of_the_thesis_refuses_what_it_does_not_know(self):
        text = self.refused(2, "bouncing-ball", "--set", "solver=newton-normal")
        self.assertIn('restitution has no meaning for contact.solver = "newton-normal"', text)


if __name__ == "__main__":
    unittest.main()
