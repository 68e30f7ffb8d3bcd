#!/usr/bin/env python3
"""Pages of the site that are made when it is built: gallery, changelog, contributing.

Usage: docs_pages.py ROOT DOCS [--no-gallery]. ROOT: the repository; DOCS: a copy of its docs/ that is written to. The environment
variable SINEW names the program. Each picture is made by the program: a scenario is run, and the signals of its
[output.result] are plotted; of a test bench, where nothing moves, the lists among its results, if they belong together. If SINEW_RECORDINGS names a folder, nothing is run: it holds the recordings of all scenarios,
made by sinew validate --recordings.
"""

import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# Pages at the root of the repository, and what they are called in the site.
OUTSIDE = {"CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}


def program(*arguments):
    """Standard output of sinew ARGUMENTS, which must succeed."""
    command = [os.environ["SINEW"], *map(str, arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        sys.exit(f"error: docs: sinew {' '.join(command[1:])} failed with code {done.returncode}: see above")
    return done.stdout


def signals_of(name, recording):
    """The signals that the results of a scenario are made of, one by one; of very many bodies a few for all of them."""
    results = tomllib.loads(program("show", name))["output"].get("result", {})
    wanted = [value["signal"] if isinstance(value, dict) else value for value in results.values()]
    known = [line.split(maxsplit=1)[0] for line in program("export", recording, "--list").splitlines()]
    found = [signal for group in wanted for signal in known
             if fnmatch.fnmatchcase(signal, group) or signal.startswith(group + ".")]
    if not found and len(known) > 1000:
        found = [signal for signal in ("energy.kinetic", "contacts.count", "contacts.penetration") if signal in known]
    return list(dict.fromkeys(found))


def plot(scenario, recording, target):
    name = scenario["name"]
    if "bench" in scenario:
        command = [os.environ["SINEW"], "plot", recording, "-o", target]
        subprocess.run(command, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, check=False)
        return
    signals = ",".join(signals_of(name, recording))
    program("plot", recording, *(["--signals", signals] if signals else []), "-o", target)


def picture(scenario, target):
    name = scenario["name"]
    target.parent.mkdir(parents=True, exist_ok=True)
    if kept := os.environ.get("SINEW_RECORDINGS"):
        plot(scenario, Path(kept) / f"{name}.h5", target)
    else:
        with tempfile.TemporaryDirectory() as folder:
            recording = Path(folder) / "recording.h5"
            program("run", name, "--quiet", "--out", recording)
            plot(scenario, recording, target)
    scenario["has_picture"] = target.is_file()
    if not scenario["has_picture"] and "bench" not in scenario:
        sys.exit(f"error: docs: sinew plot made no {target.name}")


def gallery_page(scenario):
    name, last = scenario["name"], scenario["name"].split("/")[-1]
    up = "../" * (name.count("/") + 2)
    source = re.sub(r"docs/([\w/-]+\.md(?:#[\w-]+)?)", rf"[docs/\1]({up[3:]}\1)", scenario["source"])
    image = f"""```{{image}} {last}.svg
:alt: results of {name}
:class: plot
```

""" if scenario["has_picture"] else ""
    results = (f'Results: {", ".join(f"`{result}`" for result in scenario["result"])}.' if "bench" not in scenario else
               "A test bench: nothing moves, its results are what it measures.")
    return f"""# {last}

{scenario["title"]}.

{image}Source: {source}. {results}

```
sinew run {last}
```

The file, `scenarios/{name}.toml`:

```{{literalinclude}} {up}scenarios/{name}.toml
:language: toml
```
"""


def card(scenario):
    name = scenario["name"]
    image = f"[![results of {name}](gallery/{name}.svg)](gallery/{name}.md)\n\n" if scenario["has_picture"] else ""
    return f""":::{{container}} gallery-card
{image}[**{name.split("/")[-1]}**](gallery/{name}.md)

{scenario["title"]}
:::
"""


def make_gallery(docs):
    scenarios = json.loads(program("list", "--json"))
    with ThreadPoolExecutor(int(os.environ.get("SINEW_JOBS") or os.cpu_count())) as pool:
        for _ in pool.map(lambda s: picture(s, docs / f"gallery/{s['name']}.svg"), scenarios):
            pass  # the first that fails ends the program
    for scenario in scenarios:
        (docs / f"gallery/{scenario['name']}.md").write_text(gallery_page(scenario))
    with open(docs / "gallery.md", "a") as page:
        for group in dict.fromkeys(scenario["name"].split("/")[0] for scenario in scenarios):
            members = [scenario for scenario in scenarios if scenario["name"].split("/")[0] == group]
            page.write(f"\n## {group.capitalize()}\n\n")
            page.write("::::{container} gallery-grid\n" + "".join(map(card, members)) + "::::\n\n")
            page.write("```{toctree}\n:hidden:\n" + "".join(f"gallery/{m['name']}\n" for m in members) + "```\n")


def from_docs(target):
    """A link from the root of the repository, as seen from docs/."""
    if re.match(r"\w+:|#", target):
        return target
    if target in OUTSIDE:
        return OUTSIDE[target]
    return target.removeprefix("docs/") if target.startswith("docs/") else f"../{target}"


def copy_outside_pages(root, docs):
    for name, target in OUTSIDE.items():
        text = (root / name).read_text()
        (docs / target).write_text(re.sub(r"\]\(([^)\s]+)\)", lambda m: f"]({from_docs(m.group(1))})", text))
    for page in docs.rglob("*.md"):
        text = page.read_text()
        for other, target in OUTSIDE.items():
            text = re.sub(rf"\]\(((?:\.\./)*)\.\./{re.escape(other)}", rf"](\1{target}", text)
        page.write_text(text)


def main():
    root, docs = map(Path, sys.argv[1:3])
    copy_outside_pages(root, docs)
    if "--no-gallery" not in sys.argv[3:]:
        make_gallery(docs)


if __name__ == "__main__":
    main()
