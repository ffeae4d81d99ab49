"""Adoption: the lab makes runs from a folder that another tool wrote, without moving or copying its files."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SourceFormat = Literal[
    "tensorboard", "sb3", "rl-zoo", "cleanrl", "ray-tune", "wandb-offline", "mlflow", "trackio", "neptune"
]


class JoinedFolder(BaseModel):
    """A further folder of the same training."""

    model_config = ConfigDict(frozen=True)

    folder: str
    evidence: str
    """Why it is the same training."""


class Source(BaseModel):
    """Where an adopted run comes from; stored with the run."""

    model_config = ConfigDict(frozen=True)

    folder: str
    """Absolute path. The files stay there; the run's artifacts are opened inside it."""
    format: SourceFormat
    key: str
    """Permanent name of the run within its folder: adopting the folder again finds the run by (folder, key)."""
    is_followed: bool = False
    """The folder is still being written, so the lab keeps reading new data."""
    copied: bool = False
    """Its files were copied into the run's folder on request."""
    joined: list[JoinedFolder] = []
    """Further folders that the same training wrote: TensorBoard, monitor, evaluation and W&B folders make one run."""


class AdoptRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    folder: str = Field(min_length=1, max_length=4096)
    """A path on the machine that runs the lab."""
    copy_files: bool = False
    follow: bool = True
    """Keep reading while the folder grows."""
    join: bool = True
    """Make one run of the folders that one training wrote. False keeps them apart, and splits runs that were joined."""
    tags: list[str] = Field(default=[], max_length=32)


class AdoptResult(BaseModel):
    """The result of adopting a folder; also returned while the adoption is still in progress."""

    id: str
    folder: str
    is_done: bool = False
    is_followed: bool = False
    """The folder is still being followed: new data is read and new runs are added."""
    looked_at: int = 0
    """Number of files seen so far."""
    adopted: int = 0
    updated: int = 0
    """Runs that already existed and have new data."""
    unchanged: int = 0
    joined: list[str] = []
    """Runs made of several folders: which folders, and why they are one training; the first 50."""
    run_ids: list[str] = []
    """The first 100."""
    problems: list[str] = []
    """Files that could not be read, each with the reason; the first 50."""
