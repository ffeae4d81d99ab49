"""A Tensorboard is a TensorBoard process for one run or a comparison; plus the state of a run's buttons for it."""

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
    """Its address once it is ready. The URL contains a secret, because TensorBoard itself has no authentication."""
    message: str = ""
    """Why it failed or stopped."""
    next_step: str | None = None
    created_at: datetime
    used_at: datetime
    """Time of the last request."""


class TensorboardOffer(BaseModel, frozen=True):
    """Whether a run can be opened in TensorBoard; for the button."""

    exists: bool
    """The run has event files, its own or exported ones."""
    can_open: bool
    reason: str = ""
    """Why not."""
    next_step: str | None = None


class WandbLink(BaseModel, frozen=True):
    """The W&B page of a run, or why there is none."""

    url: str | None = None
    reason: str = ""
    how: str = ""
    """How to get one."""
