"""docs/scenario.md says what the program does."""

import re
import unittest

from program import ROOT, Case

PAGE = ROOT / "docs" / "scenario.md"


class Docs(Case):
    def test_key_tables_are_those_of_the_program(self):
        written = re.search(r"<!-- keys -->\n(.*)<!-- end of keys -->", PAGE.read_text(), re.S).group(1)
        self.assertEqual(written, self.succeeds("show", "--keys") + "\n", "put the output of sinew show --keys there")

    def test_examples_are_valid(self):
        blocks = re.findall(r"```toml\n(.*?)```", PAGE.read_text(), re.S)
        self.assertEqual(self.succeeds("check", self.file(blocks[0])), "ok\n")
        scene = blocks[0].split("[output.result]")[0]
        for block in blocks[1:]:
            self.assertEqual(self.succeeds("check", self.file(scene + block)), "ok\n")

    def test_signals_are_named(self):
        page = PAGE.read_text()
        lines = self.succeeds("show", "pendulum", "--signals").splitlines()
        lines += [line for line in self.succeeds("show", "stack", "--signals").splitlines() if line.startswith("contact")]
        for line in lines:
            name = re.sub(r"^contact\.[\w.]+:(ground|\w+\.\w+)\.", "contact.NAME.", line.split()[0])
            name = re.sub(r"^(body|joint)\.\w+", r"\1.NAME", name)
            group, _, last = name.rpartition(".")
            self.assertTrue(f"`{name}`" in page or f"`{group}." in page and f"`.{last}`" in page
                            or f"`{group}.x`, ..." in page, name)


if __name__ == "__main__":
    unittest.main()
