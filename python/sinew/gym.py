"""Environments for learning: many robots at once, with the conventions of Gymnasium's vector environments.

Gymnasium itself is not needed: an environment has its methods, and spaces that look like its boxes. The rules are those of Gymnasium 1.0:
``reset(seed=...) -> (observations, info)``, ``step(actions) -> (observations, rewards, terminations, truncations, infos)``; a robot whose episode
has ended begins anew in the next step, which ignores its action and gives it the reward 0 (autoreset "next step").
"""

import numpy as np

from sinew._batch import Batch
from sinew._errors import ScenarioError


class Box:
    """Numbers between bounds, as ``gymnasium.spaces.Box``: low, high, shape, dtype, ``sample()``, ``contains(x)``."""

    def __init__(self, low, high, shape, dtype=np.float64, seed=None):
        self.low = np.broadcast_to(np.asarray(low, dtype), shape).copy()
        self.high = np.broadcast_to(np.asarray(high, dtype), shape).copy()
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        if np.any(self.low > self.high):
            raise ScenarioError("Box: a lower bound is above its upper bound")
        self._random = np.random.default_rng(seed)

    def seed(self, seed=None):
        """Lets ``sample`` begin anew."""
        self._random = np.random.default_rng(seed)

    def sample(self):
        """Even between finite bounds, normal where there are none, exponential from one that is alone."""
        low, high, random = self.low, self.high, self._random
        below, above = np.isfinite(low), np.isfinite(high)
        out = random.normal(size=self.shape)
        both = below & above
        out[both] = random.uniform(low[both], high[both])
        out[below & ~above] = low[below & ~above] + random.exponential(size=int(np.sum(below & ~above)))
        out[~below & above] = high[~below & above] - random.exponential(size=int(np.sum(~below & above)))
        return out.astype(self.dtype)

    def contains(self, x):
        """Whether an array is one of these."""
        x = np.asarray(x)
        return x.shape == self.shape and bool(np.all(x >= self.low) and np.all(x <= self.high))

    __contains__ = contains

    def __eq__(self, other):
        return (isinstance(other, Box) and self.shape == other.shape and np.array_equal(self.low, other.low) and
                np.array_equal(self.high, other.high))

    def __repr__(self):
        return f"Box{self.shape}"


