"""Recordings as other programs see them (h5py), and what happens when they cannot be written."""

import json
import os
import re
import resource
import signal
import subprocess
import unittest

import h5py

from program import PATIENCE, Case, has_computed, sinew, wait_until


def limit_files_to(size):
    """For a child process: no file may grow beyond this, as on a full disk."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


# Says where each write begins and how long it is; a kill can cut one that lies across a page of the system's cache.
WATCH_WRITES = r"""
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
ssize_t pwrite(int fd, const void* data, size_t size, off_t at) {
  static ssize_t (*real)(int, const void*, size_t, off_t);
  if (!real) *(void**)&real = dlsym(RTLD_NEXT, "pwrite");
  FILE* log = fopen(getenv("WRITES"), "a");
  fprintf(log, "%ld %zu\n", (long)at, size);
  fclose(log);
  return real(fd, data, size, at);
}
"""


def has_rows(path):
    """Is there something to read beyond the start?"""
    try:
        with h5py.File(path, "r", swmr=True) as file:
            return file["signals/t"][-1] > 0.0
    except (OSError, KeyError, ValueError):  # not yet there, or nothing in it
        return False


class Recording(Case):
    def test_is_as_agreed(self):
        out = json.loads(self.succeeds("run", "block-on-incline", "--until", 1, "--seed", 7, "--out", "a.h5", "--json",
                                       cwd=self.folder))
        self.assertEqual(out["recording"], "a.h5")
        with h5py.File(self.folder / "a.h5") as file:
            t = file["signals/t"]
            self.assertEqual((t.shape, t.dtype, t.attrs["unit"], t.attrs["description"]), ((101,), "f8", "s", "time"))
            self.assertAlmostEqual(t[-1], 1.0)
            listed = self.succeeds("show", "block-on-incline", "--signals")
            for name, signal_ in file["signals"].items():
                self.assertIn(name, listed)
                self.assertEqual(signal_.shape, t.shape)
                self.assertIsInstance(signal_.attrs["unit"], str)
            normal = file["signals/contact.block.box:ground.normal"]
            self.assertEqual(normal.attrs["unit"], "N")
            self.assertAlmostEqual(normal[-1], out["result"]["normal"], delta=1e-12)
            self.assertEqual(json.loads(file.attrs["run"]), out)
            self.assertEqual((file.attrs["seed"], file.attrs["version"]), (7, out["sinew"]))
            self.assertIn("gcc", file.attrs["compiler"])
            stored = self.file(file.attrs["scenario"], "again.toml")
        again = self.run_json(stored, "--no-record")
        self.assertEqual((again["hash"], again["recording"]), (out["hash"], None))

    def test_no_small_write_to_a_file_that_others_see_lies_across_a_page(self):
        source, library, log = self.file(WATCH_WRITES, "watch.c"), self.folder / "watch.so", self.folder / "writes"
        subprocess.run(["c++", "-xc", "-D_GNU_SOURCE", "-shared", "-fPIC", source, "-o", library], check=True)
        env = {**os.environ, "LD_PRELOAD": str(library), "WRITES": str(log)}
        for n in range(16):  # the length of the title decides where the index of the chunks comes to lie
            log.unlink(missing_ok=True)
            self.succeeds("run", "snake/sidewinding", "--until", 1, "--set", "n_links=5", "--set", "output.every=5e-4",
                          "--set", f"title={n * 128 * 'x'}", "--out", f"{n}.h5", cwd=self.folder, env=env)
            writes = [tuple(map(int, line.split())) for line in log.read_text().splitlines()]
            again = {(at, size) for at, size in writes if writes.count((at, size)) > 3 and size <= 4096}
            self.assertGreater(len(again), 1, "the index is written again and again")
            self.assertEqual([(at, size) for at, size in again if at // 4096 != (at + size - 1) // 4096], [])

    def test_holds_what_there_is_to_see_however_large(self):
        self.succeeds("run", "snake/sidewinding", "--until", 0.001, "--set", "n_links=500", "--out", "a.h5", cwd=self.folder)
        with h5py.File(self.folder / "a.h5") as file:
            scene = json.loads(file.attrs["scene"])
            self.assertGreater(len(file.attrs["scene"]), 1 << 16)
        self.assertEqual((scene["format"], len(scene["bodies"]), len(scene["joints"])), ("sinew scene 1", 500, 500))

    def test_holds_the_signals_that_are_asked_for(self):
        self.succeeds("run", "pendulum", "--set", 'output.signals=["body.bob.p", "*.kinetic"]', "--set", "output.every=0.5",
                      "--out", "a.h5", cwd=self.folder)
        with h5py.File(self.folder / "a.h5") as file:
            self.assertEqual(set(file["signals"]), {"t", "energy.kinetic", *(f"body.bob.p.{c}" for c in "xyz")})
            self.assertEqual(len(file["signals/t"]), 21)
        self.assertIn("the bits are the same", self.succeeds("replay", "a.h5", cwd=self.folder))
        error = self.fails(2, "run", "pendulum", "--set", 'output.signals=["body.bub.p"]', cwd=self.folder)
        self.assertIn("body.bob.p", error)

    def test_goes_to_a_folder_of_its_own(self):
        for _ in range(2):
            self.assertIn("runs/pendulum-", self.succeeds("run", "pendulum", cwd=self.folder))
        self.assertEqual(len(list(self.folder.glob("runs/pendulum-*/recording.h5"))), 2)

    def test_can_be_read_while_it_is_written(self):
        path = self.folder / "live.h5"
        self.started("run", "stack", "--until", "1e5", "--out", path, "--quiet")
        wait_until(path.exists)
        with h5py.File(path, "r", swmr=True) as file:
            t, height = file["signals/t"], file["signals/energy.kinetic"]
            seen = set()

            def has_grown_often():
                t.refresh(), height.refresh()
                self.assertEqual(len(t), len(height))
                if len(t):
                    self.assertEqual(t[-1], t[:].max())
                    self.assertGreaterEqual(len(t), max(seen, default=0))
                    seen.add(len(t))
                return len(seen) > 5

            wait_until(has_grown_often)
        self.assertRegex(self.succeeds("export", path, "--signals", "energy.kinetic"), r"^t,energy.kinetic\n0,")

    def test_survives_a_kill_and_an_interrupt(self):
        for stop, code, complete in ((signal.SIGKILL, -9, False), (signal.SIGINT, 130, True), (signal.SIGTERM, 130, True)):
            with self.subTest(stop):
                path = self.folder / f"{stop}.h5"
                run = self.started("run", "stack", "--until", "1e5", "--out", path, "--quiet")
                wait_until(lambda: has_computed(run) and has_rows(path))
                run.send_signal(stop)
                self.assertEqual(run.wait(PATIENCE), code)
                with h5py.File(path, "r", **({} if complete else {"swmr": True})) as file:
                    self.assertGreater(file["signals/t"][-1], 0.0)
                    self.assertEqual("run" in file.attrs, complete)
                self.assertIn("the bits are the same", self.succeeds("replay", path))

    def test_a_full_disk_is_said_and_leaves_the_others_alone(self):
        self.succeeds("run", "pendulum", "--out", "old.h5", cwd=self.folder)
        before = (self.folder / "old.h5").read_bytes()
        # nothing at all; too small for the file; enough for its beginning
        for size, until in ((0, 10), (20_000, 10), (1_000_000, 1000)):
            error = self.fails(4, "run", "pendulum", "--until", until, "--out", "old.h5" if size < 50_000 else "new.h5",
                               cwd=self.folder, preexec_fn=limit_files_to(size))
            self.assertIn("File too large", error)
        self.assertEqual((self.folder / "old.h5").read_bytes(), before)
        with h5py.File(self.folder / "new.h5", "r", swmr=True) as file:  # what fitted is there
            self.assertGreater(file["signals/t"][-1], 1.0)
        self.assertEqual(sorted(p.name for p in self.folder.iterdir()), ["new.h5", "old.h5"])

    def test_a_place_that_cannot_be_written_is_said(self):
        self.assertIn("No such file or directory", self.fails(4, "run", "pendulum", "--out", "nowhere/a.h5", cwd=self.folder))
        (self.folder / "runs").write_text("a file where a folder should be")
        self.assertIn("--no-record", self.fails(4, "run", "pendulum", cwd=self.folder))
        self.succeeds("run", "pendulum", "--no-record", cwd=self.folder)

    def test_options_that_contradict_each_other(self):
        self.fails(2, "run", "pendulum", "--out", "a.h5", "--no-record", cwd=self.folder)
        self.fails(2, "run", "pendulum", "--every", "1", cwd=self.folder)
        self.fails(2, "run", "pendulum", "--checkpoint", "c", "--every", "0", cwd=self.folder)
        self.fails(2, "run", cwd=self.folder)


class Replay(Case):
    def test_finds_a_changed_bit(self):
        self.succeeds("run", "pendulum", "--out", "a.h5", cwd=self.folder)
        self.assertIn("the bits are the same", self.succeeds("replay", "a.h5", cwd=self.folder))
        with h5py.File(self.folder / "a.h5", "r+") as file:
            file["samples"][500, 3] += 1e-15
        done = sinew("replay", "a.h5", "--json", cwd=self.folder)
        out = json.loads(done.stdout)
        self.assertEqual((done.returncode, out["same"], out["rows_that_differ"]), (3, False, 1))
        self.assertAlmostEqual(out["first_difference"]["t"], 5.0)

    def test_refuses_what_is_no_recording(self):
        self.fails(4, "replay", self.folder / "none.h5")
        self.fails(2, "replay", self.file("text", "a.h5"))
        with h5py.File(self.folder / "b.h5", "w") as file:
            file["signals/t"] = [0.0, 1.0]
        self.fails(2, "replay", self.folder / "b.h5")


class Checkpoint(Case):
    def test_goes_on_to_the_same_bits(self):
        straight = self.run_json("rocking-block", "--until", 2)
        self.succeeds("run", "rocking-block", "--until", 1, "--checkpoint", "c", "--every", 0.3, cwd=self.folder)
        for arguments in (["--resume", "c"], ["rocking-block", "--resume", "c"]):
            out = json.loads(self.succeeds("run", *arguments, "--until", 2, "--json", cwd=self.folder))
            for key in ("hash", "result", "energy", "solver", "time"):
                self.assertEqual(out[key], straight[key], key)

    def test_after_an_interrupt(self):
        run = self.started("run", "stack", "--until", "1e5", "--no-record", "--checkpoint", "c", "--json", cwd=self.folder,
                           stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wait_until(lambda: has_computed(run))
        run.send_signal(signal.SIGINT)
        stopped = json.loads(run.communicate(timeout=PATIENCE)[0])
        self.assertEqual(run.returncode, 130)
        end = stopped["time"]["end"] + 0.1
        out = json.loads(self.succeeds("run", "--resume", "c", "--until", end, "--no-record", "--json", cwd=self.folder))
        self.assertGreater(out["time"]["steps"], stopped["time"]["steps"])
        self.assertEqual(out["hash"], self.run_json("stack", "--until", end, "--no-record")["hash"])

    def test_another_model_is_refused(self):
        self.succeeds("run", "pendulum", "--until", 2, "--checkpoint", "c", "--no-record", cwd=self.folder)
        error = self.fails(2, "run", "pendulum", "--resume", "c", "--set", "mass=2", cwd=self.folder)
        self.assertIn("body.bob.mass was 1.0", error)
        self.fails(2, "run", "--resume", self.file("text", "d"), cwd=self.folder)
        self.fails(4, "run", "--resume", "none", cwd=self.folder)


class Export(Case):
    def setUp(self):
        super().setUp()
        self.succeeds("run", "pendulum", "--until", 1, "--out", "a.h5", cwd=self.folder)
        with h5py.File(self.folder / "a.h5") as file:
            self.t = file["signals/t"][:]
            self.x = file["signals/body.bob.p.x"][:]

    def rows(self, text):
        names, *rows = [line.split(",") for line in text.splitlines()]
        return names, [[float(x) for x in row] for row in rows]

    def test_gives_every_number_in_full(self):
        names, rows = self.rows(self.succeeds("export", "a.h5", "--signals", "body.bob.p.x", cwd=self.folder))
        self.assertEqual(names, ["t", "body.bob.p.x"])
        self.assertEqual(rows, [[t, x] for t, x in zip(self.t, self.x)])
        names, rows = self.rows(self.succeeds("export", "a.h5", "--csv", "-", cwd=self.folder))
        self.assertEqual((names[0], len(names), len(rows)), ("t", 43, 101))

    def test_resamples(self):
        text = self.succeeds("export", "a.h5", "--signals", "body.bob.p.x", "--every", 0.025, cwd=self.folder)
        _, rows = self.rows(text)
        self.assertEqual(len(rows), 41)
        for i, (t, x) in enumerate(rows):
            self.assertAlmostEqual(t, 0.025 * i, delta=1e-12)
            j = round(t / 0.01 - 0.25)
            known = self.x[j] if abs(t - self.t[j]) < 1e-9 else (self.x[j] + self.x[j + 1]) / 2
            self.assertAlmostEqual(x, known, delta=1e-12)

    def test_writes_a_file_or_leaves_it(self):
        self.succeeds("export", "a.h5", "--signals", "body.bob.p,energy", "--csv", "a.csv", cwd=self.folder)
        first = (self.folder / "a.csv").read_text()
        self.assertTrue(first.startswith("t,body.bob.p.x,body.bob.p.y,body.bob.p.z,energy.kinetic,"))
        self.fails(4, "export", "a.h5", "--csv", "nowhere/a.csv", cwd=self.folder)
        self.fails(4, "export", "a.h5", "--csv", "a.csv", cwd=self.folder, preexec_fn=limit_files_to(1000))
        self.assertEqual((self.folder / "a.csv").read_text(), first)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.csv", "a.h5"])

    def test_lists_what_there_is(self):
        listed = self.succeeds("export", "a.h5", "--list", cwd=self.folder).splitlines()
        with h5py.File(self.folder / "a.h5") as file:
            self.assertEqual({line.split()[0] for line in listed}, set(file["signals"]))
            self.assertRegex(listed[0], r"^t +s +time$")
            x = file["signals/body.bob.p.x"].attrs
            self.assertTrue(any(re.fullmatch(rf"body\.bob\.p\.x +{x['unit']} +{x['description']}", line) for line in listed))
        few = self.succeeds("export", "a.h5", "--list", "--signals", "energy.kinetic", cwd=self.folder)
        self.assertEqual([line.split()[0] for line in few.splitlines()], ["t", "energy.kinetic"])
        for option in (("--csv", "b.csv"), ("--every", "1"), ("--html", "b.html")):
            self.assertIn("--list", self.fails(2, "export", "a.h5", "--list", *option, cwd=self.folder))

    def test_names_what_is_wrong(self):
        self.assertIn("body.bob.p.x", self.fails(2, "export", "a.h5", "--signals", "body.bob.p.q", cwd=self.folder))
        self.fails(2, "export", "a.h5", "--every", "-1", cwd=self.folder)
        self.fails(4, "export", "none.h5", cwd=self.folder)


if __name__ == "__main__":
    unittest.main()
