"""Lanes: trainings, jobs and plays have slots of their own, so that none takes the place of another."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from rl_lab.core.jobs.kinds import RunKind


class Lane(StrEnum):
    """Which slots a run takes."""

    training = "training"
    job = "job"
    """Evaluations, forks, duels and films: short, and wanted soon."""
    play = "play"
    """A person waits for it, so it starts at once, also while the queue is paused."""


Slots = Mapping[Lane, int]
LANES = {RunKind.train: Lane.training, RunKind.play: Lane.play}
"""Of all other kinds: `job`."""


def lane_of(kind: RunKind) -> Lane:
    return LANES.get(kind, Lane.job)


def kinds_of(lane: Lane) -> list[RunKind]:
    return [kind for kind in RunKind if lane_of(kind) is lane]
