"""A ring buffer of past steps, with one lane per environment, from which n-step samples are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.runners.turbo.rollouts import Rollouts

F32 = NDArray[np.float32]


class Replay:
    """`slots` steps in each of `n_envs` lanes; a sample spans `n_step` steps of one lane."""

    def __init__(self, slots: int, n_envs: int, observation_size: int, n_step: int, gamma: float) -> None:
        self.slots, self.n_envs, self._n_step, self._gamma = slots, n_envs, n_step, gamma
        self.columns: dict[str, NDArray[Any]] = {
            "observation": np.zeros((slots, n_envs, observation_size), np.float32),
            "next": np.zeros((slots, n_envs, observation_size), np.float32),
            "action": np.zeros((slots, n_envs), np.int64),
            "reward": np.zeros((slots, n_envs), np.float32),
            "terminated": np.zeros((slots, n_envs), np.bool_),
            "ended": np.zeros((slots, n_envs), np.bool_),
        }
        self.head = self.filled = 0

    def __len__(self) -> int:
        return self.filled * self.n_envs

    def add(self, rollouts: Rollouts, reward: NDArray[np.float64]) -> None:
        """`reward`: what is learned from, scaled."""
        ended = rollouts.terminated | rollouts.truncated
        following = np.where(ended[..., None], rollouts.last, rollouts.observation[1:])
        new = {
            "observation": rollouts.observation[:-1],
            "next": following,
            "action": rollouts.action,
            "reward": reward,
            "terminated": rollouts.terminated,
            "ended": ended,
        }
        slots = (self.head + np.arange(rollouts.horizon)) % self.slots
        for name, column in new.items():
            self.columns[name][slots] = column
        self.head = (self.head + rollouts.horizon) % self.slots
        self.filled = min(self.filled + rollouts.horizon, self.slots)

    def sample(self, rng: np.random.Generator, count: int) -> dict[str, NDArray[Any]]:
        """`count` samples: step, n-step reward, the observation after it and the discount for its value."""
        c, lane = self.columns, rng.integers(0, self.n_envs, count)
        oldest = self.head - self.filled
        first = (oldest + rng.integers(0, self.filled - self._n_step + 1, count)) % self.slots
        reward = c["reward"][first, lane]
        last, going = first, ~c["ended"][first, lane]
        discount = np.full(count, self._gamma, np.float32)
        for _ in range(self._n_step - 1):
            last = np.where(going, (last + 1) % self.slots, last)
            reward = reward + np.where(going, discount * c["reward"][last, lane], 0)
            discount = np.where(going, discount * np.float32(self._gamma), discount)
            going = going & ~c["ended"][last, lane]
        discount = np.where(c["terminated"][last, lane], np.float32(0), discount)
        return {
            "observation": c["observation"][first, lane],
            "action": c["action"][first, lane],
            "reward": reward,
            "next": c["next"][last, lane],
            "discount": discount,
        }

    def state(self) -> dict[str, Any]:
        kept = {name: column[: self.filled] for name, column in self.columns.items()}
        return {"columns": kept, "head": self.head, "filled": self.filled}

    def restore(self, state: dict[str, Any]) -> None:
        self.head, self.filled = int(state["head"]), int(state["filled"])
        for name, column in state["columns"].items():
            self.columns[name][: self.filled] = column
