"""The versions that a job reads, as the lab hands them over."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel

from rl_lab.worker.datasets.reading import OpenDataset, open_dataset
from rl_lab.worker.session import Session

VERSIONS = "versions"
"""Name of the job's input."""


class VersionInput(BaseModel, frozen=True):
    name: str
    version: int
    sha256: str
    folder: Path

    def __str__(self) -> str:
        return f"{self.name}@v{self.version}"


def given_versions(session: Session) -> list[VersionInput]:
    given: list[Any] = session.job.inputs[VERSIONS]
    return [VersionInput.model_validate(one) for one in given]


def open_versions(session: Session) -> list[OpenDataset]:
    return [open_dataset(one.folder) for one in given_versions(session)]
