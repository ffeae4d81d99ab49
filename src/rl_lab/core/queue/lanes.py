"""Lanes: trainings and jobs have slots of their own, so that neither takes the place of the other."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from rl_lab.core.jobs.kinds import RunKind


class Lane(StrEnum):
    """Which slots a run takes."""

    training = "training"
    job = "job"
    """Evaluations, forks, duels and films: short, and wanted soon."""


Slots = Mapping[Lane, int]


def lane_of(kind: RunKind) -> Lane:
    return Lane.training if kind is RunKind.train else Lane.job


def kinds_of(lane: Lane) -> list[RunKind]:
    return [kind for kind in RunKind if lane_of(kind) is lane]
