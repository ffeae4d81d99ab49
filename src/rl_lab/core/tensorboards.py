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


WandbUpload = Literal["none", "offline", "uploading", "finished", "failed", "unknown"]
UPLOAD_TEXTS: dict[WandbUpload, str] = {
    "none": "Nothing was logged to W&B.",
    "offline": "Kept on this machine; nothing is uploaded.",
    "uploading": "Uploading while the run works.",
    "finished": "Uploaded completely.",
    "failed": "The upload failed. The event log and the run's log show what W&B reported.",
    "unknown": "The run ended before W&B confirmed the end of its upload.",
}


class WandbLink(BaseModel, frozen=True):
    """The W&B page of a run, or why there is none, and how far its upload is."""

    url: str | None = None
    """As the script named it: an https address of a public host."""
    url_text: str = ""
    """Where it leads and who says so, for people."""
    upload: WandbUpload = "none"
    """As far as W&B's calls and files show: offline is kept on this machine, unknown ended without a confirmation."""
    upload_text: str = UPLOAD_TEXTS["none"]
    reason: str = ""
    how: str = ""
    """How to get one."""
