"""Studies: sweep, optimize and identify, with arrays for tables."""

import os
import tempfile

import numpy as np

from sinew import _core
from sinew._errors import ScenarioError
from sinew._scenario import Scenario, load

_SAMPLING = ("grid", "list", "latin", "sobol")
_METHODS = ("cmaes", "nsga2", "bobyqa")


def _axis(key, values):
    """KEY=..., as --vary takes it: a text as it is, (low, high) as a range, all else as a list."""
    if isinstance(values, str):
        return f"{key}={values}"
    if isinstance(values, tuple) and len(values) == 2:
        return f"{key}={float(values[0])!r}:{float(values[1])!r}"
    texts = [value if isinstance(value, str) else repr(float(value)) for value in np.atleast_1d(np.asarray(values, dtype=object))]
    return f"{key}={','.join(texts)}"


def _choice(name, word, allowed):
    if word not in allowed:
        raise ScenarioError(f"{name} {word!r}: take one of {', '.join(allowed)}")
    return allowed.index(word)


def _words(texts):
    return [texts] if isinstance(texts, str) else list(texts or [])


def _plan(vary, results, seed, until, stop_when, **more):
    return {"vary": [_axis(key, values) for key, values in dict(vary or {}).items()], "results": _words(results), "seed": seed,
            "until": until, "stop_when": stop_when or "", "sampling": 0, "samples": 0, "repeat": 0, **more}


def _table(columns):
    return {name: np.asarray(values) for name, values in columns.items()}


def _with_file(out, work):
    """The study's own file, or one that is thrown away."""
    if out is not None:
        return work(os.fspath(out))
    with tempfile.TemporaryDirectory() as folder:
        return work(os.path.join(folder, "study.h5"))


def _scenario(scenario):
    return scenario if isinstance(scenario, Scenario) else load(scenario)


def sweep(scenario, vary, results=None, sampling="grid", samples=0, repeat=0, seed=None, until=None, stop_when=None, out=None, threads=None):
    """Runs a scenario for many values of its keys; returns the table as a dictionary of arrays, one a column.

    vary: {key: values}; values are a list or an array, ``(low, high)`` for latin and sobol, or a text as ``--vary`` takes it
    results: names of results, or ``NAME=FORMULA`` of signals; None: all numbers of the scenario
    sampling: "grid", "list", "latin" or "sobol", the last two with ``samples`` points
    repeat: runs of each point, with a seed each
    out: a file (``.h5``) to keep it in; if it holds rows of the same study, only those that are missing are run
    """
    plan = _plan(vary, results, seed, until, stop_when, sampling=_choice("sampling", sampling, _SAMPLING), samples=samples, repeat=repeat)
    core = _scenario(scenario)._core
    return _table(_with_file(out, lambda file: _core.sweep(core, plan, file, threads or 0)))


def optimize(scenario, vary, maximize=(), minimize=(), subject_to=(), method="cmaes", budget=500, population=0, restarts=3, repeat=0,
             noise=False, results=None, seed=None, until=None, stop_when=None, out=None, threads=None):
    """Searches for the values of keys that make a result, or an expression of results, best.

    vary: {key: (low, high)}
    Returns a dictionary: ``best``, a list of {key: value} (one, or the front of nsga2), ``aim``, what the first of them reaches, ``runs``,
    ``ending`` and ``table``, all runs as arrays.
    """
    plan = _plan(vary, results, seed, until, stop_when, repeat=repeat)
    search = {"method": _choice("method", method, _METHODS), "maximize": _words(maximize), "minimize": _words(minimize),
              "subject_to": _words(subject_to), "budget": budget, "population": population, "restarts": restarts, "noise": noise}
    core = _scenario(scenario)._core
    found = _with_file(out, lambda file: _core.optimize(core, plan, search, file, threads or 0))
    found["table"] = _table(found["table"])
    return found


def identify(scenario, data, fit, priors=None, sigmas=None, threads=None):
    """Finds keys from measured signals, by least squares.

    data: {"t": times, signal: values, ...}; NaN: a value is missing
    fit: names of keys, or {key: (low, high)}; None instead of a range: the key's own. ``delay``: by how much the data is late [s]
    priors: {key: (mean, deviation)}; sigmas: {signal: deviation of its noise}
    Returns a dictionary: ``values`` and ``deviations`` by key, ``covariance``, ``correlation``, ``doubts``, ``converged``.
    """
    if isinstance(fit, dict):
        fit = [key if ends is None else _axis(key, tuple(ends)) for key, ends in fit.items()]
    columns = {name: np.asarray(values, dtype=float) for name, values in dict(data).items()}
    if "t" not in columns or len({len(values) for values in columns.values()}) != 1:
        raise ScenarioError("data: give times as 't' and as many values of each signal")
    given = {"fit": _words(fit), "priors": [_axis(key, tuple(pair)) for key, pair in (priors or {}).items()],
             "sigmas": [f"{name}={float(value)!r}" for name, value in (sigmas or {}).items()], "threads": threads or 0}
    names = [name for name in columns if name != "t"]
    return _core.identify(_scenario(scenario)._core, given, list(columns["t"]), names, [list(columns[name]) for name in names])
