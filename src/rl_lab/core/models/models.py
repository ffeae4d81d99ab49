"""A Model is a name for a policy; each of its versions is one checkpoint, which the lab then keeps."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints

from rl_lab.core.models.checkpoints import CheckpointItem, Score

ModelName = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=64, pattern=r"^[A-Za-z0-9][A-Za-z0-9._ -]*$"
    ),
]


def _not_a_version(label: str) -> str:
    if re.fullmatch(r"[vV]\d+", label):
        raise ValueError("reads like a version; choose a word")
    return label


ModelLabel = Annotated[
    str,
    StringConstraints(
        strip_whitespace=True, min_length=1, max_length=32, pattern=r"^[A-Za-z][A-Za-z0-9._-]*$"
    ),
    AfterValidator(_not_a_version),
]
"""production, candidate, …: at most one version of a model has a label; a newer one takes it over."""


class VersionFacts(BaseModel, frozen=True):
    """What a version remembers of its checkpoint; valid also when the run is deleted."""

    run_name: str
    env_id: str
    algorithm: str
    runner: str
    timestep: int | None = None
    role: str | None = None
    score: Score | None = Field(default=None, description="As it was when the version was added.")
    size: int


class ModelVersion(VersionFacts, frozen=True):
    version: int
    checkpoint: CheckpointItem | None = Field(
        description="The checkpoint with exactly these bytes; null when it was pruned or replaced, or its run deleted."
    )
    checkpoint_id: str
    run_id: str
    sha256: str
    labels: list[str] = []
    note: str = ""
    created_at: datetime
    run_is_deleted: bool = False


class Model(BaseModel, frozen=True):
    name: str
    note: str = ""
    created_at: datetime
    updated_at: datetime
    versions: list[ModelVersion] = Field(description="Newest first.")


class NewVersion(BaseModel):
    """A checkpoint that becomes the next version of a model."""

    model_config = ConfigDict(extra="forbid")

    checkpoint: str = Field(min_length=1, max_length=64, description="Artifact id of the checkpoint.")
    labels: list[ModelLabel] = Field(default=[], max_length=20)
    note: str = Field(default="", max_length=10_000)


class NewModel(NewVersion):
    """A name for a checkpoint, which becomes version 1."""

    name: ModelName
    note: str = Field(default="", max_length=10_000, description="About version 1.")


class ModelPatch(BaseModel):
    """What to change of a model; a field that is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: ModelName | None = Field(default=None, description="A new name.")
    note: str | None = Field(default=None, max_length=10_000)


class VersionPatch(BaseModel):
    """What to change of a version; a field that is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    labels: list[ModelLabel] | None = Field(default=None, max_length=20)
    note: str | None = Field(default=None, max_length=10_000)
