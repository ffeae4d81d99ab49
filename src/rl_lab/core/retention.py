"""Retention: how much of what runs make is kept; the janitor holds the lab to it."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Retention(BaseModel):
    """Knobs, all per run but the last. Pinned, best and latest files always stay."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    videos: int = Field(default=3, ge=1, le=1000, description="Videos kept per run.")
    checkpoints: int = Field(default=5, ge=1, le=1000, description="Interval checkpoints kept per run.")
    tensorboard: int = Field(default=3, ge=1, le=1000, description="TensorBoard folders kept per run.")
    lab_bytes: int = Field(default=0, ge=0, description="Bytes all runs together may take; 0 = no limit.")
