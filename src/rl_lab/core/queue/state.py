"""The queue as clients see it: what runs, what waits and why; and what they may ask of it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from rl_lab.core.bounds import MAX_PRIORITY, MAX_SLOTS
from rl_lab.core.jobs.kinds import RunKind


class RunningEntry(BaseModel):
    """A run that takes a slot."""

    run_id: str
    name: str
    kind: RunKind
    priority: int = 0
    study_id: str | None = None
    """The study it belongs to."""


class WaitingEntry(RunningEntry):
    """A run that waits for a slot."""

    place: int
    """1: the next of its kind of slot."""
    reason: str
    """What it waits for, as a sentence."""


class QueueState(BaseModel):
    """What runs, what waits, and for what."""

    paused: bool = False
    """No run starts until the queue is resumed; those that run continue."""
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
    """In the order of start."""


class _Change(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SlotsChange(_Change):
    """Slots to change; an absent number is not changed, null resets it to its default."""

    training_slots: int | None = Field(
        default=None, ge=1, le=MAX_SLOTS, description="Trainings at the same time."
    )
    job_slots: int | None = Field(
        default=None,
        ge=1,
        le=MAX_SLOTS,
        description="Evaluations, forks, duels and films at the same time.",
    )


class PauseChange(_Change):
    """Pauses or resumes the queue itself."""

    paused: bool


class _OfWaiting(_Change):
    run_id: str | None = Field(default=None, max_length=12, description="A waiting run.")
    study_id: str | None = Field(default=None, max_length=64, description="All waiting runs of a study.")

    @model_validator(mode="after")
    def _names_one(self) -> _OfWaiting:
        if (self.run_id is None) == (self.study_id is None):
            raise PydanticCustomError("one_target", "Name either a run (run_id) or a study (study_id).")
        return self


class QueueMove(_OfWaiting):
    """Moves a waiting run, or all waiting runs of a study, to another place; place 1 starts next.

    A priority changes only as far as the new place requires it.
    """

    before: str | None = Field(default=None, max_length=12, description="The waiting run that follows it.")
    to: int | None = Field(
        default=None, ge=1, description="Its new place, from 1 to the number of waiting runs."
    )

    @model_validator(mode="after")
    def _names_one_place(self) -> QueueMove:
        if (self.before is None) == (self.to is None):
            raise PydanticCustomError(
                "one_place", "Name either the run that follows (before) or the place (to)."
            )
        return self


class PriorityChange(_OfWaiting):
    """Changes the priority of a waiting run, or of all waiting runs of a study; they go behind others that have it."""

    priority: int = Field(ge=-MAX_PRIORITY, le=MAX_PRIORITY)
