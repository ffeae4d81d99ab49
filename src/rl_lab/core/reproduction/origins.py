"""Where a run comes from that this lab did not train: a pack of another lab, or a model file; stored with the run."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict

from rl_lab.core.models.forms import ModelForm


class PackOrigin(BaseModel):
    """What an imported run was in the lab that packed it."""

    model_config = ConfigDict(frozen=True)

    pack: str
    """Name of the file."""
    sha256: str
    """Of the file."""
    run_id: str
    """Its id in the lab that packed it."""
    lab_version: str = ""
    packed_at: datetime | None = None
    imported_at: datetime


class ModelOrigin(BaseModel):
    """The file of somebody else that became the only checkpoint of a run."""

    model_config = ConfigDict(frozen=True)

    file: str
    """Name of the file."""
    sha256: str
    """Of the file."""
    form: ModelForm
    repository: str = ""
    """On the Hugging Face Hub: `user/name`; empty for a file."""
    revision: str = ""
    """Commit of the repository."""
    notes: list[str] = []
    """What differs from the original, as sentences."""
    imported_at: datetime


Origin = PackOrigin | ModelOrigin
