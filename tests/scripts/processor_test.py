"""scripts/processor tells the levels of x86-64 apart. Lists of flags here are as Linux prints them."""

import os
import platform
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/processor"

PRESCOTT = "fpu vme de pse tsc msr cx8 sep cmov mmx fxsr sse sse2 ht syscall nx lm constant_tsc pni cx16 lahf_lm"
NEHALEM = PRESCOTT + " ssse3 sse4_1 sse4_2 popcnt"
SANDY_BRIDGE = NEHALEM + " xsave avx"
HASWELL = SANDY_BRIDGE + " f16c fma movbe abm bmi1 avx2 bmi2 erms"


@unittest.skipUnless(platform.machine() == "x86_64", "levels of x86-64")
class Processor(unittest.TestCase):
    def ask(self, text):
        with tempfile.NamedTemporaryFile("w", suffix=".cpuinfo") as file:
            file.write(text)
            file.flush()
            result = subprocess.run([str(SCRIPT)], env={**os.environ, "SINEW_CPUINFO": file.name}, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def level(self, flags):
        return self.ask(f"processor\t: 0\nvendor_id\t: GenuineIntel\nflags\t\t: {flags}\nbugs\t\t:\nvmx flags\t: avx2\n").strip()

    def test_processors_of_several_years(self):
        self.assertEqual([self.level(flags) for flags in (PRESCOTT, NEHALEM, SANDY_BRIDGE, HASWELL, HASWELL + " avx512f")],
                         ["older", "x86-64-v2", "x86-64-v2", "x86-64-v3", "x86-64-v3"])

    def test_every_flag_of_a_level_counts(self):
        for flag in ("cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"):
            self.assertEqual(self.level(" ".join(f for f in HASWELL.split() if f != flag)), "older", flag)
        for flag in ("avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"):
            self.assertEqual(self.level(" ".join(f for f in HASWELL.split() if f != flag)), "x86-64-v2", flag)

    def test_without_a_list_of_flags_the_oldest_that_is_supported_is_assumed(self):
        self.assertEqual(self.ask("processor\t: 0\n"), "x86-64-v2\n")
        result = subprocess.run([str(SCRIPT)], env={**os.environ, "SINEW_CPUINFO": "/nonexistent"}, capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "x86-64-v2\n", ""))

    def test_this_machine_has_a_level(self):
        result = subprocess.run([str(SCRIPT)], capture_output=True, text=True)
        self.assertIn(result.stdout.strip(), ("older", "x86-64-v2", "x86-64-v3"))


if __name__ == "__main__":
    unittest.main()
