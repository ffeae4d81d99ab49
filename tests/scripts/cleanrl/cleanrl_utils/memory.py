"""A ring of past steps."""

from __future__ import annotations

from typing import Any

import numpy as np


class Memory:
    def __init__(self, size: int, observation_shape: tuple[int, ...]) -> None:
        self.size, self.count = size, 0
        self.before = np.zeros((size, *observation_shape), np.float32)
        self.after = np.zeros_like(self.before)
        self.actions = np.zeros(size, np.int64)
        self.rewards = np.zeros(size, np.float32)
        self.ended = np.zeros(size, np.float32)

    def add(self, before: Any, after: Any, action: int, reward: float, ended: bool) -> None:
        at = self.count % self.size
        self.before[at], self.after[at], self.actions[at] = before, after, action
        self.rewards[at], self.ended[at] = reward, ended
        self.count += 1

    def draw(self, generator: np.random.Generator, batch: int) -> tuple[Any, ...]:
        rows = generator.integers(0, min(self.count, self.size), batch)
        return self.before[rows], self.after[rows], self.actions[rows], self.rewards[rows], self.ended[rows]
