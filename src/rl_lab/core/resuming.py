"""How a user wants an ended training to be resumed."""

from __future__ import annotations

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
