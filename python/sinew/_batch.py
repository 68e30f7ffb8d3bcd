"""Batch: many robots at once; rollout: what they do over time, as arrays."""

import numpy as np

from sinew import _core
from sinew._errors import ScenarioError
from sinew._scenario import Scenario, check_seed, check_whole, load


def _marks(mask, n):
    """A mask, or numbers of robots, as one byte a robot; None: all."""
    if mask is None:
        return np.empty(0, np.uint8)
    mask = np.asarray(mask)
    if mask.dtype == bool or (mask.dtype == np.uint8 and mask.shape == (n,)):
        if mask.shape != (n,):
            raise ScenarioError(f"batch: a mask of shape {mask.shape} for {n} robots: give one mark for each")
        return mask.astype(np.uint8)
    if mask.dtype.kind not in "iu" or (mask.size and (mask.min() < 0 or mask.max() >= n)):
        raise ScenarioError(f"batch: {mask!r} is no mask: give {n} times true or false, or numbers of robots")
    marks = np.zeros(n, np.uint8)
    marks[mask] = 1
    return marks


class Batch(_core.Batch):
    """Many robots of one scenario, stepped together; robot i has the bits of ``World(scenario, seed, robot=i)``.

    scenario: a Scenario, or what ``sinew.load`` takes
    n: how many robots
    threads: None: one for each processor. The bits do not depend on it
    seed: of random numbers, a whole number >= 0
    controller: False: without the scenario's own controller; ``command`` says what the robots do

    Four robots share a register, which is several times as fast. Robots that fail are marked in ``failed`` and left out; ``reset`` brings
    them back. Arrays show the batch as it is now, and keep it alive.
    """

    def __init__(self, scenario, n, threads=None, seed=0, controller=True):
        self.scenario = (scenario if isinstance(scenario, Scenario) else load(scenario)).copy()
        threads = 0 if threads is None else check_whole("threads", threads, 1)
        super().__init__(self.scenario._core, check_whole("robots", n, 1, 1_000_001), threads, check_seed(seed), bool(controller))

    def step(self, n=1):
        """n steps of ``integrator.step`` of every robot that has not failed. Other threads of Python run meanwhile."""
        try:
            self.step_all(n)
        except TypeError:
            check_whole("step", n, below=2**63)
            raise

    def set(self, key, values, mask=None):
        """Gives robots numbers of their own: any number of the scenario by its key, one value a robot or one for all.

        Those that the mask marks begin anew with it; None: all. ``b.set("contact.mu_long", np.linspace(0.1, 0.5, len(b)))``
        """
        try:
            numbers = np.atleast_1d(np.asarray(values, dtype=float)).ravel()
        except (TypeError, ValueError):
            raise ScenarioError(f"{key}: {values!r} is refused: it must be a number for each robot, or one for all") from None
        self.set_numbers(key, numbers, _marks(mask, len(self)))

    def reset(self, mask=None):
        """Robots that the mask marks (true or false for each, or their numbers) begin anew; None: all."""
        self.reset_marked(_marks(mask, len(self)))

    @property
    def failed(self):
        """Which robots have failed and are left out (n,): read-only, as it is now."""
        return self.failed_bytes().view(bool)

    @property
    def failures(self):
        """{robot: why it failed}"""
        return {int(i): self.failure_of(int(i)) for i in np.flatnonzero(self.failed)}

    @property
    def time(self):
        """Time of each robot since it began (n,) [s]."""
        return np.array([self.time_of(i) for i in range(len(self))])

    def __repr__(self):
        return f"<sinew.Batch of {len(self)} {self.scenario.name}>"


def _commands(command, n, steps, names):
    """Broadcasts commands to (n, steps or 1, c)."""
    command = np.asarray(command, dtype=float)
    while command.ndim < 3:
        command = command[np.newaxis]
    shape = (n, steps if command.shape[1] != 1 else 1, len(names))
    try:
        return np.broadcast_to(command, shape)
    except ValueError:
        raise ScenarioError(f"rollout: commands of shape {command.shape} do not fit (n or 1, steps or 1, commands) = "
                            f"{(n, steps, len(names))}: the commands are {', '.join(names) or 'none'}") from None


def rollout(scenario, n, steps, command=None, controller=None, record=("q", "u"), every=1, numbers=None, threads=None, seed=0):
    """Steps n robots and returns what they did, {name: array (n, frames, k)} and the times "t" (frames,) [s].

    command: (n or 1, steps or 1, commands): open loop; None: as it begins, or as the scenario's own controller says
    controller: ``f(t, observation, command)``, called once before each frame for all robots: ``observation`` is (n, nq + nu), q and u;
        ``command`` (n, commands) is to be filled. It, and a command, take the place of a controller of the scenario
    record: "q", "u", "failed" or names of signals
    every: steps between frames; a controller is asked as often
    numbers: {key: one value a robot, or one for all}

    The first frame is the start, the last the end.
    """
    steps, every = check_whole("steps", steps), check_whole("every", every, 1)
    if command is not None and controller is not None:
        raise ScenarioError("rollout: a command and a controller: give one of them")
    batch = Batch(scenario, n, threads, seed, controller=command is None and controller is None)
    for key, values in (numbers or {}).items():
        batch.set(key, values)
    given = None if command is None else _commands(command, n, steps, batch.command_names)
    record = [record] if isinstance(record, str) else list(record)
    frames, times = {name: [] for name in record}, []

    def look(k):
        times.append(k * batch.dt)
        for name, rows in frames.items():
            if name in ("q", "u", "failed"):
                rows.append(getattr(batch, name).copy())
            else:
                rows.append(batch.signal(name))

    look(0)
    k = 0
    while k < steps:
        target = min(k + every, steps)
        if controller is not None:
            controller(k * batch.dt, np.concatenate([batch.q, batch.u], axis=1), batch.command)
        while k < target:
            part = target - k
            if given is not None:
                batch.command[:] = given[:, min(k, given.shape[1] - 1)]
                part = part if given.shape[1] == 1 else 1
            batch.step(part)
            k += part
        look(k)
    out = {name: np.stack(rows, axis=1) for name, rows in frames.items()}
    out["t"] = np.array(times)
    return out
