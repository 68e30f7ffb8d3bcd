#!/usr/bin/env python3
"""The dependency law: which room of src/ may include which, and what would let the bits of a run depend on the machine; with the
shape of files and functions, which cpp_shape.py states.

The law is the table under the heading "Rooms" in docs/architecture.md, columns `room | takes -> gives | may include`;
there is no second copy. In the third column stand, separated by commas:
  a room              also grants the rooms inside it: `parts` grants `parts/joint` and the others
  all rooms above     every room of an earlier row
  -, none             nothing
  a library           one of LIBRARIES below, which must then be allowed to that room
A room may always include itself. Libraries follow LIBRARIES.

The public headers are those of src/sinew/ itself, with what the build makes there: at most 15. A room that includes one includes what it
shows. Neither they nor what they include needs a library. Programs of others, which are examples/, tests/examples/ and the blocks of
C++ in the documents, include no other header of ours. Usage: check_includes.py [ROOT]
"""

import re
import sys
from pathlib import Path

from cpp_shape import blank_out, check_joined, check_lengths, check_parameters

# Library -> (how its includes begin, the only rooms that may use it; none: only tests may).
LIBRARIES = {
    "Eigen": (("Eigen/", "unsupported/Eigen/"), ()),  # a minute to compile, and bits that follow the processor: math/dense.h instead
    "toml++": (("toml++/",), ("text",)),
    "nlohmann": (("nlohmann/",), ("record", "report", "validate", "study", "view", "cli")),
    "HDF5": (("hdf5", "H5"), ("record",)),
    "assimp": (("assimp/",), ("imports",)),
    "pugixml": (("pugixml",), ("imports",)),
    "zlib": (("zlib",), ("files", "record")),
    # The core, all rooms up to sim, is stepped by others, in their threads or in none.
    "threads": (("thread", "mutex", "shared_mutex", "condition_variable", "future", "stop_token", "latch", "barrier"),
                ("batch", "report", "validate", "study", "view", "cli")),
    "CLI11": (("CLI/",), ("cli",)),
    "Boost": (("boost/",), ("view",)),
    "pybind11": (("pybind11/",), ("python",)),
    "test libraries": (("gtest/", "gmock/", "rapidcheck", "benchmark/", "mujoco/", "cvode/", "sundials/", "nvector/", "sdf/", "ignition/"), ()),
}
GENERATED = {"sinew/version.h"}  # every room may include these
MAX_PUBLIC_HEADERS = 15
STANDARD = r"[a-z_0-9]+|immintrin\.h"  # headers of the language, and the processor's own instructions
OUTSIDE = ("examples", "tests/examples")  # programs of others; also all blocks of C++ in the documents
INSIDE = ("step",)  # rooms that pages add to and that nobody sees from outside: a file there may include its own room
OURS = ("sinew/", "robots/", "gaits/", "view/", "python/", "fmu/", "cli/")
LENGTH_FOLDERS = ("src", "tests", "bench", "examples")
# What every standard library may answer in its own way. math/elementary.h has the functions, the same bits everywhere.
LIBRARY_FUNCTIONS = ("sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log1p log2 log10 pow "
                     "cbrt hypot erf erfc tgamma lgamma cyl_bessel_j fma lerp").split()
OTHER_BITS = {
    r"std::\w+_distribution": "draws differ between standard libraries; make them of the generator's bits",
    r"std::(?:transform_)?reduce": "the order of its sum is not fixed: std::accumulate",
    r"std::unordered_\w+": "its order is not fixed",
}
DRAWS_ONLY = ("figure", "cli", "view")  # rooms whose numbers reach no state and no result
NESTED = "parts"  # the one folder whose folders are rooms of their own


def room_of(path):
    """The room of a file, from its path below src/ ('sinew/parts/joint/x.h' -> 'parts/joint')."""
    folders = path.split("/")[:-1]
    if folders and folders[0] == "sinew" and len(folders) > 1:
        folders = folders[1:]
    return "/".join(folders[:2] if folders[:1] == [NESTED] else folders[:1])


