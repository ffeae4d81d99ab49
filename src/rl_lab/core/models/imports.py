"""Importing a model: files that were sent to the lab, what they hold, and what the user decides about them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from rl_lab.core.models.forms import ModelForm

MAX_MODEL_BYTES = 2 << 30
"""Of all files of one import together."""
MAX_MODEL_FILES = 200
MAX_FILE_NAME = 200
SHA256 = r"^[0-9a-f]{64}$"


class ImportFile(BaseModel, frozen=True):
    """A file of an import."""

    name: str = Field(description="Path in the folder that was sent, or the file's name.")
    size: int
    sha256: str


class ImportUpload(BaseModel, frozen=True):
    """Files that wait in the lab for a decision; nothing of them is imported."""

    id: str
    files: list[ImportFile]


class Claim(BaseModel, frozen=True):
    """The return that the source of a model claims."""

    mean: float
    std: float | None = None
    episodes: int | None = None
    deterministic: bool | None = None
    source: str = Field(default="", description="The file that claims it.")


class ImportPreview(BaseModel, frozen=True):
    """What a model file holds, read without executing anything of it."""

    id: str
    file: str = Field(description="The file that holds the model.")
    size: int
    sha256: str
    form: ModelForm
    runner: str = Field(description="The runner that plays it.")
    algorithm: str
    env_id: str | None = Field(description="Null when no file names it; then the user must.")
    timesteps: int = Field(default=0, description="Steps it was trained, where the file says so.")
    observation: str = Field(default="", description="The observations that its network takes.")
    action: str = Field(default="", description="The actions that its network gives.")
    claim: Claim | None = None
    needs_consent: bool = Field(default=False, description="Whether it is a program that must be approved.")
    notes: list[str] = []


class ImportChoices(BaseModel):
    """What the user decides about an import; what is left out is taken from the files."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    env_id: str | None = Field(
        default=None,
        max_length=200,
        description="The environment it was trained in; needed when no file names it.",
    )
    env_kwargs: dict[str, Any] = Field(default={}, description="Arguments of the environment.")
    algorithm: str | None = Field(
        default=None, max_length=32, description="ppo, a2c, dqn, sac or td3; where the file does not say."
    )
    name: Annotated[str, StringConstraints(strip_whitespace=True, max_length=200)] | None = Field(
        default=None, description="Name of the run."
    )
    consent: str | None = Field(
        default=None, pattern=SHA256, description="SHA-256 of a program (TorchScript) that the user approves."
    )


class ImportSource(BaseModel):
    """Where the files come from, if not from a person's disk."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    repository: str = Field(default="", max_length=200, description="On the Hugging Face Hub: user/name.")
    revision: str = Field(default="", max_length=100, description="Commit of the repository.")
