"""World: one simulation, stepped from Python."""

import os
import warnings
from collections.abc import Mapping

import numpy as np

from sinew import _core
from sinew._errors import ScenarioError, SinewError
from sinew._scenario import Scenario, _check_uncertified, check_number, check_seed, check_whole, load


class Checkpoint:
    """A moment of a world, to go back to: ``c = w.checkpoint(); ...; w.restore(c)``. ``time`` is when it was taken [s]."""

    def __init__(self, progress):
        self._progress = progress

    @property
    def time(self):
        """When it was taken [s]."""
        return self._progress.time

    def __repr__(self):
        return f"<sinew.Checkpoint at t = {self.time:.6g} s>"


class Commands(Mapping):
    """What the robot can be told, by name: ``w.command["joint.knee"] = 3.0``. Held until it is told something else."""

    def __init__(self, world):
        self._world = world

    def __getitem__(self, name):
        return self._world._command(name)

    def __setitem__(self, name, value):
        self._world._give(name, value)

    def __iter__(self):
        return (c["name"] for c in self._world.channels() if c["direction"] == "command")

    def __len__(self):
        return sum(1 for _ in self)

    def __contains__(self, name):
        return any(name == other for other in self)

    def __repr__(self):
        return f"<commands {', '.join(self) or 'none'}>"


class World(_core.World):
    """One simulation of a scenario, stepped from here; the same bits as ``sinew run``.

    scenario: a Scenario, or what ``sinew.load`` takes
    seed: of random numbers, a whole number >= 0
    robot: its number among robots with the same seed; noise of sensors follows from both. Robot i of a Batch has number i
    results: gathers what the results of a run are made of, for ``results()`` and for checkpoints in files
    on_uncertified: "raise" raises NotCertified after the first step that was not solved to ``contact.tolerance``
    controller: False: without the scenario's own controller; commands are what ``command`` and ``controller()`` say

    ``q``, ``u`` and arrays of ``signal`` show the world as it is now: they change when it is stepped, cannot be written to, and
    keep it alive.
    """

    def __init__(self, scenario, seed=0, robot=0, results=False, on_uncertified="ignore", controller=True):
        _check_uncertified(on_uncertified)
        self.scenario = (scenario if isinstance(scenario, Scenario) else load(scenario)).copy()
        self._controllers = []
        super().__init__(self.scenario._core, check_seed(seed), check_whole("robot", robot, below=2**32), bool(results),
                         on_uncertified == "raise", bool(controller))
        self._seed = seed

    def step(self, n=1):
        """n steps of ``integrator.step``. Other threads of Python run meanwhile.

        A step that fails raises SinewError, and the world stays in the last sound moment; ``restore`` and ``reset`` lead back.
        """
        try:
            self.step_with(n, self._controllers)
        except TypeError:  # of the number, or of what a controller does
            check_whole("step", n, below=2**63)
            raise

    def checkpoint(self, path=None):
        """The world as it is now, to go back to. With a path it is also stored there, for ``restore(path)`` and
        ``sinew run --resume``; the world must then have been made with ``results=True``."""
        if path is not None:
            self.save_checkpoint(os.fspath(path))
        return Checkpoint(self.snapshot())

    def restore(self, checkpoint):
        """Back to a checkpoint of a world of the same scenario, or to one that was stored in a file: bit for bit."""
        if isinstance(checkpoint, Checkpoint):
            super().restore(checkpoint._progress)
        elif isinstance(checkpoint, (str, os.PathLike)):
            self.load_checkpoint(os.fspath(checkpoint))
        else:
            raise SinewError(f"restore: {checkpoint!r} is no checkpoint: give what checkpoint() returned, or a path")

    @property
    def command(self):
        """What the robot can be told, by name [N m, N, rad ...: ``channels()`` has the units]."""
        return Commands(self)

    def _command(self, name):
        return super().command(name)

    def _give(self, name, value):
        if self.has_own_controller and not self._controllers:
            warnings.warn("the scenario has a controller, which writes over commands of the joints that it moves: "
                          "sinew.World(scenario, controller=False) is without it", stacklevel=3)
        try:
            values = np.atleast_1d(np.asarray(value, dtype=float)).ravel().tolist()
        except (TypeError, ValueError):
            raise ScenarioError(f"{name}: {value!r} is no command: give a finite number") from None
        self.give_command(name, values)

    def controller(self, function=None, period=0.0, phase=0.0, observe=None, command=None):
        """Lets a function of Python control the robot, at its own rate.

        function: ``f(t, observation, command)`` is called at t = phase + k period [s], at the start of the step; it fills the array
            ``command``, where it finds what it gave last
        period: [s]; 0: every step
        observe: names of readings or signals, one after the other in the array ``observation``; None: q and u of all joints, and
            what sensors say
        command: names of commands, in the order of the array; None: all

        Can be used as a decorator: ``@w.controller`` or ``@w.controller(period=0.01)``.
        """
        if function is None:
            return lambda f: self.controller(f, period, phase, observe, command)
        if not callable(function):
            raise ScenarioError(f"controller: {function!r} cannot be called: give a function f(t, observation, command)")
        if self.has_own_controller:
            raise ScenarioError("controller: the scenario has a controller of its own, which would write over this one: "
                                "make the world without it, sinew.World(scenario, controller=False)")
        channels = self.channels()
        if observe is None:
            observe = [c["name"] for c in channels if c["direction"] == "reading"]
        if command is None:
            command = [c["name"] for c in channels if c["direction"] == "command"]
        one = (lambda names: [names] if isinstance(names, str) else list(names))
        self._controllers.append((self.prepare(period, phase, one(observe), one(command)), function))
        return function

    def remove_controllers(self):
        """From now on commands stay as they are."""
        self._controllers.clear()

    def set(self, key, value):
        """Changes a live parameter (``sinew show`` marks them) while it runs; given motions pass over to the new value smoothly."""
        super().set(key, check_number(key, value))

    def signals(self):
        """{name: (unit, description)} of all signals."""
        return {c["name"]: (c["unit"], c["description"]) for c in self.channels() if c["direction"] == "signal"}

    def view(self, seconds=0.0, height=480):
        """The robot as it is now, and what comes in the next seconds [s] with commands as they are, as a page that shows itself in a
        notebook; ``save(path)`` writes it. The world stays where it is; controllers in Python are not asked."""
        from sinew._view import view_of_world  # pylint: disable=import-outside-toplevel
        return view_of_world(self, seconds, height)

    def __repr__(self):
        return f"<sinew.World {self.scenario.name} at t = {self.time:.6g} s>"
