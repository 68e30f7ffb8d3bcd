"""What commands may write over: files of the same kind, and nothing else; whatever else stands there stays as it is."""

import os
import stat
import unittest
from pathlib import Path

from program import PENDULUM, Case, sinew

HDF5 = b"\x89HDF\r\n\x1a\n"


class Written(Case):
    def setUp(self):
        super().setUp()
        self.recording = self.folder / "run.h5"
        self.succeeds("run", "pendulum", "--until", 0.1, "--quiet", "--out", self.recording)

    def commands(self, target):
        """Every command that writes one file, writing this one; without its ending."""
        run = ("run", "pendulum", "--until", 0.1)
        yield f"{target}.h5", (*run, "--quiet", "--out", f"{target}.h5")
        yield f"{target}.bin", (*run, "--quiet", "--no-record", "--checkpoint", f"{target}.bin", "--every", 0.05)
        yield f"{target}.csv", ("export", self.recording, "--csv", f"{target}.csv")
        yield f"{target}.svg", ("plot", self.recording, "-o", f"{target}.svg")
        yield f"{target}.png", ("plot", self.recording, "-o", f"{target}.png")

    def listing(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_pipes_and_folders_stay(self):
        for file, command in self.commands(self.folder / "pipe"):
            with self.subTest(file):
                os.mkfifo(file)
                before = self.listing()
                self.assertIn("no plain file", self.fails(4, *command))
                self.assertTrue(stat.S_ISFIFO(os.lstat(file).st_mode))
                self.assertEqual(self.listing(), before)
        for file, command in self.commands(self.folder / "folder"):
            with self.subTest(file):
                os.mkdir(file)
                self.assertIn("directory", self.fails(4, *command))

    def test_devices_stay(self):
        device = self.folder / "null.h5"
        try:
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # as /dev/null, which is left in peace
        except PermissionError:
            self.skipTest("only root makes devices")
        self.assertIn("no plain file", self.fails(4, "run", "pendulum", "--until", 0.1, "--out", device))
        self.assertTrue(stat.S_ISCHR(os.lstat(device).st_mode))

    def test_other_files_stay(self):
        for file, command in self.commands(self.folder / "notes"):
            with self.subTest(file):
                Path(file).write_text("my notes\n")
                before = self.listing()
                self.assertIn("is not replaced", self.fails(4, *command))
                self.assertEqual(Path(file).read_text(), "my notes\n")
                self.assertEqual(self.listing(), before)

    def test_the_same_kind_is_replaced_and_empty_files_are_filled(self):
        for file, command in self.commands(self.folder / "again"):
            with self.subTest(file):
                Path(file).touch()
                self.succeeds(*command)
                first = Path(file).read_bytes()[:8]
                loud = [word for word in command if word != "--quiet"]
                done = sinew(*loud)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertRegex(done.stderr, r"^note: \S+: what stood there was replaced\n$")
                if "--quiet" in command:
                    self.succeeds(*command)
                self.assertEqual(Path(file).read_bytes()[:8], first)

    def test_links_stay_links(self):
        for file, command in self.commands(self.folder / "link"):
            with self.subTest(file):
                target = file.replace("link", "target")
                os.symlink(os.path.basename(target), file)
                self.succeeds(*command)  # there is no target yet
                size = os.path.getsize(target)
                self.assertGreater(size, 0)
                sinew(*command)
                self.assertTrue(os.path.islink(file))
                self.assertFalse(os.path.islink(target))

    def test_a_link_to_itself_is_no_place(self):
        os.symlink("circle.h5", self.folder / "circle.h5")
        self.assertIn("link", self.fails(4, "run", "pendulum", "--until", 0.1, "--out", self.folder / "circle.h5"))

    def test_inputs_of_the_command_stay(self):
        scenario = self.file(PENDULUM)
        for option in ("--out", "--checkpoint"):
            self.assertIn("the scenario", self.fails(2, "run", scenario, option, scenario))
        os.symlink(scenario, self.folder / "other.h5")
        self.assertIn("the scenario", self.fails(2, "run", scenario, "--out", self.folder / "other.h5"))
        self.assertEqual(scenario.read_text(), PENDULUM)
        for option in ("--csv", "--html"):
            self.assertIn("the recording", self.fails(2, "export", self.recording, option, self.recording))
        picture = self.folder / "run.svg"
        self.recording.rename(picture)
        self.assertIn("the recording", self.fails(2, "plot", picture, "-o", picture))
        self.assertEqual(picture.read_bytes()[:8], HDF5)
        both = self.folder / "both"
        self.fails(2, "run", "pendulum", "--out", both, "--checkpoint", both)
        self.fails(2, "export", picture, "--csv", both, "--html", both)
        self.assertFalse(both.exists())

    def test_a_run_goes_on_from_the_checkpoint_that_it_renews(self):
        c = self.folder / "c"
        quiet = ("--quiet", "--no-record", "--checkpoint", c, "--every", 0.05)
        self.succeeds("run", "pendulum", "--until", 0.1, *quiet)
        before = c.read_bytes()
        self.succeeds("run", "--resume", c, "--until", 0.2, *quiet)
        self.assertNotEqual(c.read_bytes(), before)

    def test_reports_and_recordings_of_validate(self):
        only = ("validate", "--only", "basics/pendulum/")
        (self.folder / "report").mkdir()
        page = self.file("my page", "report/index.html")
        self.fails(4, *only, "--report", self.folder / "report")
        self.assertEqual(page.read_text(), "my page")
        (self.folder / "kept/basics").mkdir(parents=True)
        kept = self.file("my notes", "kept/basics/pendulum.h5")
        done = sinew(*only, "--recordings", self.folder / "kept")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("is not replaced", done.stderr)
        self.assertEqual(kept.read_text(), "my notes")
        kept.unlink()
        for said in ("", "recordings of the same names were replaced"):
            done = sinew(*only, "--recordings", self.folder / "kept")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(said, done.stderr)
            self.assertEqual(kept.read_bytes()[:8], HDF5)


if __name__ == "__main__":
    unittest.main()
