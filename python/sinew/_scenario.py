"""Scenarios: what is simulated, as dotted keys with values, and runs from start to end."""

import json
import math
import os
import tomllib

from sinew import _core
from sinew._data import scenario_folder
from sinew._errors import NotCertified, ScenarioError, SinewError
from sinew._keys import find_attribute, names_below
from sinew._toml import set_text, tables_text


def _degrees(value):
    if isinstance(value, list):
        return [_degrees(item) for item in value]
    return float(f"{math.degrees(value):.13g}")


class Scenario:
    """One experiment: a robot, where it is, how it is integrated, how long, and what is read out.

    Keys are those that ``sinew show`` prints, dotted, or their last parts where these are unique::

        s = sinew.load("sidewinding", mu_long=0.1)
        s["gait.Ah_deg"] = 40          # degrees
        s["gait.Ah"]                   # radians: SI units, unless a name says otherwise

    Tables are attributes as well, ``s.gait.Ah_deg = 40``, with the meaning and unit of each key for ``help(s.gait)``.

    A key that is none, or a value that is not allowed, raises ScenarioError at once, and the scenario stays as it was.
    """

    def __init__(self, core):
        self._core = core
        self._entries = None

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return find_attribute(self, "", name)

    def __setattr__(self, name, value):
        if name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            self[name] = value

    def __dir__(self):
        return [*object.__dir__(self), *names_below(self.keys(), "")]

    def _ipython_key_completions_(self):
        return self.keys()

    @property
    def name(self):
        """Name of a built-in scenario, or the path of its file."""
        return self._core.name

    @property
    def title(self):
        """What it shows, in a line."""
        return self._core.title

    @property
    def source(self):
        """Where it was published."""
        return self._core.source

    def _table(self):
        if self._entries is None:
            self._entries = {entry["key"]: entry for entry in self._core.keys()}
        return self._entries

    def keys(self):
        """All dotted keys, in the order of ``sinew show``."""
        return [key for key, entry in self._table().items() if not entry["stands_for"]]

    def __iter__(self):
        return iter(self.keys())

    def __len__(self):
        return len(self.keys())

    def __contains__(self, key):
        try:
            self._core.find_key(key)
        except ScenarioError:
            return False
        return True

    def _find(self, key):
        """The entry of a key, and whether it is meant in degrees."""
        found = self._core.find_key(key)
        entry = self._table().get(found)
        if entry is not None:
            return entry, False
        entry = self._table().get(found.removesuffix("_deg"))
        if entry is None:
            raise ScenarioError(f"{key}: it has no value yet: set it first")
        return entry, True

    def __getitem__(self, key):
        entry, in_degrees = self._find(key)
        value = tomllib.loads("value = " + entry["value"])["value"]
        return _degrees(value) if in_degrees else value

    def __setitem__(self, key, value):
        self.update({key: value})

    def update(self, values=(), **keys):
        """Sets several keys at once, and checks the scenario when all are set: ``s.update({"gait.f": 1.0}, mu_long=0.1)``."""
        changes = {**dict(values), **keys}
        given = self._core.given([f"{key}={set_text(value, key)}" for key, value in changes.items()])
        self._core = given
        self._entries = None
        return self

    def info(self, key):
        """What there is to know about a key: its value as TOML, unit, doc, type, range, whether it may change while it runs (live)."""
        return dict(self._find(key)[0])

    def copy(self):
        """Another one of its own."""
        return Scenario(self._core)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    def show(self):
        """The complete scenario as TOML: every key with its value, unit, meaning and default."""
        return self._core.show()

    def save(self, path):
        """Writes the complete scenario to a file that ``sinew run`` and ``sinew.load`` take."""
        text = self._core.show_to_store()
        try:
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise SinewError(f"{os.fspath(path)}: it cannot be written ({error.strerror}): choose another place") from error

    def view(self, until=None, height=480):
        """A run of it, to its end or until this time [s], as a page that shows itself in a notebook; ``save(path)`` writes it."""
        from sinew._view import view_of_scenario  # pylint: disable=import-outside-toplevel
        return view_of_scenario(self, until, height)

    def __repr__(self):
        return f"<sinew.Scenario {self.name}: {self.title}>" if self.title else f"<sinew.Scenario {self.name}>"


