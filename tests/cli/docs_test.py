"""The pages say what the program does: no name in them is stale."""

import os
import re
import subprocess
import sys
import unittest

import pages
from program import ROOT, SINEW, Case

PAGE = ROOT / "docs" / "scenario.md"


class Docs(Case):
    def assert_none(self, problems):
        self.assertEqual([], problems, "\n" + "\n".join(problems))

    def test_tables_and_help_texts_are_those_of_the_program(self):
        done = subprocess.run([sys.executable, ROOT / "scripts/update_docs.py", "--check"], capture_output=True, text=True,
                              env={**os.environ, "SINEW": SINEW})
        self.assert_none(done.stderr.splitlines())

    def test_every_command_is_in_the_reference(self):
        text = (ROOT / "docs/cli.md").read_text()
        self.assert_none([name for name in pages.known_commands() if f"<!-- help {name} -->" not in text])

    def test_every_joint_kind_stepper_and_gait_has_a_row(self):
        page, shown = PAGE.read_text(), self.succeeds("show", "pendulum")
        for table, key in (("joint.pivot", "kind"), ("integrator", "method"), ("gait", "kind")):
            section = shown.partition(f"\n[{table}]\n")[2]
            names = re.search(rf"^{key} = .*; one of (.*?);", section, re.M).group(1).split(" | ")
            for name in names:
                if name != "none":
                    self.assertIn(f"\n| `{name}` |", page)

    def test_examples_are_valid(self):
        blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.S)
        self.assertEqual(self.succeeds("check", self.file(blocks[0])), "ok\n")
        scene = blocks[0].split("[output.result]")[0]
        for block in blocks[1:]:
            self.assertEqual(self.succeeds("check", self.file(scene + block)), "ok\n")

    def test_commands_options_and_keys_on_pages_exist(self):
        self.assert_none([f"{page.relative_to(ROOT)}:{line}: {problem}" for page in pages.pages()
                          for line, words in pages.commands(page.read_text())
                          for problem in pages.problems_of_command(words)])

    def test_commands_in_scenario_files_exist(self):
        self.assert_none([f"{file.relative_to(ROOT)}: {problem}" for file in sorted((ROOT / "scenarios").rglob("*.toml"))
                          for line in file.read_text().splitlines() if line.startswith("#")
                          for words in [pages.words_of(line.lstrip("# "))] if words
                          for problem in pages.problems_of_command(words)])

    def test_keys_and_signals_on_pages_exist(self):
        self.assert_none([f"{page.relative_to(ROOT)}:{line}: {span} is neither a key nor a signal" for page in pages.pages()
                          for line, span in pages.spans(page.read_text()) if pages.is_stale(span)])

    def test_options_on_pages_exist(self):
        known = set().union(*(pages.known_options(name) for name in pages.known_commands()))
        self.assert_none([f"{page.relative_to(ROOT)}:{line}: no command has the option {span}" for page in pages.pages()
                          for line, span in pages.spans(page.read_text())
                          if span.startswith("--") and re.split(r"[ =]", span)[0] not in known])


class StaleNames(unittest.TestCase):
    """The checks above can fail."""

    def problems(self, command):
        return list(pages.problems_of_command(pages.words_of(command)))

    def test_wrong_commands_options_scenarios_and_keys_are_found(self):
        self.assertEqual(self.problems("sinew dance pendulum"), ["sinew has no command dance"])
        self.assertEqual(self.problems("./sinew run pendulum --fast  quickly"), ["sinew run has no option --fast"])
        self.assertEqual(self.problems("sinew --colour"), ["sinew has no option --colour"])
        self.assertEqual(self.problems("sinew run pendulun"), ["the program does not accept pendulun"])
        self.assertEqual(self.problems("sinew run pendulum --set joint.pivot.damp=1"),
                         ["the program does not accept pendulum --set joint.pivot.damp=1"])

    def test_right_commands_pass(self):
        for command in ("sinew run pendulum --set mass=2 --until 5  with another mass", "sinew show SCENARIO --signals",
                        "./sinew show pendulum > mine.toml", "sinew --help", "$ sinew check mine.toml"):
            self.assertEqual(self.problems(command), [], command)

    def test_wrong_keys_and_signals_are_found(self):
        for name in ("joint.pivot.dampin", "body.bob.q", "contact.tolerence", "energy.heat", "contact.a.b:ground.pull"):
            self.assertTrue(pages.is_stale(name), name)
        for name in ("joint.pivot.damping", "body.bob.p", "contact.tolerance", "contact.a.b:ground.normal",
                     "joint.NAME.torque.0", "output.result.speed", "gravity.incline_deg", "contact.h", "math.pi"):
            self.assertFalse(pages.is_stale(name), name)


if __name__ == "__main__":
    unittest.main()
