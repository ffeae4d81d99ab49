"""Splits rollouts into finished episodes, as columns for recorder and reward curve, without a loop over steps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.envs import episode_seed


@dataclass(frozen=True)
class EpisodeBatch:
    """Finished episodes, one row each; the steps of episode k are at `offset[k]` … `offset[k + 1]` in `steps`."""

    env: NDArray[np.int64]
    seed: NDArray[np.int64]
    returned: NDArray[np.float64]
    length: NDArray[np.int64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    timestep: NDArray[np.int64]
    """Total steps of the run when the episode ended."""
    offset: NDArray[np.int64]
    steps: dict[str, NDArray[Any]]
    """Columns over steps: action, reward, value, chosen (the probability or density of the action)."""

    def __len__(self) -> int:
        return len(self.env)

    def steps_of(self, row: int) -> dict[str, NDArray[Any]]:
        part = slice(int(self.offset[row]), int(self.offset[row + 1]))
        return {name: column[part] for name, column in self.steps.items()}


class EpisodeLog:
    """Keeps the steps of unfinished episodes of each environment until the episodes end."""

    def __init__(self, n_envs: int, run_seed: int) -> None:
        self._n, self.run_seed = n_envs, run_seed
        self.open_steps: dict[str, NDArray[Any]] = {}
        self.open_length = np.zeros(n_envs, np.int64)
        self.finished = np.zeros(n_envs, np.int64)

    def add(
        self,
        columns: dict[str, NDArray[Any]],
        terminated: NDArray[np.bool_],
        truncated: NDArray[np.bool_],
        timestep: int,
    ) -> EpisodeBatch:
        """Appends (time, env, …) columns that start at step `timestep` of the run; returns the episodes that ended."""
        horizon, n = terminated.shape
        merged = self._merge(columns, horizon)
        ended = (terminated | truncated).T
        env, when = np.nonzero(ended)
        start_of_env = np.concatenate(([0], np.cumsum(self.open_length + horizon)))
        stop = start_of_env[env] + self.open_length[env] + when + 1
        first = np.r_[True, env[1:] != env[:-1]] if len(env) else np.zeros(0, bool)
        start = np.where(first, start_of_env[env], np.r_[0, stop[:-1]] if len(env) else 0)
        batch = self._batch(merged, env, start, stop, timestep + (when + 1) * n)
        self._keep_open(merged, env, stop, start_of_env)
        return replace(batch, terminated=terminated[when, env], truncated=truncated[when, env])

    def _merge(self, columns: dict[str, NDArray[Any]], horizon: int) -> dict[str, NDArray[Any]]:
        """Open and new steps: first all of environment 0, then all of environment 1, …"""
        total = int(self.open_length.sum()) + horizon * self._n
        is_new = np.ones(total, bool)
        starts = np.cumsum(self.open_length + horizon) - (self.open_length + horizon)
        is_new[_ranges(starts, self.open_length)] = False
        merged = {}
        for name, column in columns.items():
            flat = np.empty((total, *column.shape[2:]), column.dtype)
            flat[is_new] = column.swapaxes(0, 1).reshape(-1, *column.shape[2:])
            # A checkpoint of an earlier version lacks columns that came later.
            flat[~is_new] = self.open_steps.get(name, 0)
            merged[name] = flat
        return merged

    def _batch(
        self,
        merged: dict[str, NDArray[Any]],
        env: NDArray[np.int64],
        start: NDArray[np.int64],
        stop: NDArray[np.int64],
        timestep: NDArray[np.int64],
    ) -> EpisodeBatch:
        length = stop - start
        number = self.finished[env] + (np.arange(len(env)) - np.searchsorted(env, env))
        seeds = [
            episode_seed(self.run_seed, e, k) for e, k in zip(env.tolist(), number.tolist(), strict=True)
        ]
        np.add.at(self.finished, env, 1)
        rows = _ranges(start, length)
        steps = {name: column[rows] for name, column in merged.items()}
        offset = np.concatenate(([0], np.cumsum(length)))
        returned = np.add.reduceat(steps["reward"], offset[:-1]) if len(env) else np.zeros(0)
        return EpisodeBatch(
            env=env,
            seed=np.array(seeds, np.int64),
            returned=returned,
            length=length,
            terminated=np.zeros(len(env), bool),
            truncated=np.zeros(len(env), bool),
            timestep=timestep,
            offset=offset,
            steps=steps,
        )

    def _keep_open(
        self,
        merged: dict[str, NDArray[Any]],
        env: NDArray[np.int64],
        stop: NDArray[np.int64],
        start_of_env: NDArray[np.int64],
    ) -> None:
        open_from = start_of_env[:-1].copy()
        np.maximum.at(open_from, env, stop)
        self.open_length = start_of_env[1:] - open_from
        rows = _ranges(open_from, self.open_length)
        self.open_steps = {name: column[rows] for name, column in merged.items()}

    def open_actions(self) -> list[NDArray[Any]]:
        """The actions of every unfinished episode, which are enough to restore its environment."""
        if not self.open_steps:
            return [np.zeros(0, np.int64)] * self._n
        return np.split(self.open_steps["action"], np.cumsum(self.open_length)[:-1])

    def state(self) -> dict[str, Any]:
        return {"open_steps": self.open_steps, "open_length": self.open_length, "finished": self.finished}

    def restore(self, state: dict[str, Any]) -> None:
        self.open_steps = dict(state["open_steps"])
        self.open_length, self.finished = state["open_length"].copy(), state["finished"].copy()


def _ranges(start: NDArray[np.int64], length: NDArray[np.int64]) -> NDArray[np.int64]:
    """Concatenation of start[k] … start[k] + length[k] - 1."""
    total = int(length.sum())
    shift = np.repeat(start - np.concatenate(([0], np.cumsum(length)[:-1])), length)
    return np.arange(total) + shift
