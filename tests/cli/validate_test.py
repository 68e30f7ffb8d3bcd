"""sinew validate: numbers of scenario files against what their sources say."""

import json
import os
import tomllib
import unittest
from html.parser import HTMLParser

import h5py

from program import PENDULUM, ROOT, Case, sinew

CASES = """
[validate.start]
source = "where it hangs"
set = ["duration=0"]

[validate.start.expect]
x = { value = 1.0, tolerance = 1e-12 }
place = { of = "at.x", value = [1.0, 1.0], tolerance = 1e-12 }
energy = { of = "energy.balance_error", at_most = 1e-9 }

[validate.start.figure.swing]
claim = "it <swings>"
panels = ["body.bob.p"]
"""
SCENE = PENDULUM + "\n[output]\nat = [0.0, 0.0]\n"
IDS = [f"mine/swing/start/{name}" for name in ("x", "place.0", "place.1", "energy")]


class Page(HTMLParser):
    """Every tag that is opened is closed; collects text and what the page would load."""

    VOID = {"meta", "br", "hr", "img", "link", "input"}

    def __init__(self, text):
        super().__init__()
        self.open, self.text, self.loads, self.ids, self.links = [], "", [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        if tag not in self.VOID:
            self.open.append(tag)
        self.see(dict(attributes))

    def handle_startendtag(self, tag, attributes):
        self.see(dict(attributes))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop() == tag, f"</{tag}> does not close what is open"

    def handle_data(self, data):
        self.text += data

    def see(self, attributes):
        self.ids += [attributes["id"]] if "id" in attributes else []
        for name in ("src", "href", "xlink:href", "data", "action"):
            if name in attributes:
                (self.links if attributes[name].startswith("#") else self.loads).append(attributes[name])


class Validate(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "scenarios" / "mine").mkdir(parents=True)
        self.scenario(SCENE + CASES)
        self.own = {"env": {**os.environ, "SINEW_SCENARIOS": str(self.folder / "scenarios")}}

    def scenario(self, text, name="swing"):
        self.file(text, f"scenarios/mine/{name}.toml")

    def entries(self, *arguments, code=0):
        done = sinew("validate", "--json", *arguments, **self.own)
        self.assertEqual((done.returncode, done.stderr), (code, ""))
        return json.loads(done.stdout)

    def test_json_has_an_entry_for_each_number(self):
        entries = self.entries()
        self.assertEqual([entry["id"] for entry in entries], IDS)
        self.assertEqual(entries[0], {"id": IDS[0], "source": "where it hangs", "expected": 1.0, "tolerance": 1e-12,
                                      "measured": 1.0, "pass": True})
        self.assertEqual((entries[3]["expected"], entries[3]["tolerance"]), (0.0, 1e-9))

    def test_a_case_has_the_name_by_which_scripts_find_it(self):
        self.scenario(SCENE + CASES.replace('source = "where it hangs"', 'source = "where it hangs"\ncase = "A.1"'))
        self.assertEqual([entry.get("case") for entry in self.entries()], ["A.1"] * 4)

    def test_a_number_that_is_off_is_exit_code_3(self):
        self.scenario(SCENE + CASES.replace("x = { value = 1.0", "x = { value = 1.1"))
        self.assertEqual([entry["pass"] for entry in self.entries(code=3)], [False, True, True, True])
        done = sinew("validate", **self.own)
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertIn("FAIL", done.stdout)
        self.assertEqual(done.stdout.splitlines()[-1], "3 of 4 pass")
        self.assertNotIn("\x1b", done.stdout)

    def test_table_for_people(self):
        lines = self.succeeds("validate", **self.own).splitlines()
        self.assertRegex(lines[1], r"^mine/swing/start/x +1 +1 +1e-12  pass$")
        self.assertEqual(lines[-1], "4 of 4 pass")

    def test_only_chooses_by_a_part_or_a_pattern(self):
        self.assertEqual([entry["id"] for entry in self.entries("--only", "place")], IDS[1:3])
        self.assertEqual([entry["id"] for entry in self.entries("--only", "mine/*.1")], [IDS[2]])
        self.assertEqual([entry["id"] for entry in self.entries("--only", "mine/")], IDS)
        self.assertIn("--only", self.fails(2, "validate", "--only", "swing/", **self.own))  # that is no folder
        self.assertIn("--only", self.fails(2, "validate", "--only", "nothing", **self.own))

    def test_a_run_that_fails_is_a_number_that_fails(self):
        self.scenario(SCENE + CASES.replace("duration=0", "duration=1\", \"stiffness=1e12\", \"method=rk4"))
        for entry in self.entries(code=3):
            self.assertEqual((entry["measured"], entry["pass"]), (None, False))
            self.assertIn("failed at t", entry["reason"])

    def test_mistakes_are_bad_input_with_their_line_for_check_run_and_validate(self):
        for wrong, right, needs_run in (("tolerances = 1e-12", "tolerance = 1e-12", False),
                                        ("balance_eror", "balance_error", True),
                                        ("body.bib.p", "body.bob.p", True), ("durration=0", "duration=0", True)):
            with self.subTest(wrong):
                text = SCENE + CASES.replace(right, wrong, 1)
                line = next(n for n, row in enumerate(text.splitlines(), 1) if wrong in row)
                path = self.file(text, "scenarios/mine/swing.toml")
                commands = [("validate",), ("check", path)] + ([] if needs_run else [("run", path)])
                for command in commands:
                    error = self.fails(2, *command, **self.own)
                    self.assertIn(f"swing.toml:{line}: ", error)
                    self.assertRegex(error, "did you mean|unknown|tolerance")

    def test_a_folder_without_cases_is_bad_input(self):
        self.scenario(PENDULUM)
        self.assertIn("[validate.NAME]", self.fails(2, "validate", **self.own))

    def test_report_is_one_page_that_loads_nothing(self):
        folder = self.folder / "a" / "b"
        self.assertIn("4 of 4 pass", self.succeeds("validate", "--report", folder, **self.own))
        self.assertEqual([path.name for path in folder.iterdir()], ["index.html"])
        text = (folder / "index.html").read_text()
        page = Page(text)
        for id in IDS + ["it <swings>", "body.bob.p [m]", "where it hangs", "4 of 4 pass"]:
            self.assertIn(id, page.text)
        self.assertEqual(page.loads, [])
        self.assertNotRegex(text, r"https?:|url\(|@import")
        self.assertEqual(len(page.ids), len(set(page.ids)))
        for link in page.links:
            self.assertIn(link[1:], page.ids)

    def test_recordings_are_those_of_runs(self):
        self.scenario(SCENE + CASES.replace('set = ["duration=0"]\n', ""), "whole")  # one of its cases is the run itself
        self.entries("--only", "mine/", "--recordings", self.folder / "kept", code=3)  # it does not stay where it hangs
        self.assertEqual({path.name for path in self.folder.glob("kept/**/*.h5")}, {"swing.h5", "whole.h5"})
        for name in ("swing", "whole"):
            out = json.loads(self.succeeds("run", name, "--json", "--quiet", "--out", self.folder / "run.h5", **self.own))
            with h5py.File(self.folder / "run.h5") as run, h5py.File(self.folder / f"kept/mine/{name}.h5") as kept:
                self.assertEqual(json.loads(kept.attrs["run"])["hash"], out["hash"])
                self.assertTrue((kept["samples"][:] == run["samples"][:]).all())
                self.assertEqual(list(kept["signals"]), list(run["signals"]))

    def test_recordings_and_report_together(self):
        self.scenario(SCENE + CASES.replace('set = ["duration=0"]\n', ""))
        self.entries("--recordings", self.folder / "kept", "--report", self.folder / "r", code=3)
        self.assertIn("it <swings>", Page((self.folder / "r/index.html").read_text()).text)
        self.assertTrue((self.folder / "kept/mine/swing.h5").is_file())

    def test_a_recording_that_fails_or_cannot_be_written_is_said(self):
        stiff = SCENE.replace('child = "bob"', 'child = "bob"\nstiffness = 1e12') + '\n[integrator]\nmethod = "rk4"\n' + CASES
        self.scenario(stiff)
        done = sinew("validate", "--recordings", self.folder / "kept", **self.own)
        self.assertEqual((done.returncode, done.stdout.splitlines()[-1]), (3, "4 of 4 pass"))
        self.assertRegex(done.stderr, r"^error: mine/swing: the run failed at t = \S+ s: .*: sinew run mine/swing says more\n$")
        self.scenario(SCENE + CASES)
        self.file("", "taken")
        self.fails(4, "validate", "--recordings", self.folder / "taken", **self.own)

    def test_report_that_cannot_be_written(self):
        self.file("", "taken")
        self.fails(4, "validate", "--report", self.folder / "taken" / "report", **self.own)
        self.assertIn("gnuplot-nox", self.fails(4, "validate", "--report", self.folder / "r",
                                                env={**self.own["env"], "PATH": str(self.folder)}))
        self.assertFalse((self.folder / "r").exists())

    def test_what_is_shown_has_no_cases(self):
        self.assertNotIn("validate", self.succeeds("show", "swing", **self.own))


class BuiltIn(Case):
    """The numbers themselves are run by tests/validate/folder.py, one entry of ctest for each folder."""

    def test_no_scenario_is_without_numbers(self):
        for path in (ROOT / "scenarios").rglob("*.toml"):
            cases = tomllib.loads(path.read_text()).get("validate", {}).values()
            self.assertTrue(any(case.get("expect") for case in cases), path.name)

    @unittest.skipUnless("SINEW_VALIDATED" in os.environ, "only ctest knows its entries")
    def test_every_folder_has_an_entry_of_its_own(self):
        listed = {scenario["name"].split("/")[0] for scenario in json.loads(self.succeeds("list", "--json"))}
        self.assertEqual(set(os.environ["SINEW_VALIDATED"].split(",")), listed)


if __name__ == "__main__":
    unittest.main()
