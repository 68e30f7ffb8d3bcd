"""Rods and cables from the command line: what is shown runs to the same bits, checkpoints go on, bad keys are explained."""

import json
import math
import re
import unittest

from program import Case


class Rods(Case):
    def run_json(self, *arguments):
        return json.loads(self.succeeds("run", *arguments, "--no-record", "--json", cwd=self.folder))

    def check(self, text):
        path = self.folder / "bad.toml"
        path.write_text("duration = 1.0\n" + text)
        return self.fails(2, "check", str(path))

    def test_what_is_shown_runs_to_the_same_bits(self):
        for name in ("soft-arm-on-rover", "rod-snake-stick", "eel", "soft-snake-servo", "soft-bend45"):
            shown = self.folder / "shown.toml"
            shown.write_text(self.succeeds("show", name))
            self.assertEqual(self.run_json(str(shown), "--until", "0.1")["hash"],
                             self.run_json(name, "--until", "0.1")["hash"])

    def test_resumed_run_has_the_same_bits(self):
        whole = self.run_json("soft-arm-on-rover", "--until", "0.2")
        self.succeeds("run", "soft-arm-on-rover", "--until", "0.1", "--checkpoint", "c", "--no-record", "--quiet",
                      cwd=self.folder)
        self.assertEqual(self.run_json("--resume", "c", "--until", "0.2")["hash"], whole["hash"])

    def test_a_snake_shears_either_way_or_not_at_all(self):
        def head(kappa, gamma):
            out = self.run_json("snake-shear", "--set", f"kappa0={kappa}", "--set", f"Gamma_Y={gamma}")["result"]
            self.assertLess(out["slip"], 1e-7)
            return out["head_x_y_theta"]

        x, y, theta = head(2.0, 0.3)
        for got, wanted in zip(head(-2.0, -0.3), (x, -y, -theta)):  # in the mirror
            self.assertAlmostEqual(got, wanted, places=12)
        for got, wanted in zip(head(0.0, 0.3), (-0.4, 0.0, 0.0)):  # straight: V_o t
            self.assertAlmostEqual(got, wanted, places=12)
        for gamma in (0.0, 1e-13):  # along the arc: theta = kappa0 V_o t
            for got, wanted in zip(head(-2.0, gamma), (-math.sin(0.8) / 2, -(1 - math.cos(0.8)) / 2, 0.8)):
                self.assertAlmostEqual(got, wanted, places=9)

    def test_all_rods_have_one_vocabulary(self):
        units, table = {}, ""  # of each key of rods: unit -> tables
        for line in self.succeeds("show", "--keys").splitlines():
            if line.startswith("### "):
                table = line
            cells = [cell.strip() for cell in line.split("|")]
            if len(cells) == 7 and cells[1].startswith("`") and re.search(r'\[rod\.|"rod-|"soft-rod"', table):
                units.setdefault(cells[1], {}).setdefault(cells[3], []).append(table)
        self.assertEqual({key: found for key, found in units.items() if len(found) > 1}, {})
        for key, count in (("length", 9), ("radius", 9), ("density", 9), ("E", 2), ("shear_factor", 2), ("EI_z", 2),
                           ("viscosity", 2), ("drag_along", 8), ("wavelength", 5), ("cells", 8)):
            self.assertEqual(sum(map(len, units[f"`{key}`"].values())), count, key)

    def test_stiffnesses_of_a_section_are_given_in_the_same_words(self):
        six = self.run_json("soft-bend45")
        words = ["EA=1e7", "GA=5e6", "GJ=833333.3333333334", "EI=833333.3333333334", "section_stiffness=[]"]
        alone = self.run_json("soft-bend45", *(part for word in words for part in ("--set", word)))
        self.assertEqual(alone["hash"], six["hash"])
        soft = self.run_json("soft-bend45", *(part for word in words[:3] + words[4:] for part in ("--set", word)))
        self.assertNotEqual(soft["hash"], six["hash"])
        shown = self.succeeds("show", "soft-arm-on-rover", "--set", "rod.arm.EI=0.04")
        self.assertRegex(shown, r"\nEI_y = 0\.04 [^\0]*\nEI_z = 0\.04 ")
        self.assertIn("EI and EI_y are both given", self.check("[rod.arm]\nEI = 1.0\nEI_y = 1.0\n"))
        self.assertIn("rod.arm.G is -1", self.check("[rod.arm]\nG = -1.0\n"))

    def test_bad_rods_are_explained(self):
        self.assertIn("did you mean length", self.check("[rod.arm]\nlenght = 0.3\n"))
        self.assertIn("rod.arm.nu", self.check("[rod.arm]\nnu = 0.7\n"))
        self.assertIn("full, kirchhoff, planar", self.check('[rod.arm]\nfreedoms = "soft"\n'))
        self.assertIn("driven = true", self.check("[rod.arm.wave]\namplitude = 1.0\n"))
        self.assertIn("no body is named 'rover'", self.check('[rod.arm]\nparent = "rover"\n'))

    def test_bad_cables_are_explained(self):
        rod = "[rod.arm]\nlength = 0.3\n[cable.c]\n"
        self.assertIn("no rod is named 'leg'", self.check(rod + 'rod = "leg"\n'))
        self.assertIn('pressure belongs to cables of kind "chamber"', self.check(rod + 'rod = "arm"\npressure = 2.0\n'))
        self.assertIn("cable.c.end", self.check(rod + 'rod = "arm"\nend = 0.4\n'))
        self.assertIn("at least two points", self.check(rod))

    def test_contacts_that_cannot_do_it_are_reported_in_words(self):
        one_side = ["snake-turn", "--until", "0.5", "--set", "share=unilateral", "--set", "robot.sides=[1, 1, 1, 1, 1]"]
        self.assertIn("the contacts cannot produce this motion", self.run_json(*one_side)["remark"])
        self.assertIn("remark    the contacts cannot", self.succeeds("run", *one_side, "--no-record", cwd=self.folder))
        self.assertNotIn("remark", self.run_json("snake-turn", "--until", "0.5"))
        self.assertNotIn("remark", self.run_json("snake-shear", "--until", "0.1"))  # it has no contacts to share among

    def test_they_are_foreseen_by_check(self):
        path = self.folder / "mine.toml"
        for side, words in (("[1, 1, 1, 1, 1]", "note: the contacts cannot produce this motion"), ("[]", "ok\n")):
            share = "unilateral" if side != "[]" else "minimum-norm"
            path.write_text(f'duration = 2.0\n[robot]\nkind = "rod-snake"\nshare = "{share}"\nsides = {side}\n'
                            'C = [0.1, 0.3, 0.5, 0.7, 0.9]\nC_period = 1.0\n')
            self.assertTrue(self.succeeds("check", str(path)).startswith(words))

    def test_a_class_of_rod_holds_what_it_does_not_drive(self):
        words = self.fails(2, "run", "arm", "--set", "class=kirchhoff")
        self.assertIn("Gamma_X is held by this class of rod", words)

    def test_rods_with_equations_of_their_own_name_their_steppers(self):
        self.assertIn("one of rk4, rk45, euler", self.fails(2, "run", "viscous-snake", "--set", "method=verlet"))
        self.assertIn("one of generalized-alpha, rk4", self.fails(2, "run", "soft-release", "--set", "method=moreau"))

    def test_a_robot_of_the_catalogue_can_carry_a_rod(self):
        path = self.folder / "tail.toml"
        path.write_text("""duration = 0.2
[robot]
kind = "snake"
[ground]
kind = "plane"
[gait]
kind = "wave"
Ah_deg = 30.0
wh_deg_s = 80.0
dh_deg = -50.0
[rod.tail]
parent = "link11"
p_parent = [-0.061, 0.0, 0.0]
orientation = [0.0, 0.0, 0.0, 1.0]
length = 0.2
segments = 5
shape = "none"
[integrator]
method = "euler"
[output.result]
tip = "rod.tail.tip.p"
link = "body.link11.p"
""")
        result = self.run_json(str(path))["result"]
        distance = sum((a - b) ** 2 for a, b in zip(result["tip"], result["link"])) ** 0.5
        self.assertLess(distance, 0.261 + 0.001)  # half a link and the rod, which hardly stretches
        self.assertGreater(distance, 0.2)


if __name__ == "__main__":
    unittest.main()
