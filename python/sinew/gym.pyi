# Types of sinew.gym; tests/python/stubs_test.py holds them against the module.
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sinew import Array, Batch, Names, Path, Scenario

Marks = npt.NDArray[np.bool_]

class Box:
    low: npt.NDArray[Any]
    high: npt.NDArray[Any]
    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    def __init__(self, low: npt.ArrayLike, high: npt.ArrayLike, shape: Sequence[int], dtype: npt.DTypeLike = ...,
                 seed: int | None = None) -> None: ...
    def seed(self, seed: int | None = None) -> None: ...
    def sample(self) -> npt.NDArray[Any]: ...
    def contains(self, x: npt.ArrayLike) -> bool: ...
    def __contains__(self, x: npt.ArrayLike) -> bool: ...
    def __eq__(self, other: object) -> bool: ...

class VectorEnv:
    metadata: dict[str, Any]
    render_mode: None
    spec: None
    num_envs: int
    batch: Batch
    action: Array
    single_observation_space: Box
    observation_space: Box
    single_action_space: Box
    action_space: Box
    def __init__(self, scenario: Scenario | Path, num_envs: int, reward: Callable[[VectorEnv], npt.ArrayLike], observe: Names | None = None,
                 act: Names | None = None, limit: npt.ArrayLike = 1.0, steps: int = 1, horizon: int | None = None,
                 terminated: Callable[[VectorEnv], npt.ArrayLike] | None = None,
                 randomize: Callable[[np.random.Generator, int], Mapping[str, npt.ArrayLike]] | None = None,
                 threads: int | None = None) -> None: ...
    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Array, dict[str, Any]]: ...
    def step(self, actions: npt.ArrayLike) -> tuple[Array, Array, Marks, Marks, dict[str, Any]]: ...
    def close(self) -> None: ...
    @property
    def unwrapped(self) -> VectorEnv: ...

def check_env(env: VectorEnv, steps: int = 20) -> None: ...
