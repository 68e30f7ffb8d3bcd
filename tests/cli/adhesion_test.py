"""Adhesion from the command line: checkpoints remember it, bad keys are explained, the bench obeys its seed."""

import json
import unittest

from program import Case


class Adhesion(Case):
    def run_json(self, *arguments):
        return json.loads(self.succeeds("run", *arguments, "--no-record", "--json", cwd=self.folder))

    def test_resumed_run_has_the_same_bits(self):
        electro = ["--set", "adhesion=electro", "--set", "cohesion=0", "--set", "adhesion_surface=glass",
                   "--set", "contact.pad.top.area=0.0062", "--set", "discharge_time=0.1"]
        whole = self.run_json("ceiling-hold", *electro)
        self.succeeds("run", "ceiling-hold", *electro, "--until", "0.55", "--checkpoint", "c", "--no-record", "--quiet",
                      cwd=self.folder)
        rest = self.run_json("--resume", "c", "--until", "1")
        self.assertEqual(rest["hash"], whole["hash"])
        self.assertLess(whole["result"]["z"], -0.1)

    def test_pads_without_shapes_are_explained(self):
        error = self.fails(2, "run", "ceiling-hold", "--set", "contact.pad.top.shapes=nobody", "--no-record")
        self.assertIn("nobody", error)
        error = self.fails(2, "run", "wall-cling", "--set", "adhesion_area=0", "--no-record")
        self.assertIn("contact.adhesion_area", error)
        error = self.fails(2, "run", "wall-cling", "--set", "shear_strength=5", "--set", "law=complementarity",
                           "--no-record")
        self.assertIn("rigid", error)

    def test_what_the_bench_reads_falls_with_the_voltage(self):
        """With V^2, and so does its spread; without voltage the noise of the instruments is left, 2 mN on solids."""
        few = ["electroadhesion-bench", "--set", "batches=2", "--set"]
        third, none = (self.run_json(*few, f"pad_voltage={V}")["result"] for V in (1000, 0))
        for name in ("cork", "PMMA", "wood", "cardboard", "slate", "glass", "metalized-PET"):
            with self.subTest(name):
                mean, sigma = third[f"{name}_table"][1] / 9, third[f"{name}_sigma"] / 9
                # 12 pulls; 0.02 N: what the peak of the record adds, as in the scenario
                self.assertAlmostEqual(third[f"{name}_mean"], mean, delta=4 * sigma / 12**0.5 + 0.02)
                self.assertLess(third[f"{name}_std"], 2 * sigma + 0.002)
                self.assertLess(abs(none[f"{name}_mean"]), 0.005)
                self.assertLess(none[f"{name}_std"], 0.005)
        for name in ("sand", "regolith", "leaves"):
            self.assertLess(abs(none[f"{name}_mean"]), 0.002)

    def test_bench_depends_on_its_seed_alone(self):
        few = ["electroadhesion-bench", "--set", "batches=1"]
        first, again, other = (self.run_json(*few, "--seed", seed)["result"] for seed in ("4", "4", "5"))
        self.assertEqual(first, again)
        self.assertNotEqual(first["glass_mean"], other["glass_mean"])
        self.assertEqual(len(first["glass_forces"]), 6)
        self.assertAlmostEqual(min(first["glass_forces"]), first["glass_min"], places=12)


if __name__ == "__main__":
    unittest.main()
