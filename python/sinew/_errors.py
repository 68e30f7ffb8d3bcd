"""What may go wrong: three kinds of exceptions, all of them a SinewError."""

import re

_WORD = r"[A-Za-z_][\w.\[\]-]*"
_CALLS = {"batch", "checkpoint", "command", "controller", "data", "load", "restore", "results", "rollout", "step", "view", "world"}


def _key_in(text):
    """The key that a sentence begins with, or None."""
    unknown = re.match(rf"unknown key ({_WORD})(?: in \[({_WORD})\])?", text)
    if unknown:
        key, table = unknown.groups()
        return f"{table}.{key}" if table and not key.startswith(table + ".") else key
    begins = re.match(rf"({_WORD})(?=: | is )", text)
    return begins.group(1) if begins else None


def _key_of(place, rest):
    """The key that stands before the first colon, or None where that is a file, a scenario or a call."""
    if "=" in place:
        return place.partition("=")[0].strip()
    if re.fullmatch(_WORD, place):
        return None if place in _CALLS or rest.startswith("unknown scenario") else place
    return _key_in(place) if re.match(r"\w+\.\S+ is ", place) else None


class SinewError(Exception):
    """A run that failed, a file that cannot be read or written, a call that means nothing."""


class NotCertified(SinewError):
    """A step was not solved to ``contact.tolerance``; raised only where ``on_uncertified="raise"`` asks for it."""


class ScenarioError(SinewError, ValueError):
    """Bad input: a scenario, a key, a name. Every problem that was found is in ``problems``.

    Attributes, of the first problem:
        problems: all problems, each as "PLACE: WHAT: HOW TO FIX"
        file, line: where it is written, or None
        key: the dotted key, or None
        fix: what is allowed, or what to do
    """

    def __init__(self, problems):
        if isinstance(problems, str):
            problems = [problems]
        self.problems = list(dict.fromkeys(problem.removeprefix("--set ").removeprefix("--vary ") for problem in problems))
        first = self.problems[0] if self.problems else "bad input"
        place, _, rest = first.partition(": ")
        at = re.fullmatch(r"(.*):(\d+)", place)
        self.file = at.group(1) if at else None
        self.line = int(at.group(2)) if at else None
        asked = re.search(r": (it (?:needs|must) .*)", rest)
        self.fix = asked.group(1) if asked else rest.rpartition(": ")[2]
        self.key = _key_in(rest) if at else _key_of(place, rest)
        super().__init__("\n".join(self.problems))
