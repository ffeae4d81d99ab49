"""A Model is a name for a policy; each of its versions is one checkpoint, which the lab then keeps."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.models.checkpoints import CheckpointItem, Score
from rl_lab.core.models.names import ModelLabel, ModelName

MODELS_FOLDER = "models"
"""Of the home folder: the copies that versions keep, `<name>/v<n>/`."""


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
