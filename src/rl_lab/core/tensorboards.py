"""A Tensorboard is TensorBoard at work beside the lab, for one run or a comparison; and what a run's buttons say."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

TensorboardState = Literal["starting", "ready", "failed", "stopped"]


class Tensorboard(BaseModel, frozen=True):
    id: str
    run_ids: list[str]
    state: TensorboardState = "starting"
    url: str | None = None
    """Where a browser finds it, once it is ready. It holds a secret: TensorBoard itself knows no token."""
    message: str = ""
    """Why it failed or stopped."""
    next_step: str | None = None
    created_at: datetime
    used_at: datetime
    """When it was last asked for anything."""


class TensorboardOffer(BaseModel, frozen=True):
    """Whether a run can be opened in TensorBoard, for the button."""

    exists: bool
    """The run has event files: its own, or exported ones."""
    can_open: bool
    reason: str = ""
    """Why not."""
    next_step: str | None = None


class WandbLink(BaseModel, frozen=True):
    """Where W&B shows a run, or why it does not."""

    url: str | None = None
    reason: str = ""
    how: str = ""
    """What to do to get one."""
