"""Studies on Slurm itself: a controller and three nodes on this machine, from Debian's packages, which the test starts and ends; a node dies in
the middle of an array. ./test installs them (scripts/setup)."""

import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest
from pathlib import Path

import h5py

from program import PATIENCE, PENDULUM, Case, sinew

NODES = ("n1", "n2", "n3")

# No munge, no accounting, no cgroups: nothing but what a job array needs. A node that does not answer for 5 s is down.
CONFIGURATION = """\
ClusterName=tests
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=5
SlurmctldTimeout=5
KillWait=1
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/controller.pid
SlurmdPidFile={folder}/%n.pid
SlurmctldLogFile={folder}/controller.log
SlurmdLogFile={folder}/%n.log
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MaxArraySize=100001
"""


def wait_until(holds, pause=0.5):
    """Slurm takes seconds for everything: each look is a process."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came to that"
        time.sleep(pause)


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def processes_with(*words):
    """{number: environment} of the processes in whose environment all these stand."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            environment = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if all(word.encode() in environment for word in words):
            found[int(folder.name)] = environment
    return found


def program_of(process):
    try:
        return Path(f"/proc/{process}/comm").read_text().strip()
    except OSError:
        return ""


def parent_of(process):
    return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])


class Slurm(Case):
    def setUp(self):
        super().setUp()
        for program in ("slurmctld", "slurmd", "sbatch"):
            self.assertIsNotNone(shutil.which(program, path=self.path()), f"{program} is missing: scripts/setup test")
        self.cluster = self.folder / "cluster"
        (self.cluster / "state").mkdir(parents=True)
        host, ports = socket.gethostname(), free_ports(1 + len(NODES))
        text = CONFIGURATION.format(host=host, port=ports[0], user=getpass.getuser(), folder=self.cluster)
        for node, port in zip(NODES, ports[1:]):
            (self.cluster / f"spool.{node}").mkdir()
            text += f"NodeName={node} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1\n"
        text += f"PartitionName=short Nodes={','.join(NODES)} Default=YES MaxTime=INFINITE State=UP\n"
        (self.cluster / "slurm.conf").write_text(text)
        self.environment = {**os.environ, "PATH": self.path(), "SLURM_CONF": str(self.cluster / "slurm.conf")}
        self.daemons = {}
        self.addCleanup(self.end)
        self.start("controller", "slurmctld", "-D", "-c")
        for node in NODES:
            self.start(node, "slurmd", "-D", "-N", node)
        wait_until(lambda: self.ask("sinfo", "--noheader", "--format=%D %t").split() == ["3", "idle"])

    @staticmethod
    def path():
        return f"{os.environ['PATH']}:/usr/sbin:/usr/bin"

    def start(self, name, *words):
        with open(self.cluster / f"{name}.out", "wb") as out:
            self.daemons[name] = subprocess.Popen(words, env=self.environment, stdout=out, stderr=out)

    def end(self):
        subprocess.run(["scancel", "--full", "--user", getpass.getuser()], env=self.environment, capture_output=True)
        for daemon in self.daemons.values():
            daemon.terminate()
        for daemon in self.daemons.values():
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()
        for process in processes_with(f"SLURM_CONF={self.cluster}/slurm.conf"):
            self.kill(process)

    @staticmethod
    def kill(process):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def ask(self, *words):
        return subprocess.run(words, env=self.environment, capture_output=True, text=True).stdout

    def sinew(self, *words):
        done = sinew(*words, cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def is_through(self):
        """Is the queue empty? A task whose node died may begin again after two minutes; here at once."""
        waiting = [line.split() for line in self.ask("squeue", "--noheader", "--array", "--format=%i %r").splitlines()]
        for job, reason in waiting:
            if reason == "BeginTime":
                self.ask("scontrol", "update", f"JobId={job}", "StartTime=now")
        return not waiting

    def rows_of(self, part):
        try:
            with h5py.File(self.folder / f"s.{part}of{self.PARTS}.h5", "r", swmr=True) as file:
                return file["table"][:]
        except (OSError, KeyError):
            return []

    def kill_a_node_at_work(self):
        """A node dies with its daemon and its job, in the middle of a part of the study: its name, the part and the part's rows."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for process, environment in processes_with(f"SLURM_CONF={self.cluster}/slurm.conf").items():
                named = dict(word.partition(b"=")[::2] for word in environment)
                node, part = named.get(b"SLURMD_NODENAME"), named.get(b"SLURM_ARRAY_TASK_ID")
                if program_of(process) != "sinew" or not node or not part:
                    continue
                try:
                    os.kill(process, signal.SIGSTOP)  # so that it is still in the middle when it is looked at
                    rows = self.rows_of(int(part))
                    if 0 < len(rows) < self.ROWS // self.PARTS:
                        node = node.decode()
                        keeper = parent_of(process)  # of Slurm: it tells how a job ends, but not when the node is gone
                        self.daemons[node].kill()
                        self.daemons[node].wait()
                        for gone in (keeper, process):
                            self.kill(gone)
                        return node, int(part), rows
                    os.kill(process, signal.SIGCONT)
                except ProcessLookupError:
                    pass
            time.sleep(0.01)
        self.fail("no task was seen in the middle of its part")

    ROWS, PARTS = 600, 6

    def test_a_node_that_dies_in_the_middle_of_an_array_loses_nothing(self):
        self.file(PENDULUM)
        words = ["sweep", "scenario.toml", "--vary", f"mass=1:2:{self.ROWS}", "--set", "step=0.0005"]
        said = self.sinew(*words, "--on", "slurm", "--shards", self.PARTS, "--at-once", 3, "--partition", "short", "--out", "s.h5")
        array = re.search(rf"array (\d+) of {self.PARTS} parts, then", said).group(1)
        node, part, rows = self.kill_a_node_at_work()
        self.assertIn("tasks in the queue", self.sinew("study", "status", "s.h5"))
        wait_until(self.is_through)
        states = dict(line.split() for line in self.ask("sinfo", "--noheader", "-N", "--format=%N %t").splitlines())
        self.assertIn("down", states[node], states)
        self.assertIn(f"{self.ROWS} of {self.ROWS} runs are done, 0 are missing", self.sinew("study", "status", "s.h5"))
        self.sinew(*words, "--out", "one.h5", "--quiet")
        self.assertEqual(self.sinew("study", "collect", "s.h5", "--csv", "-"), self.sinew("study", "collect", "one.h5", "--csv", "-"))
        self.assertIn("Restarts=1", self.ask("scontrol", "show", "job", f"{array}_{part}"))
        after = self.rows_of(part)
        self.assertEqual(len(after), self.ROWS // self.PARTS)
        self.assertEqual(after[:len(rows)].tobytes(), rows.tobytes(), "what was there stays, and the second try goes on behind it")

    def test_a_study_in_the_queue_is_cancelled_and_gone_on_with(self):
        self.file(PENDULUM)
        words = ["sweep", "scenario.toml", "--vary", f"mass=1:2:{self.ROWS}", "--set", "step=0.0005"]
        self.sinew(*words, "--on", "slurm", "--shards", self.PARTS, "--at-once", 1, "--out", "s.h5")
        wait_until(lambda: (self.folder / f"s.1of{self.PARTS}.h5").exists())
        self.assertIn("are cancelled", self.sinew("study", "cancel", "s.h5"))
        wait_until(self.is_through)
        self.sinew(*words, "--on", "slurm", "--shards", self.PARTS, "--out", "s.h5")
        wait_until(self.is_through)
        self.sinew(*words, "--out", "one.h5", "--quiet")
        self.assertEqual(self.sinew("study", "collect", "s.h5", "--csv", "-"), self.sinew("study", "collect", "one.h5", "--csv", "-"))

    def test_what_slurm_refuses_is_told(self):
        self.file(PENDULUM)
        done = sinew("sweep", "scenario.toml", "--vary", "mass=1:2:4", "--on", "slurm", "--shards", 2, "--partition", "none",
                     "--out", "s.h5", cwd=self.folder, env=self.environment)
        self.assertEqual(done.returncode, 4)
        self.assertIn("partition", done.stderr)


if __name__ == "__main__":
    unittest.main()
