"""The queue's rules: trainings and jobs have slots of their own, so that neither takes the place of the other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.bounds import MAX_SLOTS
from rl_lab.core.jobs import RunKind
from rl_lab.core.runs import Run


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


class RunningEntry(BaseModel):
    """A run that takes a slot."""

    run_id: str
    name: str
    kind: RunKind


class WaitingEntry(RunningEntry):
    """A run that waits for a slot."""

    place: int
    """1: the next of its kind of slot."""
    reason: str
    """What it waits for, as a sentence."""


class QueueState(BaseModel):
    """What runs, what waits, and for what."""

    training_slots: int
    """Trainings that may run at the same time."""
    job_slots: int
    """Evaluations, forks, duels and films that may run at the same time."""
    default_training_slots: int
    """From the settings."""
    default_job_slots: int
    """From the settings."""
    max_slots: int = MAX_SLOTS
    """The largest number that either may be changed to."""
    running: list[RunningEntry]
    waiting: list[WaitingEntry]


class SlotsChange(BaseModel):
    """Slots to change; an absent number is not changed, null resets it to its default."""

    model_config = ConfigDict(extra="forbid")

    training_slots: int | None = Field(
        default=None, ge=1, le=MAX_SLOTS, description="Trainings at the same time."
    )
    job_slots: int | None = Field(
        default=None,
        ge=1,
        le=MAX_SLOTS,
        description="Evaluations, forks, duels and films at the same time.",
    )


def describe_queue(
    slots: Slots, default: Slots, running: Sequence[Run], waiting: Sequence[Run]
) -> QueueState:
    """`waiting` in the order in which the runs start."""
    return QueueState(
        default_training_slots=default[Lane.training],
        default_job_slots=default[Lane.job],
        training_slots=slots[Lane.training],
        job_slots=slots[Lane.job],
        running=[RunningEntry(run_id=run.id, name=run.name, kind=run.kind) for run in running],
        waiting=_places(slots, running, waiting),
    )


def _places(slots: Slots, running: Sequence[Run], waiting: Sequence[Run]) -> list[WaitingEntry]:
    free = dict(slots)
    for run in running:
        free[lane_of(run.kind)] -= 1
    places = dict.fromkeys(Lane, 0)
    entries = []
    for run in waiting:
        lane = lane_of(run.kind)
        places[lane] += 1
        reason = describe_wait(lane, slots[lane], places[lane], max(0, free[lane]))
        entries.append(
            WaitingEntry(run_id=run.id, name=run.name, kind=run.kind, place=places[lane], reason=reason)
        )
    return entries


def describe_wait(lane: Lane, slots: int, place: int, free: int) -> str:
    """Why the run at this place waits; `free` of the lane's slots are not taken."""
    if place <= free:
        return f"A {lane} slot is free; it starts now."
    what = f"the only {lane} slot" if slots == 1 else f"one of {slots:,} {lane} slots"
    ahead = place - 1
    rest = {0: "it is next", 1: "1 run is ahead"}.get(ahead, f"{ahead:,} runs are ahead")
    return f"Waits for {what}; {rest}."
