"""Scales observations to mean 0 and standard deviation 1, and rewards by a fixed or learned factor.

Both statistics change only between updates.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

F32 = NDArray[np.float32]


class RunningNorm:
    """Mean and standard deviation of all observations so far, in memory shared by all processes."""

    def __init__(self, size: int, allocate: Callable[..., NDArray[Any]], *, enabled: bool) -> None:
        self.enabled = enabled
        self.shift, self.factor = allocate((size,), np.float32), allocate((size,), np.float32)
        self.factor[:] = 1
        self._count, self._mean, self._square = 1e-4, np.zeros(size), np.ones(size) * 1e-4

    def apply(self, observation: F32) -> F32:
        """(x - mean) / deviation; not clipped, so that an exported network can include it in its weights."""
        if not self.enabled:
            return observation
        x: F32 = observation - self.shift
        x *= self.factor
        return x

    def update(self, observation: F32) -> None:
        if not self.enabled:
            return
        n, mean = len(observation), observation.mean(axis=0, dtype=np.float64)
        square = observation.var(axis=0, dtype=np.float64) * n
        total, delta = self._count + n, mean - self._mean
        self._square += square + delta**2 * self._count * n / total
        self._mean += delta * n / total
        self._count = total
        self._publish()

    def _publish(self) -> None:
        self.shift[:] = self._mean
        # an input that was constant so far (a lidar ray that never hits) must not become huge when it first changes
        self.factor[:] = 1 / np.maximum(np.sqrt(self._square / self._count), 1e-2)

    def state(self) -> dict[str, Any]:
        return {"count": self._count, "mean": self._mean, "square": self._square}

    def restore(self, state: dict[str, Any]) -> None:
        self._count, self._mean, self._square = (
            float(state["count"]),
            state["mean"].copy(),
            state["square"].copy(),
        )
        if self.enabled and self._count > 1:
            self._publish()


class RewardScale:
    """Multiplies rewards by a fixed factor, or divides them by the standard deviation of the discounted return."""

    def __init__(self, n_envs: int, gamma: float, factor: float, learned: bool) -> None:
        self._gamma, self._factor, self._learned = gamma, factor, learned
        self._returns, self._count, self._mean, self._square = np.zeros(n_envs), 1e-4, 0.0, 1e-4

    def apply(self, reward: NDArray[np.float64], ended: NDArray[np.bool_]) -> F32:
        if self._learned:
            self._observe(reward, ended)
        scaled: F32 = (reward * self.current()).astype(np.float32)
        return np.clip(scaled, -10, 10, out=scaled) if self._learned else scaled

    def current(self) -> float:
        """The current factor on rewards; a critic's value divided by it is in the environment's units."""
        spread = float(np.sqrt(self._square / self._count)) if self._learned else 1.0
        return self._factor / spread

    def _observe(self, reward: NDArray[np.float64], ended: NDArray[np.bool_]) -> None:
        returns = np.empty_like(reward)
        running = self._returns
        for t in range(len(reward)):
            running = returns[t] = running * self._gamma + reward[t]
            running = running * ~ended[t]
        self._returns = running
        n, mean = returns.size, float(returns.mean())
        total, delta = self._count + n, mean - self._mean
        self._square += float(returns.var()) * n + delta**2 * self._count * n / total
        self._mean += delta * n / total
        self._count = total

    def state(self) -> dict[str, Any]:
        return {"returns": self._returns, "count": self._count, "mean": self._mean, "square": self._square}

    def restore(self, state: dict[str, Any]) -> None:
        self._returns, self._count = state["returns"].copy(), float(state["count"])
        self._mean, self._square = float(state["mean"]), float(state["square"])
