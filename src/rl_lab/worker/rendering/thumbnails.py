"""A small image of an environment after a few random steps."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from rl_lab.core.errors import NotReady
from rl_lab.worker.environments.drawing import Frame
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.rendering.jpeg import to_jpeg

MAX_PX = 240
STEPS = 24
"""Enough for something to have moved, few enough that no episode has ended."""


def make_thumbnail(given: dict[str, Any]) -> dict[str, Any]:
    """{"jpeg": base64}; NotReady when the environment draws nothing."""
    env_id = str(given["env_id"])
    env = make_environment(env_id, dict(given.get("env_kwargs") or {}), render_mode="rgb_array")
    return {"jpeg": base64.b64encode(to_jpeg(shrunk(draw_still(env, env_id), MAX_PX))).decode()}


def draw_still(env: Any, env_id: str, steps: int | None = None) -> Frame:
    """The frame after a few random steps; closes the environment."""
    try:
        env.reset(seed=0)
        env.action_space.seed(0)
        for _ in range(STEPS if steps is None else steps):
            *_, terminated, truncated, _ = env.step(env.action_space.sample())
            if terminated or truncated:
                env.reset(seed=0)
        drawn: Any = env.render()
    finally:
        env.close()
    frame = np.asarray(drawn, dtype=np.uint8) if drawn is not None else None
    if frame is None or frame.ndim != 3 or frame.shape[2] != 3:
        raise NotReady(f"{env_id} cannot draw frames.", cause="no-frames")
    return frame


def shrunk(frame: Frame, most_px: int) -> Frame:
    """At most `most_px` on its longer side; each new pixel is the mean of those it replaces."""
    height, width = frame.shape[:2]
    scale = min(1.0, most_px / max(height, width))
    rows, columns = (_starts(size, max(1, round(size * scale))) for size in (height, width))
    sums = np.add.reduceat(np.add.reduceat(frame.astype(np.uint32), rows, axis=0), columns, axis=1)
    counts = np.outer(np.diff([*rows, height]), np.diff([*columns, width]))[:, :, None]
    mean: Frame = (sums // counts).astype(np.uint8)
    return mean


def _starts(size: int, parts: int) -> list[int]:
    return [part * size // parts for part in range(parts)]
