"""A Model is a name for a policy; each of its versions is one checkpoint, which the lab then keeps."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field, StringConstraints

from rl_lab.core.models.checkpoints import CheckpointItem

ModelName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._ -]*$"
    ),
]
ModelLabel = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=32)]
"""production, candidate, …: at most one version of a model has a label; a newer one takes it over."""


class ModelVersion(BaseModel, frozen=True):
    version: int
    checkpoint: CheckpointItem | None = Field(description="Null when its run was deleted.")
    checkpoint_id: str
    run_id: str
    sha256: str
    labels: list[str] = []
    note: str = ""
    created_at: datetime


class Model(BaseModel, frozen=True):
    name: str
    note: str = ""
    created_at: datetime
    updated_at: datetime
    versions: list[ModelVersion] = Field(description="Newest first.")
