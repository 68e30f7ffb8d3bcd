"""What the pages of the repository say: code spans, commands, dotted names. Used by docs_test.py and quickstart_test.py."""

import re
import shlex
from functools import cache

from program import ROOT, sinew


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(text):
    """(language, line number, lines) of the fenced blocks."""
    language, lines, first = None, [], 0
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.fullmatch(r"\s*```+(.*)", line)
        if fence and language is None:
            language, lines, first = fence.group(1).strip(), [], number + 1
        elif fence:
            yield language, first, lines
            language = None
        elif language is not None:
            lines.append(line)


def spans(text):
    """(line number, text) of the `spans` of code outside blocks."""
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*```", line):
            in_block = not in_block
        elif not in_block:
            yield from ((number, span) for span in re.findall(r"`([^`]+)`", line))


def words_of(line):
    """The words of a command, without what is explained after it and where its output goes; [] if it is none of ours."""
    line = re.split(r"\s{2,}|\s#|\s[>|]\s", line.removeprefix("$ ").strip())[0]
    return shlex.split(line)[1:] if re.match(r"(\./)?sinew \S", line) else []


def commands(text):
    """(line number, words after sinew) of all commands in spans and blocks."""
    found = [(number, words_of(span)) for number, span in spans(text)]
    for language, first, lines in blocks(text):
        if language in ("", "console", "sh", "bash", "text"):
            # a command that is shown with its error is meant to be wrong
            found += [(first + i, words_of(line)) for i, line in enumerate(lines)
                      if not "".join(lines[i + 1:i + 2]).startswith("error: ")]
    return [(number, words) for number, words in found if words]


@cache
def help_of(*command):
    done = sinew(*command, "--help")
    return done.stdout if done.returncode == 0 else ""


@cache
def known_commands():
    listed = re.search(r"^(?:Subcommands|Commands):\n((?:  \S.*\n)+)", help_of(), re.M)
    return [line.split()[0] for line in listed.group(1).splitlines()]


@cache
def known_options(*command):
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", help_of(*command), re.I))


@cache
def is_accepted(*words):
    """Does the program know this scenario, with these keys set?"""
    return sinew("show", *words).returncode == 0


def is_placeholder(word):
    return word.isupper() or "[" in word or "..." in word


def problems_of_command(words):
    """What is wrong with sinew WORDS, as sentences."""
    command, rest = words[0], words[1:]
    if is_placeholder(command):
        return
    if command.startswith("-"):
        command, rest = "", words
    elif command not in known_commands():
        yield f"sinew has no command {command}"
        return
    names = [command] if command else []
    for option in (word.split("=")[0] for word in rest if word.startswith("-") and word != "-"):
        if option not in known_options(*names):
            yield f"{' '.join(['sinew', *names])} has no option {option}"
    if command not in ("run", "show", "view") or not rest or rest[0].startswith("-") or is_placeholder(rest[0]):
        return
    if rest[0].endswith((".toml", ".h5", ".urdf", ".xml")):
        return
    sets = [word for before, word in zip(rest, rest[1:]) if before == "--set" and not is_placeholder(word.split("=")[0])]
    if not is_accepted(rest[0], *(part for word in sets for part in ("--set", word))):
        yield f"the program does not accept {' '.join([rest[0], *('--set ' + word for word in sets)])}"


@cache
def dotted_names():
    """Patterns of all keys and signals, and the first words that mark a dotted name as one of them."""
    names, table = set(), ""
    for line in sinew("show", "--keys").stdout.splitlines():
        heading, row = re.match(r"### (?:`\[([\w.]+)\])?", line), re.match(r"\| (`.*?`) \|", line)
        if heading:
            table = heading.group(1) or ""
        elif row:
            names |= {f"{table}.{key}".lstrip(".") for key in re.findall(r"`(\w+)`", row.group(1))}
    listed = (ROOT / "docs/signals.md").read_text()
    for row in re.findall(r"^\| (`.*) \|.*\|.*\|$", listed, re.M):
        first, *others = re.findall(r"`([\w.]+)`", row)
        names |= {first} | {first.rpartition(".")[0] + other for other in others}
    prefixes = {".".join(name.split(".")[:n]) for name in names for n in range(1, name.count(".") + 2)}
    contact = r"(?:NAME|[\w-]+\.[\w-]+:(?:ground(?:\.step\d+)?|(?!ground\b)[\w-]+\.[\w-]+))"
    patterns = [re.compile(re.escape(name).replace("NAME", contact if name.startswith("contact.NAME") else r"[\w-]+"))
                for name in prefixes]
    return patterns, {name.split(".")[0] for name in names if "." in name}


def is_stale(span):
    """Does it look like a key or a signal, and is none?"""
    patterns, heads = dotted_names()
    if not re.fullmatch(r"\w+(\.[\w:-]+)+", span) or span.split(".")[0] not in heads:
        return False
    if span.endswith((".h", ".cpp", ".py", ".md", ".toml")):
        return False
    return not any(pattern.fullmatch(span) for pattern in patterns)
