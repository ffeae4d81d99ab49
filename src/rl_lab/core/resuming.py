"""How a user wants an ended training to be resumed, and how it was."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field


class ResumeChoice(BaseModel):
    """Which checkpoint an ended training continues from, and what the user agreed to."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    checkpoint: str | None = Field(
        default=None,
        max_length=64,
        description="Artifact id of a checkpoint of the run; the newest if absent.",
    )
    rewind: bool = Field(
        default=False,
        description="Drop the steps after the checkpoint, which newer checkpoints have: they are trained again.",
    )
    inexact: bool = Field(
        default=False,
        description="Resume although something cannot be restored: the run then differs from one that was not stopped.",
    )


@dataclass(frozen=True)
class Resume:
    """One resume of a training, as its worker reported it."""

    step: int
    message: str
    """The sentence in the event log."""
    is_exact: bool | None = None
    """None: it was not reported; the worker was killed before, or belonged to an earlier version."""


def find_inexact(resumes: Iterable[Resume]) -> Resume | None:
    """The resume from which on the training is not that of a run without a stop; a later rewind before it undoes it."""
    left: list[Resume] = []
    for one in resumes:
        left = [earlier for earlier in left if earlier.step < one.step]
        if one.is_exact is False:
            left.append(one)
    return left[0] if left else None
