"""How fast a configuration trains on this machine: measured on its past runs, or as its runner declares."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import NamedTuple

from pydantic import BaseModel, Field

from rl_lab.core.jobs.choices import MAX_TIMESTEPS

ROUND_TO = 2
"""Digits of an estimate; more would claim a precision that it does not have."""


class PastRun(NamedTuple):
    timestep: int
    elapsed_s: float
    episodes: int


class Speed(BaseModel, frozen=True):
    """For estimates: how long a number of steps takes, and how many steps are made in a time."""

    steps_per_second: float
    is_measured: bool = Field(description="False: no such run has ended here; the runner's own rough figure.")
    runs: int = Field(description="Number of runs it was measured on.")
    steps_per_episode: float | None = Field(default=None, description="Median length of an episode there.")

    def steps_in(self, seconds: float) -> int:
        return rounded(self.steps_per_second * seconds)


def measured_speed(past: Sequence[PastRun], declared: float) -> Speed:
    """The median over runs."""
    whole = [run for run in past if run.timestep > 0 and run.elapsed_s > 0]
    if not whole:
        return Speed(steps_per_second=declared, is_measured=False, runs=0)
    lengths = [run.timestep / run.episodes for run in whole if run.episodes]
    return Speed(
        steps_per_second=statistics.median(run.timestep / run.elapsed_s for run in whole),
        is_measured=True,
        runs=len(whole),
        steps_per_episode=statistics.median(lengths) if lengths else None,
    )


def expected_steps(speed: Speed, *, seconds: int | None, episodes: int | None, usual: int) -> int:
    """About how many steps a run makes that ends by time or episodes; `usual`: where nothing is known."""
    found = [speed.steps_in(seconds)] if seconds else []
    if episodes and speed.steps_per_episode:
        found.append(rounded(episodes * speed.steps_per_episode))
    return min(found, default=usual)


def rounded(steps: float) -> int:
    """812,345 as 810,000."""
    whole = max(1, min(MAX_TIMESTEPS, round(steps)))
    unit = int(10 ** max(0, len(str(whole)) - ROUND_TO))
    return max(1, round(whole / unit) * unit)
