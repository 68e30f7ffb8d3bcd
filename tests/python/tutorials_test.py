"""The tutorials run: every cell of every notebook in docs/tutorials/, one after the other, without Jupyter."""

import contextlib
import io
import json
import unittest
from pathlib import Path

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "docs/tutorials").glob("*.ipynb"))


class Tutorials(unittest.TestCase):
    def test_every_cell_runs(self):
        self.assertGreaterEqual(len(NOTEBOOKS), 5)
        for notebook in NOTEBOOKS:
            content = json.loads(notebook.read_text())
            names = {"__name__": "__main__"}
            for number, cell in enumerate(content["cells"]):
                if cell["cell_type"] != "code":
                    continue
                with self.subTest(notebook.name, cell=number), contextlib.redirect_stdout(io.StringIO()) as printed:
                    exec(compile("".join(cell["source"]), f"{notebook.name}[{number}]", "exec"), names)  # pylint: disable=exec-used
                    self.assertTrue(printed.getvalue() or "print(" not in "".join(cell["source"]))

    def test_what_is_stored_has_no_output(self):
        for notebook in NOTEBOOKS:
            cells = json.loads(notebook.read_text())["cells"]
            self.assertTrue(cells[0]["cell_type"] == "markdown" and "".join(cells[0]["source"]).startswith("# "), notebook.name)
            for cell in cells:
                self.assertFalse(cell.get("outputs"), notebook.name)


if __name__ == "__main__":
    unittest.main()
