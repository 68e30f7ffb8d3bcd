"""Recordings: signals over time, as a run has written them."""

import importlib
import json
import os

import numpy as np

from sinew import _core
from sinew._errors import ScenarioError, SinewError

_SHOWN_BYTES = 64 * 2**20  # of a file that shows itself in a notebook, which then holds all of it


def _needed(name, call):
    """A module that only this call needs."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise SinewError(f"{call}: it needs {name}, which is not installed: apt install python3-{name}") from None


class Recording:
    """A recording (HDF5) of a run; also one that is still being written, or that a killed run has left.

        r = sinew.Recording("run.h5")
        r["com.p"]          # (rows, 3): com.p.x, com.p.y, com.p.z [m]
        r.t                 # [s]
        r.to_pandas()

    Signals are read when they are asked for. ``refresh()`` takes in what has been written since.
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        self._reader = _core.Reader(self.path)

    def refresh(self):
        """Opens the file again: rows that a run has added since then are there now."""
        self._reader = _core.Reader(self.path)
        return self

    @property
    def signals(self):
        """Names of all signals; ``t`` is the first."""
        return [name for name, _, _ in self._reader.columns]

    @property
    def units(self):
        """{signal: unit}"""
        return {name: unit for name, unit, _ in self._reader.columns}

    @property
    def descriptions(self):
        """{signal: what it is}"""
        return {name: text for name, _, text in self._reader.columns}

    @property
    def t(self):
        """Times of the rows [s]."""
        return self._reader.read(0)

    def __len__(self):
        return self._reader.rows

    def _columns(self, name):
        names = self.signals
        if name in names:
            return [names.index(name)]
        found = [i for i, other in enumerate(names) if other.startswith(name + ".")]
        if not found:
            import difflib  # pylint: disable=import-outside-toplevel
            near = difflib.get_close_matches(name, names, 3, 0.4)
            hint = f"did you mean {' or '.join(near)}?" if near else "Recording.signals lists all"
            raise ScenarioError(f"{name}: the recording has no signal of this name: {hint}")
        return found

    def __contains__(self, name):
        return any(other == name or other.startswith(name + ".") for other in self.signals)

    def __getitem__(self, name):
        """Numbers of a signal (rows,), or of all signals NAME.* (rows, k)."""
        columns = self._columns(name)
        if len(columns) == 1 and self.signals[columns[0]] == name:
            return self._reader.read(columns[0])
        return np.stack([self._reader.read(i) for i in columns], axis=1)

    def _chosen(self, signals):
        names = self.signals
        if signals is None:
            return list(range(1, len(names)))
        wanted = [signals] if isinstance(signals, str) else signals
        return [i for name in wanted for i in self._columns(name)]

    def to_pandas(self, signals=None):
        """A DataFrame with the time [s] as its index; units are in ``attrs["units"]``. Needs pandas (Debian: python3-pandas)."""
        pandas = _needed("pandas", "to_pandas")
        names = self.signals
        columns = {names[i]: self._reader.read(i) for i in self._chosen(signals)}
        frame = pandas.DataFrame(columns, index=pandas.Index(self.t, name="t"))
        frame.attrs["units"] = {name: self.units[name] for name in columns}
        return frame

    def to_xarray(self, signals=None):
        """A Dataset over the coordinate t [s], each signal with its unit. Needs xarray (Debian: python3-xarray)."""
        xarray = _needed("xarray", "to_xarray")
        table = self._reader.columns
        data = {table[i][0]: ("t", self._reader.read(i), {"units": table[i][1], "long_name": table[i][2]})
                for i in self._chosen(signals)}
        return xarray.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})})

    @property
    def scenario(self):
        """The complete scenario of the run as TOML."""
        return self._reader.attribute("scenario")

    @property
    def result(self):
        """What ``sinew run --json`` printed; None where the run has not ended."""
        text = self._reader.attribute("run")
        return json.loads(text) if text else None

    @property
    def events(self):
        """What happened, by time: [(t [s], name, True: begins or False: ends)], of the signals that are switches (0 or 1), such as whether
        a contact touches or a sensor is lost."""
        t = self.t
        out = []
        for i, (name, unit, _) in enumerate(self._reader.columns):
            if i == 0 or unit not in ("", "1"):
                continue
            values = self._reader.read(i)
            if len(values) == 0 or not np.all((values == 0.0) | (values == 1.0)):
                continue
            for k in np.flatnonzero(np.diff(values)) + 1:
                out.append((float(t[k]), name, bool(values[k])))
        return sorted(out)

    def view(self, height=480):
        """The page that plays it; ``save(path)`` writes it."""
        from sinew._view import view_of_recording  # pylint: disable=import-outside-toplevel
        return view_of_recording(self, height)

    def _repr_html_(self):
        if os.path.getsize(self.path) > _SHOWN_BYTES:
            from sinew._view import note  # pylint: disable=import-outside-toplevel
            return note(f"{self!r}: large, so that only view() puts it into the notebook")
        return self.view()._repr_html_()

    def __repr__(self):
        end = f"{self.t[-1]:.6g} s" if len(self) else "nothing yet"
        return f"<sinew.Recording {self.path}: {len(self.signals)} signals, {len(self)} rows, {end}>"


def record(scenario, path, **options):
    """Runs a scenario to its end and records it: ``sinew.run(..., record=path)``, then the Recording."""
    from sinew._scenario import run  # pylint: disable=import-outside-toplevel
    if not os.fspath(path).endswith(".h5"):
        raise SinewError(f"{os.fspath(path)}: it is no name of a recording: end it with .h5")
    run(scenario, record=path, **options)
    return Recording(path)
