"""An Artifact is a file that a run made; a checkpoint is an artifact that can be resumed or evaluated."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel


class Artifact(BaseModel, frozen=True):
    id: str
    run_id: str
    path: str
    """Relative to the run folder; clients never send it back."""
    kind: str
    """checkpoint, model, video, clip, film, summary, report, config, metrics, log, image, tensorboard, wandb, file"""
    title: str = ""
    size: int = 0
    sha256: str = ""
    media_type: str = "application/octet-stream"
    created_at: datetime
    timestep: int | None = None
    """For checkpoints: number of training steps done before it."""
    role: str | None = None
    """For checkpoints: interval, best, stop, final."""
    score: float | None = None
    pinned: bool = False
    data: dict[str, Any] = {}

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is stored in the folder of an adopted run, where the lab only reads."""
        return bool(self.data.get("in_source"))
