"""An environment that does not repeat itself: its noise comes from the operating system, not from the seed.

Gymnasium imports this module for the id `support.noisy:Noisy-v0`.
"""

from __future__ import annotations

import os
from typing import Any, ClassVar

import gymnasium
import numpy as np

LENGTH = 60


class Noisy(gymnasium.Env):  # type: ignore[misc]
    """A point that jitters; its picture is one bar at its place."""

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["rgb_array"], "render_fps": 30}

    def __init__(self, render_mode: str | None = None) -> None:
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Discrete(2)
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (1,), np.float32)
        self._place, self._steps = 0.5, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed)
        self._place, self._steps = 0.5, 0
        return self._seen(), {}

    def step(self, action: Any) -> Any:
        drawn = int.from_bytes(os.urandom(3))  # so many values that two are never the same
        self._place = (1 + drawn) / (1 << 24)  # never 0, which is the reward of a reset
        self._steps += 1
        return self._seen(), self._place, False, self._steps >= LENGTH, {}

    def render(self) -> np.ndarray:
        picture = np.zeros((64, 256, 3), np.uint8)
        picture[:, : max(1, round(self._place * 255))] = 255
        return picture

    def _seen(self) -> np.ndarray:
        return np.array([self._place], np.float32)


if "Noisy-v0" not in gymnasium.registry:
    gymnasium.register("Noisy-v0", entry_point="support.noisy:Noisy")
