"""The same bits from Python as from the command line: hashes of tests/golden/hashes.txt, by sinew.run and by a World that is stepped."""

import os
import shlex
import unittest
from pathlib import Path

import sinew

GOLDEN = Path(__file__).resolve().parents[1] / "golden/hashes.txt"
# One of each sort that is short: steppers, loops, laws of contact, snakes, controllers, rods, soft rods, legs, drives.
SHORT = ("basics/double-pendulum", "basics/four-bar", "basics/spring-chain", "contact/three-balls", "contact/impact",
         "contact/box-drop", "snake/sidewinding", "snake/link-roll", "snake/stairs", "softbot/hold-on", "softbot/limb-pd3",
         "continuum/inchworm", "continuum/soft-snake-servo", "quadruped/tail-turn", "quadruped/ledge-drop")
LONG = bool(os.environ.get("SINEW_LONG"))  # all of them, in minutes


def golden():
    """(hash, name, {key: value}, until or None) of each line."""
    for line in GOLDEN.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        value, name, *words = shlex.split(line)
        options = list(zip(words[::2], words[1::2]))
        keys = dict(text.split("=", 1) for option, text in options if option == "--set")
        until = next((float(text) for option, text in options if option == "--until"), None)
        yield value, name, keys, until


class Hashes(unittest.TestCase):
    def test_runs_and_stepped_worlds_end_in_the_golden_bits(self):
        seen = set()
        for value, name, keys, until in golden():
            if name not in SHORT and not LONG:
                continue
            seen.add(name)
            with self.subTest(name, **keys):
                scenario = sinew.load(name, **keys)
                result = sinew.run(scenario, until=until)
                self.assertEqual(result["hash"], value)
                world = sinew.World(scenario)
                steps = result["time"]["steps"]
                world.step(steps // 3)
                world.step(steps - steps // 3)
                if world.time == result["time"]["end"]:  # no shorter last step
                    self.assertEqual(world.hash(), value)
        self.assertGreaterEqual(seen, set(SHORT))


if __name__ == "__main__":
    unittest.main()
