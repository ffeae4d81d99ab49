"""Adoption: a folder that another tool filled becomes runs, without being moved or copied."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SourceFormat = Literal["tensorboard", "sb3", "rl-zoo", "cleanrl", "ray-tune", "wandb-offline"]


class Source(BaseModel):
    """Where an adopted run comes from; kept with the run."""

    model_config = ConfigDict(frozen=True)

    folder: str
    """Absolute. The files stay there; artifacts of the run are opened beneath it."""
    format: SourceFormat
    key: str
    """Names the run within its folder, for ever: adopting again finds it by (folder, key)."""
    is_followed: bool = False
    """Still being written: the lab looks for more."""
    copied: bool = False
    """Its files were copied into the run's folder on request."""


class AdoptRequest(BaseModel):
    model_config = ConfigDict(extra="forbid")

    folder: str = Field(min_length=1, max_length=4096)
    """A path on the machine of the lab."""
    copy_files: bool = False
    follow: bool = True
    """Keep looking while the folder grows."""
    tags: list[str] = Field(default=[], max_length=32)


class AdoptResult(BaseModel):
    """What came of adopting a folder, also while it is still going on."""

    id: str
    folder: str
    is_done: bool = False
    is_followed: bool = False
    """The folder is still being looked at: what grows is read, new runs in it appear."""
    looked_at: int = 0
    """Files seen so far."""
    adopted: int = 0
    updated: int = 0
    """Runs that were there already and have grown."""
    unchanged: int = 0
    run_ids: list[str] = []
    """The first hundred."""
    problems: list[str] = []
    """Files that could not be read, each with the reason; the first fifty."""