def load(name_or_path, /, **keys):
    """A scenario by its name, by the last part of it where that is unique, or from a ``.toml`` file.

    Values of keys may follow: ``sinew.load("sidewinding", mu_long=0.1)``; dotted ones as ``**{"gait.Ah_deg": 40}``.
    Raises ScenarioError with every problem found.
    """
    if isinstance(name_or_path, Scenario):
        return name_or_path.copy().update(keys)
    if not isinstance(name_or_path, (str, os.PathLike)):
        raise ScenarioError(f"load: {name_or_path!r} is no scenario: give its name, the path of its file, or a Scenario")
    sets = [f"{key}={set_text(value, key)}" for key, value in keys.items()]
    return Scenario(_core.load(os.fspath(name_or_path), scenario_folder(), sets))


def build(tables, name="built", folder="."):
    """A scenario made in Python: tables of a scenario file as dictionaries, with bodies, joints and shapes one by one::

        sinew.build({
            "duration": 2.0,
            "body": {"bob": {"mass": 1.0}},
            "joint": {"pivot": {"child": "bob", "axis": [0, 1, 0], "p_child": [-1, 0, 0]}},
        })

    folder: from which paths of meshes and tables count.
    """
    return Scenario(_core.Scenario(tables_text(tables), os.path.join(os.fspath(folder), name + ".toml"), name, []))


def scenarios():
    """Names of the built-in scenarios."""
    return _core.built_in(scenario_folder())


def run(scenario, until=None, seed=0, record=None, on_uncertified="ignore"):
    """Simulates from start to end; returns what ``sinew run --json`` prints, as a dictionary.

    until: ends at this time [s] instead of the scenario's duration
    seed: of random numbers, a whole number >= 0
    record: path of a recording (``.h5``) to write; None: nothing is recorded
    on_uncertified: "raise" raises NotCertified if a step was not solved to ``contact.tolerance``; "ignore" leaves that
        to ``result["solver"]["unconverged_steps"]``

    A run that fails raises SinewError; its ``result`` holds what was computed until then.
    """
    _check_uncertified(on_uncertified)
    scenario = scenario if isinstance(scenario, Scenario) else load(scenario)
    until = None if until is None else check_number("until", until, "a time [s]")
    answer = _core.run(scenario._core, check_seed(seed), until, os.fspath(record) if record is not None else "")
    result = json.loads(answer.json)
    error = SinewError(answer.failure) if answer.failure else None
    if error is None and answer.unsolved and on_uncertified == "raise":
        error = NotCertified(answer.unsolved)
    if error is not None:
        error.result = result
        raise error
    return result


def _check_uncertified(word):
    if word not in ("ignore", "raise"):
        raise ScenarioError(f'on_uncertified: {word!r} is no answer: it must be one of "ignore", "raise"')


def check_whole(name, value, least=0, below=2**31):
    """A whole number, or an error that names what it was for."""
    if not isinstance(value, bool) and hasattr(value, "__index__") and least <= value.__index__() < below:
        return value.__index__()
    raise ScenarioError(f"{name}: {value!r} is refused: it must be a whole number >= {least} and < {below}")


def check_number(name, value, what="a number"):
    """One number, or an error that names what it was for."""
    try:
        return float(value)
    except (TypeError, ValueError):
        raise ScenarioError(f"{name}: {value!r} is refused: it must be {what}") from None


def check_seed(seed):
    if isinstance(seed, bool) or not hasattr(seed, "__index__") or not 0 <= seed.__index__() < 2**64:
        raise ScenarioError(f"seed: {seed!r} is no seed: it must be a whole number >= 0")
    return seed.__index__()
