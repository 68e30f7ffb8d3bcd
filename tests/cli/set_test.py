"""--set KEY=VALUE in all its forms."""

import re
import unittest

from program import PENDULUM, Case


class Set(Case):
    def shown(self, key, *sets, scenario="pendulum"):
        """The value that `show` prints for a key after these sets."""
        arguments = [word for one in sets for word in ("--set", one)]
        text = self.succeeds("show", scenario, *arguments)
        table, _, name = key.rpartition(".")
        section = text if not table else text.split(f"\n[{table}]\n")[1].split("\n[")[0]
        return re.search(rf"(?m)^{name} = (.*?) +#", section).group(1)

    def test_dotted_last_part_and_parts(self):
        for key in ("body.bob.mass", "bob.mass", "mass"):
            self.assertEqual(self.shown("body.bob.mass", f"{key}=2.5"), "2.5")

    def test_values_in_toml_syntax(self):
        self.assertEqual(self.shown("body.bob.com", "com=[1, 2.5, 1e-3]"), "[1.0, 2.5, 0.001]")
        self.assertEqual(self.shown("title", 'title="two words"'), '"two words"')
        self.assertEqual(self.shown("output.at", "at=[1, 2]"), "[1.0, 2.0]")

    def test_text_needs_no_quotes(self):
        self.assertEqual(self.shown("integrator.method", "method=euler"), '"euler"')
        self.assertEqual(self.shown("title", "title=two words"), '"two words"')
        self.assertEqual(self.shown("title", "title=2024"), '"2024"')

    def test_degrees(self):
        self.assertEqual(self.shown("joint.pivot.position", "position_deg=180"), "3.141592653589793")
        self.assertEqual(self.shown("joint.shoulder.position", "shoulder.position=1", scenario="double-pendulum"), "1.0")

    def test_last_one_counts(self):
        self.assertEqual(self.shown("duration", "duration=1", "duration=2"), "2.0")

    def test_one_number_for_all_axes(self):
        self.assertEqual(self.shown("joint.tip.damping", "damping=0.1", scenario="spinning-top"), "[0.1, 0.1, 0.1]")

    def test_order_does_not_matter_where_a_key_makes_others(self):
        path = self.file("")
        for sets in (("links=4", "robot.kind=spring-chain"), ("robot.kind=spring-chain", "links=4")):
            self.assertEqual(self.shown("robot.links", *sets, scenario=path), "4")

    def test_new_result(self):
        result = self.run_json("pendulum", "--until", 0.1, "--set", "output.result.speed=body.bob.v")["result"]
        self.assertEqual(len(result["speed"]), 3)
        self.assertIn("x", result)
        result = self.run_json("pendulum", "--set", 'output.result.top={signal="body.bob.p.y", take="max"}')["result"]
        self.assertAlmostEqual(result["top"], 0.0, places=9)

    def test_it_acts(self):
        light, heavy = (self.run_json("spring-chain", "--set", f"mass={m}")["result"] for m in (1, 2))
        self.assertNotEqual(light["x_first"], heavy["x_first"])


class BadSet(Case):
    def test_unknown_key_names_the_nearest(self):
        message = self.fails(2, "run", "pendulum", "--set", "mas=2")
        self.assertEqual(message.count("\n"), 1)
        self.assertTrue(message.startswith("error: --set mas=2: "))
        self.assertIn("did you mean body.bob.mass?", message)

    def test_ambiguous_key_lists_all(self):
        message = self.fails(2, "run", "double-pendulum", "--set", "mass=2")
        self.assertIn("body.upper.mass, body.lower.mass", message)

    def test_wrong_type_and_range(self):
        self.assertIn("a number [kg]", self.fails(2, "run", "pendulum", "--set", "mass=heavy"))
        self.assertIn("3 numbers", self.fails(2, "run", "pendulum", "--set", "axis=3"))
        self.assertIn("must be >= 0", self.fails(2, "run", "pendulum", "--set", "mass=-1"))
        self.assertIn("did you mean euler?", self.fails(2, "run", "pendulum", "--set", "method=eulr"))
        self.assertIn("whole number", self.fails(2, "run", "spring-chain", "--set", "links=2.5"))
        self.assertIn("at most robot.links", self.fails(2, "run", "spring-chain", "--set", "mode=9"))

    def test_no_value(self):
        for text in ("mass", "=3", "", "mass="):
            with self.subTest(text):
                self.fails(2, "run", "pendulum", "--set", text)

    def test_several_problems_and_those_of_the_file(self):
        path = self.file(PENDULUM.replace("duration", "druation"))
        lines = self.fails(2, "run", path, "--set", "mas=1", "--set", "mass=x").splitlines()
        self.assertEqual(len(lines), 3)
        self.assertIn(f"{path}:2: ", "".join(lines))

    def test_rule_of_the_plan_is_laid_to_the_set(self):
        self.assertIn("error: --set axis=[0,0,0]: ", self.fails(2, "run", "pendulum", "--set", "axis=[0,0,0]"))


if __name__ == "__main__":
    unittest.main()
