"""A Tick is one line of a run's live metrics: where it stands, at most four times a second."""

from __future__ import annotations

from pydantic import BaseModel


class Tick(BaseModel, frozen=True):
    id: int
    """Grows by one within a run; a reader that reconnects continues after the last one it saw."""
    episode: int | None = None
    """Number of the newest finished episode."""
    episode_count: int = 0
    timestep: int = 0
    reward: float | None = None
    mean_reward: float | None = None
    """Of the last 100 episodes."""
    episode_length: int | None = None
    loss: float | None = None
    fps: float | None = None
    timestamp: float = 0.0
    """Unix seconds, by the worker's clock."""
