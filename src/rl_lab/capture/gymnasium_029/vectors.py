"""Vector environments with the step of Gymnasium 0.29. Imported only when Gymnasium 1.1 or later is loaded."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AsyncVectorEnv as NewAsyncVectorEnv
from gymnasium.vector import AutoresetMode
from gymnasium.vector import SyncVectorEnv as NewSyncVectorEnv

CLASSES = ("SyncVectorEnv", "AsyncVectorEnv")
OLD_NAMES = {"final_obs": "final_observation"}


class _OldInfos:
    """One array per key, with a mask; values that are not numbers are stored as objects."""

    is_vector_env = True
    num_envs: int

    def _add_info(
        self, vector_infos: dict[str, Any], env_info: dict[str, Any], env_num: int
    ) -> dict[str, Any]:
        for new_key, value in env_info.items():
            key = OLD_NAMES.get(new_key, new_key)
            if key not in vector_infos:
                vector_infos[key] = _empty(value, self.num_envs)
                vector_infos[f"_{key}"] = np.zeros(self.num_envs, dtype=bool)
            vector_infos[key][env_num] = value
            vector_infos[f"_{key}"][env_num] = True
        return vector_infos


class SyncVectorEnv(_OldInfos, NewSyncVectorEnv):  # type: ignore[misc]
    def __init__(self, env_fns: Any, *spaces: Any, copy: bool = True, **named: Any) -> None:
        super().__init__(env_fns, copy=copy, **_new_arguments(named))


class AsyncVectorEnv(_OldInfos, NewAsyncVectorEnv):  # type: ignore[misc]
    def __init__(self, env_fns: Any, *spaces: Any, **named: Any) -> None:
        super().__init__(env_fns, **_new_arguments(named))


def make(
    id: str, num_envs: int = 1, asynchronous: bool = True, wrappers: Any = None, **named: Any
) -> SyncVectorEnv | AsyncVectorEnv:
    """`gymnasium.vector.make` of 0.29."""
    around = [wrappers] if callable(wrappers) else list(wrappers or ())

    def create() -> Any:
        env = gymnasium.make(id, **named)
        for wrapper in around:
            env = wrapper(env)
        return env

    kind = AsyncVectorEnv if asynchronous else SyncVectorEnv
    return kind([create for _ in range(num_envs)])


def _new_arguments(named: dict[str, Any]) -> dict[str, Any]:
    """Without the spaces, which 0.29 accepted: they are taken from the members."""
    kept = {name: value for name, value in named.items() if name not in ("observation_space", "action_space")}
    kept.setdefault("autoreset_mode", AutoresetMode.SAME_STEP)
    return kept


def _empty(value: Any, count: int) -> Any:
    kind = type(value)
    if kind in (int, float, bool) or issubclass(kind, np.number):
        return np.zeros(count, dtype=kind)
    return np.full(count, None, dtype=object)
