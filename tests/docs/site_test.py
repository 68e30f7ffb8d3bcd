"""The documentation site builds, is complete and stands alone; what is wrong in a page makes the build fail.

SINEW names the program, whose pictures and tables the site shows; SINEW_RECORDINGS a folder with recordings of all scenarios, if
there is one: they are not run again then.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SINEW = os.path.abspath(os.environ["SINEW"])
TREE = ["docs", "bench", "examples", "scenarios", "scripts", "src", "tests",
        "CMakeLists.txt", "README.md", "CHANGELOG.md", "CONTRIBUTING.md"]


def build(root, out, **environment):
    return subprocess.run([root / "scripts/build_docs", out], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                          env={**os.environ, "SINEW": SINEW, **environment}, timeout=1200)


class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.site = Path(folder.name) / "site"
        cls.done = build(ROOT, cls.site)
        if cls.done.returncode != 0:
            raise AssertionError(cls.done.stderr)
        cls.pages = {page.relative_to(cls.site).as_posix(): page.read_text() for page in cls.site.rglob("*.html")}

    def test_it_says_where_it_is_and_nothing_else(self):
        self.assertEqual((self.done.stdout, self.done.stderr), (f"{self.site}/index.html\n", ""))

    def test_every_page_of_the_repository_is_there(self):
        for page in (ROOT / "docs").rglob("*.md"):
            self.assertIn(page.relative_to(ROOT / "docs").with_suffix(".html").as_posix(), self.pages)
        for page in ("changelog.html", "contributing.html"):
            self.assertIn(page, self.pages)

    def test_every_scenario_has_a_page_with_its_file_and_a_picture_where_something_moves(self):
        listed = subprocess.run([SINEW, "list", "--json"], capture_output=True, text=True, check=True).stdout
        for scenario in json.loads(listed):
            name = scenario["name"]
            page = self.pages[f"gallery/{name}.html"]
            picture = re.search(r'<img [^>]*src="([^"]+\.svg)"[^>]*>', page.split("<h1>")[1])
            self.assertTrue(picture or "bench" in scenario, name)
            if picture:
                self.assertIn("<svg", (self.site / f"gallery/{name}.html").parent.joinpath(picture.group(1)).read_text(), name)
            self.assertIn(f"sinew run {name.split('/')[-1]}", page)
            self.assertIn("[validate.", page)
            self.assertIn(f'href="gallery/{name}.html"', self.pages["gallery.html"])

    def test_nothing_is_loaded_from_elsewhere(self):
        for name, text in self.pages.items():
            loads = re.findall(r'<(?:script|img|iframe)\b[^>]*\bsrc="([^"]+)|<link\b[^>]*\bhref="([^"]+)', text)
            for target in (one or other for one, other in loads):
                self.assertNotRegex(target, r"^(\w+:)?//|^/", name)
        for sheet in self.site.rglob("*.css"):
            for target in re.findall(r"url\(([^)]+)\)", sheet.read_text()):
                self.assertNotRegex(target.strip("'\""), r"^https?:|^/", sheet)

    def test_what_pages_load_is_there(self):
        for name, text in self.pages.items():
            folder = (self.site / name).parent
            for target in re.findall(r'(?:src|href)="([^"#?:]+)["#?]', text):
                self.assertTrue((folder / target).exists(), f"{name}: {target}")

    def test_formulas_are_typeset(self):
        laws = self.pages["theory/laws.html"]
        self.assertGreater(laws.count('class="katex"'), 20)
        for name, text in self.pages.items():
            self.assertNotIn("katex-error", text, name)
            self.assertNotIn("$$", re.sub(r"<pre>.*?</pre>", "", text, flags=re.S), name)
        self.assertTrue(list(self.site.glob("_static/katex/fonts/KaTeX_Main-Regular.woff2")))

    def test_the_man_page_describes_every_option(self):
        page = (self.site / "man/sinew.1").read_text().replace("\\-", "-")
        run = subprocess.run([SINEW, "run", "--help"], capture_output=True, text=True, check=True).stdout
        for option in re.findall(r"--[a-z-]+", run):
            self.assertIn(option, page)


class WrongPages(unittest.TestCase):
    """A copy of the documents with mistakes in it."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name) / "copy"
        for name in TREE:
            copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            copy(ROOT / name, self.root / name)

    def append(self, page, text):
        with open(self.root / page, "a") as file:
            file.write(f"\n{text}\n")

    def test_every_mistake_is_named_with_its_page(self):
        self.append("docs/notation.md", "[gone](no-such-page.md)")
        self.append("docs/quickstart.md", "[gone](scenario.md#no-such-heading)")
        self.append("docs/architecture.md", "[gone](#no-such-heading)")
        self.append("docs/theory/laws.md", "$\\nosuchcommand$")
        self.append("docs/comparison.md", "```{include} ../bench/GONE.md\n```")
        self.append("docs/theory/alone.md", "# Nobody links here")
        (self.root / "few").mkdir()  # what scenarios look like is another test
        shutil.copy(ROOT / "scenarios/basics/pendulum.toml", self.root / "few")
        done = build(self.root, self.root / "out", SINEW_SCENARIOS=str(self.root / "few"), SINEW_RECORDINGS="")
        self.assertNotEqual(done.returncode, 0)
        for page, word in {"notation": "no-such-page", "quickstart": "no-such-heading", "architecture": "no-such-heading",
                           "theory/laws": "nosuchcommand", "comparison": "GONE.md", "theory/alone": "toctree"}.items():
            self.assertRegex(done.stderr, rf"(?m)^docs/{page}\.md.*{word}")
        self.assertFalse((self.root / "out").exists())

    def test_a_folder_that_is_no_site_is_left_alone(self):
        (self.root / "mine").mkdir()
        (self.root / "mine/work").write_text("precious")
        done = build(self.root, self.root / "mine")
        self.assertEqual(done.returncode, 4)
        self.assertIn("error: ", done.stderr)
        self.assertTrue((self.root / "mine/work").exists())


if __name__ == "__main__":
    unittest.main()
