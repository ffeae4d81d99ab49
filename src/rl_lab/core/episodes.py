"""An Episode as the lab lists it, and how the returns of many are spread; its Recording is in `recordings.py`."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from rl_lab.core.script_environments import EnvironmentRole


class EpisodeRow(BaseModel, frozen=True):
    episode: int
    """Number in the run, from 0. Evaluation episodes of a captured script are numbered apart, from 2^40 on."""
    role: EnvironmentRole = "training"
    """What its environment is used for; `evaluation` only in captured scripts."""
    number: int = 0
    """Number among the episodes of its role, from 0."""
    env: int = 0
    seed: int | None = None
    reward: float | None = None
    """The return: sum of rewards."""
    length: int | None = None
    """Steps; null where another tool did not log it."""
    terminated: bool | None = None
    truncated: bool | None = None
    success: bool | None = None
    timestep: int | None = None
    """Steps of the whole run when it ended."""
    at: datetime
    recorded: bool = False
    """Its actions are kept, so it can be replayed."""
    note: str | None = None
    """Markdown that a user wrote about it."""


class ReturnBar(BaseModel, frozen=True):
    """Episodes whose returns are near each other."""

    start: float
    """Left edge of the bar; the next one starts where this one ends."""
    end: float
    low: float | None = None
    """The lowest and the highest return in it: a list filtered by them has exactly these episodes."""
    high: float | None = None
    episodes: int = 0


class ReturnHistogram(BaseModel, frozen=True):
    bars: list[ReturnBar] = []
    episodes: int = 0
    without_return: int = 0
    """Episodes whose return is unknown or not finite; in no bar."""
