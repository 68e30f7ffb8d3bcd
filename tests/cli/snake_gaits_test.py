"""The library of gaits for snakes: every gait has a page, a picture, a scenario and numbers that come out."""

import re
import tomllib
import unittest
import xml.etree.ElementTree as xml

import quasi_static
from program import ROOT, Case

PAGE = ROOT / "docs/gaits.md"


def section(gait):
    """The part of the page about a gait."""
    return re.search(rf"^## {gait}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S).group(1)


def scenario(gait):
    return ROOT / f"scenarios/snake/gait-{gait}.toml"


class Library(Case):
    def gaits(self):
        """Names of the catalogue that are for snakes, but `wave`, which is the general one; those of soft robots and of legs have tests of their own."""
        shown = self.succeeds("show", "pendulum").partition("\n[gait]\n")[2]
        names = re.search(r"^kind = .*; one of (.*?);", shown, re.M).group(1).split(" | ")
        self.assertIn("turning", names)
        self.assertIn("wave", names)
        return [name for name in names if name not in ("none", "wave", "limb-arch", "inchworm", "legs")]

    def keys(self, gait):
        """Names of the gait's keys, from the table of all keys."""
        table = self.succeeds("show", "--keys").partition(f'### `[gait], kind = "{gait}"`')[2].partition("###")[0]
        keys = re.findall(r"^\| `(\w+)`", table, re.M)
        self.assertTrue(keys, gait)
        return keys

    def test_every_gait_is_on_the_page_with_its_keys(self):
        for gait in [*self.gaits(), "wave", "legs"]:
            self.assertIn(f"[`{gait}`](#{gait})", PAGE.read_text())
            listed = re.search(r"^Keys: (.*)\.$", section(gait), re.M).group(1)
            self.assertEqual(sorted(re.findall(r"`(\w+)`", listed)), sorted(self.keys(gait)), gait)

    def test_every_gait_has_a_small_picture_with_axes_in_metres(self):
        for gait in self.gaits():
            self.assertIn(f"_static/gaits/{gait}.svg", section(gait))
            picture = ROOT / f"docs/_static/gaits/{gait}.svg"
            self.assertLess(picture.stat().st_size, 40_000)
            words = [text.text for text in xml.parse(picture).iter("{http://www.w3.org/2000/svg}text")]
            self.assertTrue(any(word.startswith("x [m]") for word in words), gait)
            self.assertIn("y [m]", words)
            self.assertIn("head", words)

    def test_every_gait_has_a_scenario_that_uses_it_and_is_named_on_the_page(self):
        for gait in self.gaits():
            self.assertEqual(tomllib.loads(scenario(gait).read_text())["gait"]["kind"], gait)
            self.assertEqual(self.succeeds("check", scenario(gait)), "ok\n")
            self.assertIn(f"\nsinew run gait-{gait}\n", section(gait))

    def test_every_gait_has_numbers(self):
        for gait in self.gaits():  # they are run by the entry validate/snake of ctest
            cases = tomllib.loads(scenario(gait).read_text())["validate"].values()
            self.assertTrue(any(case.get("expect") for case in cases), gait)


class SecondMethod(unittest.TestCase):
    """The numbers of the model without inertia that scenarios expect are what the model gives."""

    def expected(self, gait, case):
        numbers = tomllib.loads(scenario(gait).read_text())["validate"][case]["expect"]
        return [numbers[name]["value"] for name in ("x", "y") if name in numbers]

    def test_expected_ways_are_those_of_the_model(self):
        for gait, case, waves, mu in (("lateral-undulation", "forward", 1.5, (0.1, 0.5)),
                                      ("lateral-undulation", "stiff", 1.5, (0.1, 0.5)),
                                      ("lateral-undulation", "backward", -1.5, (0.1, 0.5)),
                                      ("lateral-undulation", "isotropic", 1.5, (0.5, 0.5)),
                                      ("sinus-lifting", "flat", 2.0, (0.1, 0.5))):
            model = quasi_static.way(quasi_static.Wave(30, waves), mu, periods=5)
            for have, want in zip(model, self.expected(gait, case)):
                self.assertAlmostEqual(have, want, delta=0.002, msg=f"{gait} {case}")

    def test_model_does_not_move_without_a_wave_and_mirrors_with_it(self):
        self.assertEqual(quasi_static.way(quasi_static.Wave(0, 1.5), (0.1, 0.5), 1, 10), (0.0, 0.0))
        x, y = quasi_static.way(quasi_static.Wave(30, 1.5), (0.1, 0.5), 1, 20)
        mirrored = quasi_static.way(quasi_static.Wave(-30, 1.5), (0.1, 0.5), 1, 20)
        self.assertAlmostEqual(mirrored[0], x, delta=1e-9)
        self.assertAlmostEqual(mirrored[1], -y, delta=1e-9)


if __name__ == "__main__":
    unittest.main()
