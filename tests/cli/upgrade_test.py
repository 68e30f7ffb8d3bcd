"""Old names: errors that say the new ones, and sinew upgrade, which rewrites files."""

import json
import os
import re
import stat
import unittest

from program import ROOT, Case, sinew

OLD = """\
# A worm of earlier days, l long.
title = "worm"
duration = 0.1

[robot]
kind = "rod-worm"
l = 0.3            # [m]
rho = 1050.0
rad = 0.005
lam = 0.15

[output.result]
x = "rod.head.x"

[validate.short]
set = ["l=0.25"]

[validate.short.expect.x]
value = 0.0
tolerance = 1.0
"""
NEW = (OLD.replace("title", 'sinew = "0.1"\ntitle').replace("\nl =", "\nlength =").replace("\nrho =", "\ndensity =")
       .replace("\nrad =", "\nradius =").replace("\nlam =", "\nwavelength =").replace('"l=0.25"', '"robot.length=0.25"'))


class Upgrade(Case):
    def test_an_old_file_is_rewritten_told_and_runs(self):
        path = self.file(OLD)
        self.assertEqual(self.fails(2, "check", path).splitlines(), [
            f"error: {path}:{line}: robot.{was} is called robot.{now} now: rename it, or run sinew upgrade {path}"
            for line, was, now in ((7, "l", "length"), (8, "rho", "density"), (9, "rad", "radius"), (10, "lam", "wavelength"))])
        said = self.succeeds("upgrade", path)
        self.assertEqual(path.read_text(), NEW)
        self.assertEqual(said.splitlines(), [
            f'{path}:2: sinew = "0.1"', f"{path}:7: robot.l -> robot.length", f"{path}:8: robot.rho -> robot.density",
            f"{path}:9: robot.rad -> robot.radius", f"{path}:10: robot.lam -> robot.wavelength",
            f"{path}:16: set l -> robot.length", f"{path}: written for sinew 0.1 now, 6 changes"])
        self.assertEqual(self.succeeds("check", path), "ok\n")
        out = json.loads(self.succeeds("run", path, "--json", "--no-record"))
        self.assertLess(out["result"]["x"], 0.0)
        self.assertIn("nothing to do", self.succeeds("upgrade", path))
        self.assertEqual(path.read_text(), NEW)

    def test_complete_files_of_earlier_versions_run_to_the_same_bits(self):
        for old in sorted((ROOT / "tests/cli/before_0_1").iterdir()):  # as sinew show printed them
            path = self.file(old.read_text(), old.name)
            self.succeeds("upgrade", path)
            hashes = {self.run_json(name, "--until", 0.02, "--no-record")["hash"] for name in (path, old.stem)}
            self.assertEqual(len(hashes), 1, old)

    def test_another_file_may_be_written(self):
        path, out = self.file(OLD), self.folder / "new.toml"
        self.succeeds("upgrade", path, "--out", out)
        self.assertEqual((path.read_text(), out.read_text()), (OLD, NEW))
        self.assertIn("is not replaced", self.fails(4, "upgrade", path, "--out", self.file("title = 1\n", "other.toml")))
        self.assertEqual((self.folder / "other.toml").read_text(), "title = 1\n")

    def test_a_file_with_nothing_old_is_copied_where_it_is_asked_to_be(self):
        out = self.folder / "copy.toml"
        self.assertIn("0 changes", self.succeeds("upgrade", self.file(NEW), "--out", out))
        self.assertEqual(out.read_text(), NEW)

    def test_line_ends_mode_and_links_stay(self):
        path, link = self.file(OLD.replace("\n", "\r\n").encode()), self.folder / "link.toml"
        path.chmod(0o640)
        link.symlink_to(path)
        self.succeeds("upgrade", link)
        self.assertEqual(path.read_bytes(), NEW.replace("\n", "\r\n").encode())
        self.assertTrue(link.is_symlink())
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o640)
        self.assertEqual(sorted(file.name for file in self.folder.iterdir()), ["link.toml", "scenario.toml"])

    def test_what_cannot_be_read_is_left_alone(self):
        for text, code, words in (("[robot\nl = 1\n", 2, "scenario.toml:1: not valid TOML"),
                                  (b"title = \"\xff\"\n", 2, "not valid TOML"),
                                  ('sinew = "9.9"\n', 2, "the file is written for sinew 9.9"),
                                  ('[robot]\nkind = "rod-worm"\nl = 1\nlength = 1\n', 2, "remove one of them")):
            path = self.file(text)
            before = path.read_bytes()
            self.assertIn(words, self.fails(code, "upgrade", path))
            self.assertEqual(path.read_bytes(), before)

    def test_only_plain_files_are_rewritten(self):
        os.mkfifo(self.folder / "pipe.toml")
        for name, words in (("pipe.toml", "no plain file"), (".", "directory"), ("none.toml", "No such file"),
                            ("/dev/null", "no plain file")):
            self.assertIn(words, self.fails(4, "upgrade", self.folder / name))

    def test_a_newer_file_is_refused_by_all_commands(self):
        for command in ("check", "run", "show"):
            self.assertIn("the file is written for sinew 12.0, this program reads up to",
                          self.fails(2, command, self.file('sinew = "12.0"\n')))

    def test_what_show_prints_says_its_version(self):
        shown = self.succeeds("show", "worm")
        self.assertRegex(shown, r'^#.*\n\nsinew = "0\.1" ')
        self.assertIn("nothing to do", self.succeeds("upgrade", self.file(shown)))

    def test_built_in_scenarios_have_no_old_names(self):
        for path in sorted((ROOT / "scenarios").rglob("*.toml")):
            said = self.succeeds("upgrade", path, "--out", self.folder / "new.toml")
            self.assertIn("now, 1 change\n", said, path)  # the version, which they leave out
            (self.folder / "new.toml").unlink()

    def test_set_names_the_new_key(self):
        self.assertIn("--set ma=0: ma is called robot.added_mass now: write robot.added_mass=0",
                      self.fails(2, "run", "eel", "--set", "ma=0"))
        said = self.fails(2, "run", "eel", "--set", "robot.Tr=0", "--set", "lam=2")
        self.assertIn("robot.Tr is called robot.wave.ramp now", said)
        self.assertIn("lam is called robot.wave.wavelength now", said)


def rows():
    """(robots, old, new) of the page's table."""
    return re.findall(r"^\| (`[^|]*`) \| `(\w+)` \| `([\w.]+)` \|$", (ROOT / "docs/upgrade.md").read_text(), re.M)


class Page(Case):
    def test_every_row_of_the_table_is_what_the_program_says(self):
        kinds = {"rod-*": "rod-swimmer"}
        for kind in {kind for robots, _, _ in rows() for kind in re.findall(r"`(.*?)`", robots)}:
            names = [(old, new) for robots, old, new in rows() if f"`{kind}`" in robots]
            lines = "".join(f"{old} = 'nonsense'\n" for old, _ in names)
            said = sinew("check", self.file(f'[robot]\nkind = "{kinds.get(kind, kind)}"\n{lines}')).stderr
            for old, new in names:
                self.assertIn(f"robot.{old} is called robot.{new} now", said)

    def test_every_name_of_the_program_is_in_the_table(self):
        source = next((ROOT / "src").rglob("renamed_keys.cpp")).read_text()
        for kind, old, new in re.findall(r'\{"([\w*-]+)", "robot[.\w]*", "(\w+)", "([\w.]+)"\}', source):
            self.assertTrue(any((o, n) == (old, new) and f"`{kind}`" in robots for robots, o, n in rows()), (kind, old, new))


if __name__ == "__main__":
    unittest.main()
