#!/usr/bin/env python3
"""Pages that name files are checked against the tree.

In every page of docs/ and in README.md and CONTRIBUTING.md: a `path` in backquotes and the target of a [link](path)
must exist. Paths count from the root, from src/, from src/sinew/ or from the page; `name.h` alone is looked for anywhere;
`a.{h,cpp}` and `*` work. Names with <...>, and what a build or a run makes, are left alone.
In all text files of the folders of CITING: no citation of a specification or of source material that readers do not have
("the spec, section 3", "errata of the seed"; seeds of random numbers and specifications of HDF5 and the like are fine), and a
page that is cited as docs/PAGE.md#heading, or linked so, exists and has that heading. Cite works by author and year:
docs/theory/sources.md lists them.
In docs/architecture.md every room of src/ must stand in the table of rooms, every row of which must exist; if it has a
heading "Files", every source file of src/ must be named below it. docs/cpp.md lists every public header, and no other. Every page of docs/ must stand in a contents list (toctree) of
docs/index.md. Usage: check_docs.py [ROOT]
"""

import re
import sys
from pathlib import Path

from check_includes import GENERATED, public_headers, read_law, room_of, sources

SUFFIXES = (".h", ".cpp", ".py", ".sh", ".md", ".toml", ".cmake", ".json", ".csv")
FOLDERS = ("src/", "tests/", "docs/", "scripts/", "scenarios/", "bench/", "examples/", "cmake/", ".ci/")
CITING = ("src", "docs", "scenarios", "tests", "bench", "examples", "viewer/src", "README.md", "CONTRIBUTING.md")
TEXT = (".h", ".cpp", ".py", ".md", ".toml", ".ts", ".txt", ".css")
# Specifications that anybody has, and names of Python's importlib.
FINE = re.compile(r"\b(?:EtherCAT|FMI|glTF|HDF5|JSON|OpenGL|SDF|TOML|URDF|WebGL) specs?\b|module_from_spec|spec_from_\w+")
UNKNOWN = re.compile(
    r"(?<![A-Za-z])specs?(?![A-Za-z])"
    r"|(?<![A-Za-z])(?:seed's|seeds/|(?:of|in|by)[ _]the[ _]seed(?![A-Za-z]))"
    r"|\bthe seed (?:calls|gives|has|prints|says|states|uses|writes)\b", re.IGNORECASE)
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
    if path in GENERATED:
        return True
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


def citing_files(root):
    for name in CITING:
        path = root / name
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        yield from (file for file in files if file.suffix in TEXT and file.is_file())


def headings(page):
    """Names by which links reach the headings of a page, as GitHub and the site make them."""
    found = set()
    in_block = False
    for line in page.read_text().splitlines():
        if line.lstrip().startswith("```"):
            in_block = not in_block
        heading = re.match(r"#+ +(.*)", line)
        if heading and not in_block:
            found.add(re.sub(r"[^\w\- ]", "", heading.group(1).strip().lower()).replace(" ", "-"))
    return found


def check_citations(root):
    known = {}  # page -> headings
    for file in citing_files(root):
        where = file.relative_to(root).as_posix()
        for number, line in enumerate(file.read_text().splitlines(), 1):
            unknown = UNKNOWN.search(FINE.sub("", line))
            if unknown:
                yield (f'{where}:{number}: cites "{unknown.group()}", which readers do not have: name the work by author '
                       "and year, its equation or figure, or docs/PAGE.md#heading")
            if file.suffix == ".py":  # tests of documents write pages of their own
                continue
            cited = [(root, *one) for one in re.findall(r"(?<![\w/])(docs/[\w/-]+\.md)(?:#([\w-]+))?", line)]
            if file.suffix == ".md":
                cited += [(file.parent, *one) for one in re.findall(r"\]\(([\w./-]+\.md)#([\w-]+)\)", line)]
            for folder, name, heading in cited:
                page = folder / name
                if not page.is_file():
                    yield f"{where}:{number}: cites {page.name}, which does not exist"
                    continue
                if heading and heading not in known.setdefault(page, headings(page)):
                    yield f"{where}:{number}: cites {page.name}#{heading}, but that page has no such heading"


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


def check_headers(root):
    page = root / "docs/cpp.md"
    listed = set(re.findall(r"^\| `(\S+\.h)` \|", page.read_text(), re.M)) if page.is_file() else set()
    public = set(public_headers(root))
    for header in sorted(public - listed):
        yield f"docs/cpp.md: the public header {header} is not in the table of headers"
    for header in sorted(listed - public):
        yield f"docs/cpp.md: {header} is in the table of headers, but is no public one"


def check_index(root):
    page = root / "docs/index.md"
    if not page.is_file():
        yield "docs/index.md: missing"
        return
    lists = re.findall(r"^```\{toctree\}\n(.*?)^```", page.read_text(), re.M | re.S)
    listed = {line.strip() for text in lists for line in text.splitlines()}
    for path in sorted((root / "docs").glob("*.md")):
        if path != page and path.stem not in listed:
            yield f"docs/{path.name}: is in no contents list of docs/index.md"


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    problems = [problem for page in pages if page.is_file() for problem in check_page(root, page)]
    problems += [*check_citations(root), *check_architecture(root), *check_headers(root), *check_index(root)]
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
