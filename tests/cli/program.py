"""Runs the program under test, whose path is in the environment variable SINEW."""

import json
import os
import re
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PATIENCE = 1200  # [s] a test never fails because the machine has much to do; ctest ends what hangs
SINEW = os.environ.get("SINEW", "sinew")
ROOT = Path(__file__).resolve().parents[2]

PENDULUM = """\
title = "test"
duration = 1.0

[gravity]
g = [0.0, -9.81, 0.0]

[body.bob]
mass = 1.0

[joint.pivot]
child = "bob"
p_child = [-1.0, 0.0, 0.0]

[output.result]
x = "body.bob.p.x"
"""


SCRATCH = tempfile.TemporaryDirectory()  # where runs leave their recordings


def sinew(*arguments, **options):
    """The finished process, with stdout and stderr as text."""
    options.setdefault("cwd", SCRATCH.name)
    return subprocess.run([SINEW, *map(str, arguments)], capture_output=True, text=True, timeout=PATIENCE, **options)


def wait_until(holds):
    """However much else the machine has to do."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(0.01)


def has_computed(process, seconds=0.2):
    """Has a run that is interrupted now heard of it and taken some steps? It listens, and has used this much of the processor."""
    listens = int(re.search(r"^SigCgt:\s*(\w+)$", Path(f"/proc/{process.pid}/status").read_text(), re.M).group(1), 16)
    used = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return bool(listens >> (signal.SIGINT - 1) & 1) and sum(map(int, used[11:13])) >= seconds * os.sysconf("SC_CLK_TCK")


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def file(self, text, name="scenario.toml"):
        path = self.folder / name
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        return path

    def started(self, *arguments, **options):
        """A process that goes on by itself, at most until the end of the test."""
        process = subprocess.Popen([SINEW, *map(str, arguments)], **{"cwd": SCRATCH.name, **options})

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def succeeds(self, *arguments, **options):
        done = sinew(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def fails(self, code, *arguments, **options):
        """Standard error of a command that must fail with this exit code and print nothing else."""
        done = sinew(*arguments, **options)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(done.stdout, "")
        for line in done.stderr.splitlines():
            self.assertTrue(line.startswith("error: "), line)
        self.assertRegex(done.stderr.splitlines()[0], r"^error: [^:]+(:\d+)?: .+: .+")
        return done.stderr

    def run_json(self, *arguments):
        return json.loads(self.succeeds("run", *arguments, "--json"))
