"""sinew new: templates that run as they are and can be changed."""

import re
import shlex
import unittest
from pathlib import Path

from program import Case

TEMPLATES = ("arm", "crawler", "snake", "soft-arm", "walker", "wheels")


class New(Case):
    def made(self, name):
        return self.file(self.succeeds("new", name))

    def result(self, name, *sets):
        words = [word for one in sets for word in ("--set", one)]
        return self.run_json(self.made(name), "--no-record", *words)

    def test_they_are_listed(self):
        lines = self.succeeds("new").splitlines()
        self.assertEqual(tuple(line.split()[0] for line in lines), TEMPLATES)
        self.assertTrue(all(len(line.split()) > 2 for line in lines), lines)

    def test_each_is_commented_and_without_problems(self):
        for name in TEMPLATES:
            text = self.succeeds("new", name)
            self.assertGreater(text.count("#"), 15, name)
            self.assertEqual(self.succeeds("check", self.file(text)), "ok\n", name)

    def test_commands_in_their_comments_work(self):
        for name in TEMPLATES:
            path = self.made(name)
            lines = [line for line in path.read_text().splitlines() if line.startswith("#   sinew run FILE")]
            self.assertGreaterEqual(len(lines), 2, name)
            for line in lines:
                words = shlex.split(re.split(r"\s{2,}", line[1:].strip())[0])
                self.run_json(path, *words[3:], "--until", 0.005, "--no-record")

    def test_the_arm_lifts_its_ball(self):
        run = self.result("arm")
        self.assertEqual(run["solver"]["unconverged_steps"], 0)
        self.assertGreater(run["result"]["highest"], 0.4)
        longer = self.result("arm", "upper_arm=0.5")["result"]
        self.assertGreater(longer["highest"], run["result"]["highest"] + 0.05)

    def test_the_car_goes_as_fast_as_it_should_and_straight(self):
        for speed in (0.5, 1.0):
            result = self.result("wheels", f"speed={speed}")["result"]
            self.assertAlmostEqual(result["speed"], speed, delta=0.01 * speed)
            self.assertAlmostEqual(result["sideways"], 0.0, delta=1e-9)

    def test_the_snake_goes_forward(self):
        run = self.result("snake", "duration=4", "links=6")
        self.assertEqual(run["solver"]["unconverged_steps"], 0)
        self.assertGreater(run["result"]["head"][0], 0.3)

    def test_the_worm_needs_its_bristles(self):
        good = self.result("crawler")["result"]["distance"]
        smooth = self.result("crawler", "mu_backward=0.1")["result"]["distance"]
        self.assertGreater(good, 0.2)
        self.assertLess(abs(smooth), 0.1 * good)

    def test_the_walker_walks_and_does_not_fall(self):
        run = self.result("walker")
        self.assertEqual(run["solver"]["unconverged_steps"], 0)
        self.assertGreater(run["result"]["distance"], 0.5)
        self.assertGreater(run["result"]["lowest"], 0.15)
        self.assertLess(run["result"]["tilt"], 0.4)

    def test_the_soft_arm_bends_towards_the_cable_that_pulls(self):
        front = self.result("soft-arm")["result"]["tip"][0]
        back = self.result("soft-arm", "front.tension=0.5", "back.tension=3", "cable.back.ramp=1")["result"]["tip"][0]
        self.assertLess(front * back, 0.0)

    def test_a_file_is_written_and_not_overwritten(self):
        path = Path(self.file("")).with_name("mine.toml")
        self.assertIn("sinew run", self.succeeds("new", "arm", "--out", str(path)))
        self.assertEqual(path.read_text(), self.succeeds("new", "arm"))
        path.write_text("something else\n")
        self.fails(4, "new", "arm", "--out", str(path))
        self.assertEqual(path.read_text(), "something else\n")

    def test_an_unknown_one_names_the_nearest(self):
        self.assertIn("did you mean walker", self.fails(2, "new", "walkr"))


if __name__ == "__main__":
    unittest.main()
