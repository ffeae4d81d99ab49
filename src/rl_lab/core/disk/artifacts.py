"""An Artifact is a file a run made; a Checkpoint is one that can be resumed or evaluated."""

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
    """For checkpoints: training steps behind it."""
    role: str | None = None
    """For checkpoints: interval, best, stop, final."""
    score: float | None = None
    pinned: bool = False
    data: dict[str, Any] = {}

    @property
    def is_elsewhere(self) -> bool:
        """Whether it lies in the folder an adopted run came from: the lab reads it and never touches it."""
        return bool(self.data.get("in_source"))
