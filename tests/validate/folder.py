#!/usr/bin/env python3
"""All numbers of the scenarios in one folder come out, and each scenario leaves a recording for the site.

Usage: folder.py FOLDER RECORDINGS. The environment variable SINEW names the program. What the program reports is held against
the files themselves: each scenario has numbers, and not one of them is left out.
"""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


def numbers_of(path):
    """How many numbers a scenario file expects."""
    cases = tomllib.loads(path.read_text()).get("validate", {}).values()
    expected = [number for case in cases for number in case.get("expect", {}).values()]
    return sum(len(number["value"]) if isinstance(number.get("value"), list) else 1 for number in expected)


def problems_of(folder, entries, recordings):
    for entry in entries:
        if not entry["pass"]:
            yield f"{entry['id']}: {entry['measured']}, not {entry['expected']} within {entry['tolerance']}: {entry.get('reason', '')}"
        if not entry["source"]:
            yield f"{entry['id']}: without a source"
    for path in sorted((SCENARIOS / folder).glob("*.toml")):
        name = f"{folder}/{path.stem}"
        reported = sum(entry["id"].startswith(f"{name}/") for entry in entries)
        if reported == 0 or reported != numbers_of(path):
            yield f"{name}: {reported} numbers are reported, {numbers_of(path)} stand in the file"
        if not (recordings / f"{name}.h5").is_file():
            yield f"{name}: not recorded"
    if others := [entry["id"] for entry in entries if not entry["id"].startswith(f"{folder}/")]:
        yield f"of other folders: {others}"


def main():
    folder, recordings = sys.argv[1], Path(sys.argv[2])
    shutil.rmtree(recordings / folder, ignore_errors=True)
    command = [os.environ["SINEW"], "validate", "--only", f"{folder}/", "--recordings", recordings, "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    if done.returncode not in (0, 3):
        return f"sinew validate: exit code {done.returncode}"
    entries = json.loads(done.stdout)
    problems = list(problems_of(folder, entries, recordings))
    print(f"{sum(entry['pass'] for entry in entries)} of {len(entries)} pass", *problems, sep="\n")
    return 1 if problems or done.returncode else 0


if __name__ == "__main__":
    sys.exit(main())
