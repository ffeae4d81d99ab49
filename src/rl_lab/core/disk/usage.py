"""Disk usage of the lab, of each run, named model and dataset."""

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
    """Folder and archive together; a file shared by two runs counts half for each."""
    archive_bytes: int
    """The share of its archive in `bytes`."""
    videos: Kept
    checkpoints: Kept
    tensorboard: Kept


class ModelDiskUsage(BaseModel):
    name: str
    bytes: int
    """Copies of all its versions."""
    versions: int


class DatasetDiskUsage(BaseModel):
    name: str
    bytes: int
    """Files of all its versions."""
    versions: int


class DiskUsage(BaseModel):
    total_bytes: int
    """All runs, including deleted ones that can still be restored, the named models and the datasets."""
    models_bytes: int
    """The share of named models in `total_bytes`: copies of their versions, in `models/` of the home folder."""
    datasets_bytes: int
    """The share of datasets in `total_bytes`, in `datasets/` of the home folder."""
    limit: int
    """The limit `lab_bytes`; 0 = none."""
    free_bytes: int
    """Free space on the disk of the home folder."""
    total_runs: int
    measured_runs: int
    is_complete: bool
    """Whether every run has been measured; until then the sums still grow."""
    problem: str
    """Why usage cannot be brought below the limit; empty if it is below, or if there is no limit."""

    runs: list[RunDiskUsage]
    models: list[ModelDiskUsage]
    """Largest first."""
    datasets: list[DatasetDiskUsage]
    """Largest first."""
