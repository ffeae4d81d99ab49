"""Disk usage: what the lab and each of its runs take."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel

from rl_lab.core.disk.retention import Kept
from rl_lab.core.runs import RunStatus


class RunDiskUsage(BaseModel):
    run_id: str
    name: str
    kind: str
    status: RunStatus
    archived: bool
    created_at: datetime
    bytes: int
    """Folder and archive together; a file that two runs share is counted half for each."""
    archive_bytes: int
    """Of these, its archive."""
    videos: Kept
    checkpoints: Kept
    tensorboard: Kept


class DiskUsage(BaseModel):
    total_bytes: int
    """Of all runs, also of deleted ones that can still be brought back."""
    limit: int
    """The knob `lab_bytes`; 0 = none."""
    free_bytes: int
    """Left on the disk of the home folder."""
    total_runs: int
    measured_runs: int
    is_complete: bool
    """Whether every run was measured; until then the sums grow."""
    problem: str
    """Why the limit cannot be reached; empty when it is, or when there is none."""
    runs: list[RunDiskUsage]
