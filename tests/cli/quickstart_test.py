"""Pages work as written: their commands are run in a folder of their own, and print what the page shows."""

import os
import re
import subprocess
import unittest

import pages
from program import PATIENCE, ROOT, SINEW, Case

PAGES = [ROOT / "docs" / "quickstart.md", ROOT / "docs" / "recordings.md"]


def steps(lines):
    """(command, lines shown below it) of a console block."""
    found = []
    for line in lines:
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def without_columns(text):
    return re.sub(r" +", " ", text)


def pattern_of(shown):
    """Output as shown -> regular expression: `...` alone stands for any lines, within a line for any text."""
    parts = []
    for line in map(without_columns, shown):
        parts.append(r"(?:.*\n)*" if line.strip() == "..." else
                     ".*".join(map(re.escape, line.rstrip().split("..."))) + r" ?\n")
    return "".join(parts)


class QuickStart(Case):
    def run_page(self, text):
        """Problems, as sentences; and how many commands were run."""
        if not (self.folder / "sinew").exists():
            os.symlink(os.path.abspath(SINEW), self.folder / "sinew")
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        problems, count = [], 0
        for language, _, lines in pages.blocks(text):
            if language == "toml" and lines[0].startswith("# "):  # a file that the reader saves under this name
                (self.folder / lines[0].removeprefix("# ")).write_text("\n".join(lines) + "\n")
            for command, shown in steps(lines) if language == "console" else []:
                done = subprocess.run(["bash", "-o", "pipefail", "-c", command], cwd=self.folder, text=True, timeout=PATIENCE, env=environment,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
                count += 1
                wants_error = bool(shown) and shown[0].startswith("error: ")
                if (done.returncode != 0) != wants_error or not re.fullmatch(pattern_of(shown), without_columns(done.stdout)):
                    problems.append(f"$ {command}\nprints, with exit code {done.returncode}:\n{done.stdout}")
        return problems, count

    def test_commands_print_what_the_page_shows(self):
        for page in PAGES:
            with self.subTest(page.name):
                problems, count = self.run_page(page.read_text())
                self.assertEqual([], problems, "\n" + "\n".join(problems))
                self.assertGreaterEqual(count, 5)

    def test_a_page_that_shows_something_else_fails(self):
        text = PAGES[0].read_text().replace("result    way             1.01936822 m", "result    way             1.02 m")
        self.assertEqual(len(self.run_page(text)[0]), 1)

    def test_a_command_that_fails_is_noticed(self):
        self.assertEqual(len(self.run_page("```console\n$ ./sinew run puckk.toml\n...\n```\n")[0]), 1)


if __name__ == "__main__":
    unittest.main()
