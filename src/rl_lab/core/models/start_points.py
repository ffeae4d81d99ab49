"""Where a training starts from, if not from nothing: a checkpoint of an earlier one."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field

START_FILE = "start/checkpoint"
"""In the folder of a run with a start point: its own copy or link of the checkpoint, so that the other run may go."""
START_KIND = "start"
"""Kind of that artifact."""


class StartPoint(BaseModel):
    """The checkpoint whose weights a training starts with. Part of its configuration, so it names exact contents."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    run_id: str = Field(max_length=12, description="The run of the checkpoint.")
    checkpoint: str | None = Field(
        default=None, max_length=64, description="Artifact id of the checkpoint; the best one when absent."
    )
    timestep: int | None = Field(default=None, description="Steps it was trained; the lab fills it in.")
    sha256: str | None = Field(
        default=None, max_length=64, description="Hash of the checkpoint's file; the lab fills it in."
    )
