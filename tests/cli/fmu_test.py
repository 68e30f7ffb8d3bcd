"""sinew export --fmu: what the archive is made of, and what is refused. [control] fmu: whose code runs, and what of it is refused."""

import re
import struct
import unittest
import zipfile
from xml.etree import ElementTree

from program import Case, sinew

ALLOWED = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libstdc++.so.6", "ld-linux-x86-64.so.2"}


def sections(library):
    """{kind: [(content, entry size)]} of an ELF file of 64 bits: 3 strings, 6 dynamic, 11 dynamic symbols."""
    start, = struct.unpack_from("<Q", library, 40)
    size, count = struct.unpack_from("<HH", library, 58)
    found = []
    for i in range(count):
        _, kind, _, _, at, length, link, _, _, entry = struct.unpack_from("<IIQQQQIIQQ", library, start + i * size)
        found.append((kind, library[at:at + length], link, entry))
    return found


def text_at(strings, at):
    return strings[at:strings.index(b"\0", at)].decode()


class Fmu(Case):
    def export(self, scenario, name, *options):
        told = sinew("export", scenario, "--fmu", name, *options, cwd=self.folder)
        self.assertEqual(told.returncode, 0, told.stderr)
        return zipfile.ZipFile(self.folder / name)

    def test_the_archive_holds_all_that_the_standard_names(self):
        for version, platform in ((2, "linux64"), (3, "x86_64-linux")):
            archive = self.export("pendulum", f"p{version}.fmu", "--fmi", version)
            self.assertIsNone(archive.testzip())
            names = set(archive.namelist())
            self.assertEqual(names - {"documentation/", "documentation/index.html"},
                             {"modelDescription.xml", f"binaries/{platform}/basics_pendulum.so", "resources/scenario.toml",
                              "resources/part.txt"})
            root = ElementTree.fromstring(archive.read("modelDescription.xml"))
            self.assertEqual(root.get("fmiVersion"), f"{version}.0")
            self.assertEqual(root.find("CoSimulation").get("modelIdentifier"), "basics_pendulum")

    def test_its_library_needs_libc_and_libstdcxx_alone_and_shows_no_names_but_those_of_fmi(self):
        library = self.export("pendulum", "p.fmu").read("binaries/x86_64-linux/basics_pendulum.so")
        parts = sections(library)
        dynamic = next(part for part in parts if part[0] == 6)
        strings = parts[dynamic[2]][1]
        needed = {text_at(strings, value) for tag, value in struct.iter_unpack("<QQ", dynamic[1]) if tag == 1}
        self.assertLessEqual(needed, ALLOWED)
        symbols = next(part for part in parts if part[0] == 11)
        names = parts[symbols[2]][1]
        seen = {text_at(names, name) for name, _, _, section, _, _ in struct.iter_unpack("<IBBHQQ", symbols[1]) if section and name}
        self.assertEqual([name for name in seen if not re.match("fmi[23][A-Z]", name)], [])
        self.assertLessEqual({"fmi2DoStep", "fmi3DoStep", "fmi3ActivateModelPartition", "fmi2GetStringStatus"}, seen)

    def test_parts_and_keys_are_chosen_on_the_command_line(self):
        heavy = self.export("pendulum", "p.fmu", "--set", "body.bob.mass=7").read("modelDescription.xml").decode()
        self.assertRegex(heavy, r'name="body\.bob\.mass"[^>]*start="7"')
        controller = self.export("hexapod/tripod", "c.fmu", "--as", "controller").read("modelDescription.xml").decode()
        self.assertNotIn("body.", controller)

    def test_bad_input_is_refused_with_code_2(self):
        for options, what in ((["pendulum", "--fmu", "a.fmu", "--fmi", "1"], "--fmi 1"),
                              (["pendulum", "--fmu", "a.fmu", "--as", "leg"], "--as leg"),
                              (["pendulum", "--fmu", "a.fmu", "--as", "controller"], "has no controller"),
                              (["pendulum", "--fmu", "a.fmu", "--csv", "a.csv"], "--fmu"),
                              (["pendulum", "--fmi", "2"], "belong to --fmu"),
                              (["nobody", "--fmu", "a.fmu"], "nobody"),
                              (["drive/constants", "--fmu", "a.fmu"], "test bench")):
            self.assertIn(what, self.fails(2, "export", *options, cwd=self.folder))
        self.assertFalse((self.folder / "a.fmu").exists())

    def test_only_an_fmu_of_ours_is_written_over(self):
        self.export("pendulum", "p.fmu")
        self.export("pendulum", "p.fmu")
        with zipfile.ZipFile(self.folder / "other.fmu", "w") as other:
            other.writestr("modelDescription.xml", "<a/>")
        before = (self.folder / "other.fmu").read_bytes()
        self.fails(4, "export", "pendulum", "--fmu", "other.fmu", cwd=self.folder)
        self.assertEqual((self.folder / "other.fmu").read_bytes(), before)

    def test_an_fmu_drives_a_robot_where_it_is_trusted_and_else_ends_with_code_2(self):
        self.export("hexapod/tripod", "law.fmu", "--as", "controller")
        file = self.folder / "law.fmu"
        own, by_fmu = ["hexapod/tripod", "--until", "0.1"], ["--set", f"control.fmu={file}"]
        told = self.fails(2, "run", *own, *by_fmu, "--out", "a.h5", cwd=self.folder)
        self.assertRegex(told, r"law\.fmu.* native code.* --trust")
        self.assertFalse((self.folder / "a.h5").exists())
        # the hash is not: it holds what the robot's own controller remembers, and the FMU keeps that to itself
        self.assertEqual(self.run_json(*own, *by_fmu, "--trust")["energy"], self.run_json(*own)["energy"])
        self.assertIn("checkpoint", self.fails(2, "run", *own, *by_fmu, "--trust", "--checkpoint", "a.ckpt", cwd=self.folder))

    def test_an_archive_that_is_damaged_or_not_there_is_refused_with_code_2(self):
        self.export("hexapod/tripod", "law.fmu", "--as", "controller")
        whole = (self.folder / "law.fmu").read_bytes()
        middle = len(whole) // 2  # of its library
        self.file(whole[:middle], "half.fmu")
        self.file(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1:], "bit.fmu")
        for name, what in (("half.fmu", "half.fmu"), ("bit.fmu", "bit.fmu"), ("none.fmu", "cannot be read")):
            told = self.fails(2, "run", "hexapod/tripod", "--set", f"control.fmu={self.folder / name}", "--trust", "--until", "0.1")
            self.assertIn(what, told)


if __name__ == "__main__":
    unittest.main()