def read_law(markdown):
    """Table -> ({room: set of rooms it may include}, [problems])."""
    section = re.search(r"^## (?:\d+\.? )?Rooms\s*$(.*?)(?=^## |\Z)", markdown, re.M | re.S)
    if not section:
        return {}, ['no heading "## Rooms"']
    rows = []
    for line in section.group(1).splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        if line.lstrip().startswith("|") and len(cells) == 3 and not re.fullmatch(r":?-+:?", cells[0]):
            rows.append((cells[0].strip("`").rstrip("/"), cells[2]))
    if not rows or rows[0][0] != "room":
        return {}, ['no table with the columns "room | takes -> gives | may include"']
    rows = rows[1:]
    rooms = [room for room, _ in rows]
    law, problems = {}, []
    for row, (room, column) in enumerate(rows):
        if room in law:
            problems.append(f"room {room} has two rows")
        law[room] = set()
        for name in re.split(r"[,;]", column):
            name = name.replace("`", "").strip().rstrip("/")
            if name in ("", "-", "–", "—", "none", "nothing"):
                continue
            if name in ("all rooms above", "all above"):
                law[room].update(rooms[:row])
            elif name in LIBRARIES:
                if room not in LIBRARIES[name][1]:
                    problems.append(f"row {room}: {name} is not allowed there by LIBRARIES in scripts/check_includes.py")
            else:
                granted = [other for other in rooms if other == name or other.startswith(name + "/")]
                if not granted:
                    problems.append(f"row {room}: '{name}' is neither a room nor a library")
                law[room].update(other for other in granted if other != room)
    return law, problems


def find_cycle(law):
    """A list of rooms that lead back to the first, or None."""
    done = set()

    def visit(room, trail):
        if room in trail:
            return trail[trail.index(room):] + [room]
        if room in done:
            return None
        for other in sorted(law.get(room, ())):
            cycle = visit(other, trail + [room])
            if cycle:
                return cycle
        done.add(room)
        return None

    for room in law:
        cycle = visit(room, [])
        if cycle:
            return cycle
    return None


