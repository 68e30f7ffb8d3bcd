"""What may go wrong: three kinds of exceptions, all of them a SinewError."""

import re


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
        self.problems = [problem.removeprefix("--set ") for problem in problems]
        first = self.problems[0] if self.problems else "bad input"
        place, _, rest = first.partition(": ")
        what, _, fix = rest.rpartition(": ")
        at = re.fullmatch(r"(.*):(\d+)", place)
        self.file = at.group(1) if at else None
        self.line = int(at.group(2)) if at else None
        self.fix = fix
        self.key = None
        words = re.match(r"(?:unknown key )?([A-Za-z_][\w.\[\]-]*)", what)
        if "=" in place and not at:
            self.key = place.partition("=")[0]
        elif words and (words.group(0).startswith("unknown key") or " is " in what):
            self.key = words.group(1)
        elif re.fullmatch(r"[A-Za-z_][\w.\[\]-]*", place):
            self.key = place
        super().__init__("\n".join(self.problems))
