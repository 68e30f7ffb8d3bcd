#!/usr/bin/env python3
"""Puts what the program says about itself into the pages of docs/.

A block from `<!-- NAME -->` to `<!-- end of NAME -->` is replaced by the program's own words, where NAME is
    keys             the tables of sinew show --keys
    signals          a table of the signals of all built-in scenarios
    help [COMMAND]   what sinew [COMMAND] --help prints
The environment variable SINEW names the program (default: ./sinew). Usage: update_docs.py [--check]; --check changes
nothing and fails if a block is not up to date.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"<!-- (keys|signals|help(?: [a-z]+)?) -->\n(.*?)<!-- end of (\w+) -->", re.S)


def program(*arguments):
    command = [os.environ.get("SINEW", str(ROOT / "sinew")), *arguments]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"sinew {' '.join(arguments)} fails: {done.stderr.strip()}")
    return done.stdout


def pattern_of(name, meaning):
    """The name and the meaning of a signal with NAME in place of the body, joint, contact, point, pad, rod, cable, drive or sensor."""
    if sensor := re.fullmatch(r"sensor\.([^.]+)((?:\.(?:true|rate|bridge|saturated|lost))?)(?:\.\w+)?", name):
        which, row = sensor.groups()  # numbers of a sensor: docs/sensors.md
        return f"sensor.NAME{row}", re.sub(rf"(?<= ){re.escape(which)}(?![\w-])", "NAME", meaning)
    match = re.fullmatch(r"(?:body|joint)\.([^.]+(?:\.(?:\d+|base|tip)(?=\.[a-z]))?)\..*"
                         r"|contact\.(.+:(?:ground\.step\d+|ground|[^.:]+\.\d+\.skin|[^.:]+\.[^.:]+))\..*"
                         r"|(?:pad|cable|point|drive)\.(.+)\.[^.]+|marker\.([^.]+)\..*|rod\.([^.]+)\.(?:base|tip)\..*", name)
    if not match:
        return name, meaning
    which = next(group for group in match.groups() if group)
    return name.replace(f".{which}.", ".NAME.", 1), re.sub(rf"(?<=[ :]){re.escape(which)}(?![\w-])", "NAME", meaning)


def signals():
    """One row for each vector or single signal, in the order in which the scenarios show them."""
    rows = {}
    for scenario in json.loads(program("list", "--json")):
        if "bench" in scenario:  # it has none
            continue
        for line in program("show", scenario["name"], "--signals").splitlines():
            name, *unit, meaning = re.split(r"\s{2,}", line.strip(), maxsplit=2)
            unit = unit[0] if unit else ""  # of several numbers with units of their own
            name, meaning = pattern_of(name, meaning)
            group, part = re.fullmatch(r"(.+?)(?:\.([wxyz]|\d+))?", name).groups()
            row = rows.setdefault(group, {"parts": {}, "units": {}, "meaning": re.sub(r", [wxyz]$", "", meaning)})
            row["parts"][part], row["units"][unit] = None, None
    order = ["t", "body", "joint", "contact", "contacts", "point", "pad", "rod", "cable", "marker", "drive", "sensor", "com", "heading_deg", "external", "energy", "momentum", "loops", "run"]
    place = {head: i for i, head in enumerate(order)}
    table = "| signal | unit | is |\n|---|---|---|\n"
    for group, row in sorted(rows.items(), key=lambda item: place.get(item[0].split(".")[0], len(order))):
        letters = [part for part in row["parts"] if part and part.isalpha()]
        name = f"`{group}.{letters[0]}`" + "".join(f", `.{part}`" for part in letters[1:]) if letters else f"`{group}`"
        if any(part and part.isdigit() for part in row["parts"]):
            name += f", or `.{group.rsplit('.', 1)[-1]}.0`, ..."
        table += f"| {name} | {', '.join(row['units'])} | {row['meaning']} |\n"
    return table


def block(name):
    if name == "keys":
        return program("show", "--keys") + "\n"
    if name == "signals":
        return f"\n{signals()}\n"
    return "\n```text\n" + program(*name.split()[1:], "--help").rstrip("\n") + "\n```\n\n"


def update(text, problems):
    """The text with its blocks up to date; a block that the program has no words for stays, as a problem."""

    def replaced(match):
        try:
            return f"<!-- {match.group(1)} -->\n{block(match.group(1))}<!-- end of {match.group(3)} -->"
        except RuntimeError as error:
            problems.append(str(error))
            return match.group()

    return BLOCK.sub(replaced, text)


def main():
    failed = False
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text, problems = page.read_text(), []
        new = update(text, problems)
        if new != text and "--check" in sys.argv[1:]:
            problems.append("not what the program says: run scripts/update_docs.py")
        elif new != text:
            page.write_text(new)
        for problem in problems:
            print(f"error: {page.relative_to(ROOT)}: {problem}", file=sys.stderr)
        failed |= bool(problems)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