class VectorEnv:
    """n robots of a scenario as environments for learning.

    scenario: a Scenario, or what ``sinew.load`` takes; its robot takes commands. A controller of the scenario is left out
    num_envs: how many robots
    reward: ``f(env) -> (n,)``; ``env.batch`` has q, u, command and signals, ``env.action`` what was asked for
    observe: names of signals, one after the other; None: q and u
    act: names of commands; None: all
    limit: bound of each action [N m, N, ...], one or one for each command
    steps: of the simulation for each action
    horizon: actions after which an episode is cut off (truncated); None: never
    terminated: ``f(env) -> (n,)`` of true and false; None: only failures end an episode
    randomize: ``f(random, n) -> {key: (n,)}``, numbers of the scenario for robots that begin anew; None: all begin alike
    threads: as of ``sinew.Batch``

    A robot that fails ends its episode (terminated) with the reward 0; ``infos["failed"]`` marks it.
    """

    metadata = {"render_modes": [], "autoreset_mode": "NextStep"}
    render_mode = None
    spec = None

    def __init__(self, scenario, num_envs, reward, observe=None, act=None, limit=1.0, steps=1, horizon=None, terminated=None,
                 randomize=None, threads=None):
        if steps < 1 or (horizon is not None and horizon < 1):
            raise ScenarioError("VectorEnv: steps and horizon must be 1 or more")
        self._scenario, self._threads, self.num_envs = scenario, threads, num_envs
        self._reward, self._terminated, self._randomize = reward, terminated, randomize
        self._steps, self._horizon = steps, horizon
        self._observe = [observe] if isinstance(observe, str) else observe
        self.batch = Batch(scenario, num_envs, threads, controller=False)
        self._first_command = self.batch.command.copy()
        self._columns = self._find_columns(act)
        self._limit = np.broadcast_to(np.asarray(limit, float), (len(self._columns),)).copy()
        if not np.all(self._limit > 0):
            raise ScenarioError("VectorEnv: a limit of an action must be > 0")
        k = self._look().shape[1]
        self.single_observation_space = Box(-np.inf, np.inf, (k,))
        self.observation_space = Box(-np.inf, np.inf, (num_envs, k))
        self.single_action_space = Box(-self._limit, self._limit, (len(self._columns),))
        self.action_space = Box(-self._limit, self._limit, (num_envs, len(self._columns)))
        self.action = np.zeros((num_envs, len(self._columns)))
        self._random = np.random.default_rng(0)
        self._ended = np.zeros(num_envs, bool)
        self._count = np.zeros(num_envs, int)
        self._begun = self._closed = False

    def _find_columns(self, act):
        names = self.batch.command_names
        wanted = names if act is None else [act] if isinstance(act, str) else act
        for name in wanted:
            if name not in names:
                raise ScenarioError(f"{name}: no command has this name: there are {', '.join(names) or 'none'}")
        if not wanted:
            raise ScenarioError("VectorEnv: the robot of this scenario takes no commands: take another one")
        return [names.index(name) for name in wanted]

    def _look(self):
        if self._observe is None:
            return np.concatenate([self.batch.q, self.batch.u], axis=1)
        return np.concatenate([self.batch.signal(name) for name in self._observe], axis=1)

    def _begin(self, mask):
        """Robots of the mask begin an episode."""
        numbers = self._randomize(self._random, self.num_envs) if self._randomize else {}
        for key, values in numbers.items():
            self.batch.set(key, values, mask)
        if not numbers:
            self.batch.reset(mask)
        self.batch.command[mask] = self._first_command[mask]
        self.action[mask] = 0.0
        self._count[mask] = 0

    def reset(self, *, seed=None, options=None):
        """All robots begin anew; a seed makes what is random begin anew too. Returns observations and an empty dictionary."""
        del options
        self._check_open()
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._begin(np.ones(self.num_envs, bool))
        self._ended[:] = False
        self._begun = True
        return self._look(), {}

    def step(self, actions):
        """One action of each robot. Actions beyond the limit are cut to it."""
        self._check_open()
        if not self._begun:
            raise ScenarioError("VectorEnv: step before reset: call reset first")
        actions = np.asarray(actions, dtype=float)
        if actions.shape != self.action.shape or not np.all(np.isfinite(actions)):
            raise ScenarioError(f"VectorEnv: actions must be finite numbers of shape {self.action.shape}")
        anew = self._ended.copy()
        self.action[~anew] = np.clip(actions, -self._limit, self._limit)[~anew]
        self.batch.command[:, self._columns] = self.action
        self.batch.step(self._steps)
        if anew.any():
            self._begin(anew)
        self._count[~anew] += 1
        failed = self.batch.failed.copy()
        rewards = np.where(anew | failed, 0.0, np.asarray(self._reward(self), float))
        ends = failed.copy()
        if self._terminated is not None:
            ends |= np.asarray(self._terminated(self), bool)
        cut = np.zeros(self.num_envs, bool) if self._horizon is None else self._count >= self._horizon
        ends, cut = ends & ~anew, cut & ~anew & ~ends
        self._ended = ends | cut
        return self._look(), rewards, ends, cut, {"failed": failed}

    def close(self):
        """Gives its memory back."""
        self._closed, self.batch = True, None

    def _check_open(self):
        if self._closed:
            raise ScenarioError("VectorEnv: it is closed: make another one")

    @property
    def unwrapped(self):
        """Itself."""
        return self


def check_env(env, steps=20):
    """Tries an environment against the rules of vector environments; raises AssertionError with the rule that is broken.

    Shapes and types of all five answers, seeds that repeat, observations inside their space, episodes that begin anew after they ended,
    truncation apart from termination.
    """
    n = env.num_envs
    actions = env.action_space
    assert actions.shape[0] == n and env.observation_space.shape[0] == n, "spaces have one row for each environment"
    assert env.single_action_space.shape == actions.shape[1:], "the single space is a row of the other"
    actions.seed(0)
    plan = [actions.sample() for _ in range(steps)]
    runs = []
    for _ in range(2):
        answer = env.reset(seed=7)
        assert isinstance(answer, tuple) and len(answer) == 2 and isinstance(answer[1], dict), "reset gives observations and a dictionary"
        assert answer[0] in env.observation_space, "observations are inside their space"
        seen, ended = [answer[0]], np.zeros(n, bool)
        for action in plan:
            answer = env.step(action)
            assert isinstance(answer, tuple) and len(answer) == 5, "step gives five things"
            observations, rewards, ends, cut, infos = answer
            assert observations in env.observation_space, "observations are inside their space"
            assert rewards.shape == ends.shape == cut.shape == (n,), "one number for each environment"
            assert rewards.dtype.kind == "f" and ends.dtype == cut.dtype == bool and isinstance(infos, dict), "types of the five"
            assert not np.any(ends & cut), "an episode is either over or cut off"
            assert not np.any((ends | cut) & ended), "what begins anew has not ended"
            assert not np.any(rewards[ended]), "a step that begins anew has no reward"
            ended = ends | cut
            seen += [observations, rewards, ends, cut]
        runs.append(seen)
    for first, second in zip(*runs):
        assert np.array_equal(first, second), "the same seed gives the same episode"
