"""How a dataset and one of its versions are named: `lander-expert`, `lander-expert@v2`; and ids of Minari's."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.models.names import ModelName

ADDRESS_WORDS = frozenset({"jobs", "forecast", "uploads", "files", "new"})
"""What addresses of the API and of the page have where a dataset's name would be."""


def _require_no_address(name: str) -> str:
    if name.lower() in ADDRESS_WORDS:
        message = "“{word}” already means something else in addresses; choose another word"
        raise PydanticCustomError("reserved_name", message, {"word": name})
    return name


DatasetName = Annotated[ModelName, AfterValidator(_require_no_address)]

MINARI_PART = re.compile(r"[A-Za-z0-9_-]+")
MOST_PARTS = 8
WRITTEN = re.compile(r"(?P<name>[^@]+)(@[vV]?(?P<version>\d+))?")


class DatasetChoice(BaseModel):
    """The dataset that a training learns from. Part of its configuration, so it names exact contents."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(max_length=64, description="Name of the dataset.")
    version: int | None = Field(default=None, ge=1, description="Its version; the newest one when absent.")
    sha256: str | None = Field(
        default=None, max_length=64, description="Content hash of the version; the lab fills it in."
    )

    def __str__(self) -> str:
        return self.name if self.version is None else f"{self.name}@v{self.version}"


def read_choice(written: str) -> DatasetChoice:
    """A dataset as it is written on the command line."""
    found = WRITTEN.fullmatch(written.strip())
    if found is None:
        raise InvalidInput.of_field("dataset", f"“{written}” is not a dataset; write NAME or NAME@v2.")
    version = found["version"]
    return DatasetChoice(name=found["name"].strip(), version=int(version) if version else None)


def split_minari_id(written: str) -> list[str]:
    """D4RL, door, human-v2; InvalidInput for what is no id of a dataset of Minari."""
    parts = written.strip("/").split("/")
    if not all(MINARI_PART.fullmatch(part) for part in parts) or len(parts) > MOST_PARTS:
        raise InvalidInput.of_field(
            "minari", f"“{written}” is not an id of Minari; one looks like D4RL/door/human-v2."
        )
    return parts
