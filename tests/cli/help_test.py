"""The help of each command says what it does and shows examples, and the examples run as they stand."""

import os
import re
import shlex
import shutil
import subprocess
import unittest
from pathlib import Path

from program import PATIENCE, ROOT, SINEW, Case
from websocket import Serving

# Files that the examples of a command expect to find; made by these command lines.
BEFORE = {
    "run": "sinew show pendulum > mine.toml",
    "check": "sinew show pendulum > mine.toml",
    "replay": "sinew run pendulum --out run.h5 --quiet",
    "plot": "sinew run pendulum --out run.h5 --quiet; sinew run worm --until 1 --out rod.h5 --quiet; "
            "sinew run force-bode --out loop.h5 --quiet",
    "export": "sinew run pendulum --out run.h5 --quiet",
    "solve": "echo 3 1  0 3 3  3 3  15 -1 -2  -1 14 1  -2 1 16  -1 2 3  0.1 > pile.dat",
    "study": "sinew sweep pendulum --vary mass=1:2:5 --until 1 --out mass.h5 --quiet",
    "identify": "sinew run pendulum --until 2 --out run.h5 --quiet; sinew export run.h5 --signals body.bob.p --csv data.csv; "
                "rm -f run.mcap; sinew export run.h5 --mcap run.mcap",
    "view": "sinew run pendulum --out run.h5 --quiet; sinew sweep pendulum --vary mass=1,2 --until 0.1 --out study.h5 --quiet",
}


def commands(text):
    """{name: purpose} of the sub-commands that the program's help lists."""
    block = re.search(r"^Subcommands:\n((?:  .+\n)+)", text, re.M).group(1)
    return dict(re.findall(r"^  (\w+) +(\S.*)$", block, re.M))


def examples(text):
    """The command lines below "Examples:", without the explanations beside them."""
    block = re.search(r"^Examples:\n((?:  .+\n)+)", text, re.M).group(1)
    return [re.split(r"  +", line.strip())[0] for line in block.splitlines()]


URDF = """<robot name="r"><link name="base"><inertial><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
<collision><geometry><box size="2 2 2"/></geometry></collision></link></robot>"""
MJCF = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>"""


class Help(Case):
    def setUp(self):
        super().setUp()
        for name, text in {"robot.urdf": URDF, "arm.urdf": URDF, "scene.xml": MJCF}.items():
            self.file(text, name)

    def shell(self, line):
        """Runs a command line as a user would, with the program under test first on the path."""
        programs = self.folder / "bin"
        programs.mkdir(exist_ok=True)
        if not (programs / "sinew").exists():
            (programs / "sinew").symlink_to(Path(SINEW).resolve())
        page = self.folder / "viewer"
        page.mkdir(exist_ok=True)
        (page / "index.html").write_text("<body></body>")
        environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}", "SINEW_VIEWER": str(page)}
        if line.startswith("sinew validate"):  # the numbers of all scenarios are run by the entries validate/FOLDER of ctest
            for name in ("basics/pendulum", "basics/bouncing-ball", "snake/link-slide"):
                (self.folder / "scenarios" / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / f"scenarios/{name}.toml", self.folder / f"scenarios/{name}.toml")
            environment["SINEW_SCENARIOS"] = str(self.folder / "scenarios")
        done = subprocess.run(["bash", "-c", line], cwd=self.folder, env=environment, capture_output=True, text=True,
                              timeout=PATIENCE)
        self.assertEqual(done.returncode, 0, f"{line}\n{done.stderr}")
        told = [text for text in done.stderr.splitlines() if not text.startswith("decision ")]  # about a robot's file
        self.assertEqual(told, [], line)

    def test_each_command_has_purpose_usage_and_examples(self):
        for name, purpose in commands(self.succeeds("--help")).items():
            with self.subTest(name):
                text = self.succeeds(name, "--help")
                self.assertTrue(text.startswith(f"{purpose}\nUsage: sinew {name} [OPTIONS]"), text)
                self.assertIn(len(examples(text)), range(3, 6))
                self.assertLessEqual(max(map(len, text.splitlines())), 100, "lines for a terminal")

    def test_the_examples_run(self):
        for name in ("", *commands(self.succeeds("--help"))):
            if name in BEFORE:
                self.shell(BEFORE[name])
            for line in examples(self.succeeds(*name.split(), "--help")):
                with self.subTest(line):
                    if line.startswith("sinew view"):  # goes on until it is told to end
                        self.assertEqual(Serving(self, *shlex.split(line)[1:]).end(), (130, "", ""))
                    else:
                        self.shell(line)


if __name__ == "__main__":
    unittest.main()
