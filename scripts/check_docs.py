#!/usr/bin/env python3
"""Pages that name files are checked against the tree.

In every page of docs/ and in README.md and CONTRIBUTING.md: a `path` in backquotes and the target of a [link](path)
must exist. Paths count from the root, from src/, from src/sinew/ or from the page; `name.h` alone is looked for anywhere;
`a.{h,cpp}` and `*` work. Names with <...>, and what a build or a run makes, are left alone.
In docs/architecture.md every room of src/ must stand in the table of rooms, every row of which must exist; if it has a
heading "Files", every source file of src/ must be named below it. Usage: check_docs.py [ROOT]
"""

import re
import sys
from pathlib import Path

from check_includes import read_law, room_of, sources

SUFFIXES = (".h", ".cpp", ".py", ".sh", ".md", ".toml", ".cmake", ".json", ".csv")
FOLDERS = ("src/", "tests/", "docs/", "scripts/", "scenarios/", "bench/", "examples/", "cmake/", ".ci/")
MADE_LATER = ("build/", "runs/", "viewer/dist/")  # by a build or by a run


def expand(name):
    """'a.{h,cpp}' -> ['a.h', 'a.cpp']"""
    match = re.search(r"\{([^{}]*,[^{}]*)\}", name)
    if not match:
        return [name]
    return [one for part in match.group(1).split(",") for one in expand(name.replace(match.group(), part.strip(), 1))]


def named_paths(text):
    """(line number, path) of all that looks like a path of ours, outside code blocks."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_block = not in_block
        if in_block:
            continue
        for name in re.findall(r"`([^`\s]+)`", line):
            for path in expand(name.removeprefix("./")):
                is_path = path.endswith(SUFFIXES) or path.startswith(FOLDERS)
                if is_path and re.fullmatch(r"[\w.*+/-]+", path) and not path.startswith((*MADE_LATER, "/")):
                    yield number, path
        for link in re.findall(r"\]\(([^)\s]+)\)", line):
            path = link.split("#")[0]
            if path and "://" not in link and not link.startswith("mailto:"):
                yield number, path


def exists(root, page, path):
    bases = (root, root / "src", root / "src/sinew", page.parent)
    if "*" in path:
        return any(next(base.glob(path), None) for base in bases if base.is_dir())
    if any((base / path).exists() for base in bases):
        return True
    anywhere = (found for folder in FOLDERS for found in (root / folder).rglob(path))
    return "/" not in path and next(anywhere, None) is not None


def check_page(root, page):
    where = page.relative_to(root).as_posix()
    for number, path in named_paths(page.read_text()):
        if not exists(root, page, path):
            yield f"{where}:{number}: names {path}, which does not exist"


def check_architecture(root):
    page = root / "docs/architecture.md"
    if not page.is_file():
        yield "docs/architecture.md: missing"
        return
    text = page.read_text()
    law, _ = read_law(text)  # its problems are check_includes.py's
    files = [path.relative_to(root / "src").as_posix() for path in sources(root, "src")]
    rooms = {room_of(path) for path in files}
    for room in sorted(rooms - set(law)):
        yield f"docs/architecture.md: room {room} is not in the table of rooms"
    for room in sorted(set(law) - rooms):
        yield f"docs/architecture.md: room {room} of the table has no files"
    section = re.search(r"^## (?:\d+\.? )?Files\b.*?$(.*?)(?=^## |\Z)", text, re.M | re.S)
    if section:
        names = {Path(one).name for name in re.findall(r"`([^`]+)`", section.group(1)) for one in expand(name)}
        for path in files:
            if Path(path).name not in names:
                yield f'docs/architecture.md: src/{path} is not named under "Files"'


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    problems = [problem for page in pages if page.is_file() for problem in check_page(root, page)]
    problems += check_architecture(root)
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