def includes(text):
    """(line number, name, is quoted) of every #include."""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s*(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(2), match.group(1) == '"'


def public_headers(root):
    """{public header: what it includes of the rooms, itself or by another public one}"""
    direct = {f"sinew/{path.name}": [name for _, name, quoted in includes(path.read_text()) if quoted]
              for path in sorted((root / "src/sinew").glob("*.h"))}

    def shown(header, seen):
        for name in direct.get(header, ()):
            if name in direct and name not in seen:
                yield from shown(name, seen | {name})
            elif name not in direct and name not in GENERATED:
                yield name

    return {header: sorted(set(shown(header, {header}))) for header in direct} | {name: [] for name in GENERATED}


def check_public(root, public):
    """Problems of the public headers and of all that they include."""
    if len(public) > MAX_PUBLIC_HEADERS:
        yield f"src/sinew: {len(public)} public headers, more than {MAX_PUBLIC_HEADERS}: {', '.join(sorted(public))}"
    waiting, found = sorted(public), set()
    while waiting:
        header = waiting.pop()
        path = root / "src" / header
        if header in found or not path.is_file():
            continue
        found.add(header)
        for number, name, quoted in includes(path.read_text()):
            if quoted:
                waiting.append(name)
            elif not re.fullmatch(STANDARD, name):
                yield f"src/{header}:{number}: <{name}>: users of the public headers include this: no library here"


def cpp_blocks(text):
    """(line number above, the file that it makes or None, text) of every block of C++ in a page."""
    above, start, block = None, 0, None
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            if block is None:
                block, start, language = [], number, line.strip().strip("`")
                continue
            if language == "cpp":
                yield start, above, "\n".join(block)
            above, block = None, None
        elif block is not None:
            block.append(line)
        elif line.strip():
            label = re.fullmatch(r"File (\S+):", line)
            above = label.group(1) if label else None


def outside_texts(root):
    """(place, line number above, file or None, text) of what users of the library would write."""
    for folder in OUTSIDE:
        for path in sources(root, folder):
            yield path.relative_to(root).as_posix(), 0, None, path.read_text()
    for page in [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]:
        if page.is_file():
            for start, file, text in cpp_blocks(page.read_text()):
                yield page.relative_to(root).as_posix(), start, file, text


def check_outside(root, public):
    """Problems of programs of others: our headers that they include and that are none of the public ones."""
    for place, start, file, text in outside_texts(root):
        room = room_of(file.removeprefix("src/")) if file else None
        for number, name, _ in includes(text):
            is_own = room in INSIDE and room_of(name) == room
            if name.startswith(OURS) and name not in public and not is_own:
                yield f"{place}:{start + number}: includes {name}: users include public headers only, those of src/sinew/ itself"


def check_file_includes(path, text, law, public):
    """Problems of one file of src/; path is relative to src/."""
    room = room_of(path)
    if room not in law:
        yield f"src/{path}:1: room '{room}' is not in the table of docs/architecture.md"
        return
    for number, name, quoted in includes(text):
        place = f"src/{path}:{number}"
        for library, (prefixes, rooms) in LIBRARIES.items():
            if not quoted and name.startswith(prefixes) and room not in rooms:
                yield f"{place}: {room} includes <{name}>: {library} only in {', '.join(rooms) or 'tests'}"
        if name in GENERATED:
            continue
        ours = name.startswith(OURS)
        if quoted and not ours:
            yield f'{place}: "{name}": write the path from src/, as in "sinew/math/..."'
        if ours and not quoted:
            yield f'{place}: <{name}>: our own headers in quotes'
        shown = [name] if name not in public or room == room_of(name) else public[name]
        if ours and any(room_of(one) not in law[room] | {room} for one in shown):
            allowed = ", ".join(sorted(law[room])) or "nothing"
            yield f"{place}: {room} includes {name}: room {room} may include only: {allowed}"


def check_bits(path, text):
    """Problems of one file of src/ whose numbers would depend on the machine; path is relative to src/."""
    if room_of(path) in DRAWS_ONLY or path.startswith("sinew/math/elementary"):
        return
    code = blank_out(text)
    called = rf"(?:std::|(?<![\w:.>~]))(?:::)?({'|'.join(LIBRARY_FUNCTIONS)})\s*\("
    found = [(match.start(), f"{match.group(1)} of the standard library: math::{match.group(1)} has the same bits on every machine")
             for match in re.finditer(called, code)]
    for pattern, reason in OTHER_BITS.items():
        found += [(match.start(), f"{match.group()}: {reason}") for match in re.finditer(pattern, code)]
    for position, problem in sorted(found):
        yield f"src/{path}:{code.count(chr(10), 0, position) + 1}: {problem}"


def check_calls(path, text):
    """How a single Lanes is passed by value depends on the processor: in headers that users include only what is inlined takes or
    gives one so. Path is relative to src/."""
    if not path.endswith(".h") or not path.startswith(("sinew/math/", "sinew/parts/", "sinew/model/", "sinew/world/")):
        return
    one, code = r"(?:S|Mask<S>|Lanes|LaneMask)", blank_out(text)
    head = r"^ *((?:[\w:<>,\[\]]+[&*]? +)*)([\w:]+)\(((?:[^()]|\([^()]*\))*)\)(?: const)? *\{"
    for match in re.finditer(head, code, re.M):
        before, name, parameters = match.groups()
        if "SINEW_INLINE" in before or name in ("if", "for", "while", "switch"):
            continue
        if re.search(rf"(?:^|\s){one} $", before) or re.search(rf"(?:^|,)\s*(?:const )?{one} \w+", parameters):
            yield (f"src/{path}:{code.count(chr(10), 0, match.start(2)) + 1}: {name} takes or gives a Lanes by value: "
                   f"const S&, or SINEW_INLINE")


def sources(root, folder):
    return sorted(path for path in (root / folder).rglob("*") if path.suffix in (".h", ".cpp") and path.is_file())


def check_tree(root):
    """All problems of the tree, as lines."""
    document = root / "docs/architecture.md"
    if not document.is_file():
        return ["docs/architecture.md: missing: its table of rooms is the law"]
    law, problems = read_law(document.read_text())
    problems = [f"docs/architecture.md: {problem}" for problem in problems]
    cycle = find_cycle(law)
    if cycle:
        problems.append(f"docs/architecture.md: rooms include each other in a circle: {' -> '.join(cycle)}")
    public = public_headers(root)
    problems += check_public(root, public)
    problems += check_outside(root, public)
    for path in sources(root, "src"):
        name, text = path.relative_to(root / "src").as_posix(), path.read_text()
        problems += check_file_includes(name, text, law, public)
        problems += check_bits(name, text)
        problems += check_calls(name, text)
        problems += check_joined(f"src/{name}", text)
        problems += check_parameters(name, text)
    for folder in LENGTH_FOLDERS:
        for path in sources(root, folder):
            problems += check_lengths(path.relative_to(root).as_posix(), path.read_text())
    return problems


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent).resolve()
    problems = check_tree(root)
    for problem in problems:
        print(f"error: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
