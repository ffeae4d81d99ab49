"""An Artifact is a file that a run made; a checkpoint is an artifact that can be resumed or evaluated."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, field_validator

from rl_lab.core.models.checkpoints import Score
from rl_lab.core.models.names import require_free_tag
from rl_lab.core.words.web_addresses import public_host


class Artifact(BaseModel, frozen=True):
    id: str
    run_id: str
    path: str
    """Relative to the run folder; clients never send it back."""
    kind: str
    """checkpoint, start, model, video, clip, film, summary, report, certificate, config, metrics, log, image,
    tensorboard, wandb, file"""
    title: str = ""
    size: int = 0
    sha256: str = ""
    media_type: str = "application/octet-stream"
    created_at: datetime
    timestep: int | None = None
    """For checkpoints: number of training steps done before it."""
    role: str | None = None
    """For checkpoints: interval, best, stop, final."""
    score: float | None = None
    """For checkpoints: mean return of the last training episodes when it was saved."""
    score_episodes: int | None = None
    """How many episodes that mean is over."""
    pinned: bool = False
    data: dict[str, Any] = {}
    tags: list[str] = []
    note: str = ""
    """What a user wrote about it."""
    evaluation: Score | None = None
    """For checkpoints: the best founded evaluation of exactly this file."""
    evaluation_mean: float | None = None
    """Its mean, to sort by."""

    @field_validator("data")
    @classmethod
    def _link_to_the_web_only(cls, data: dict[str, Any]) -> dict[str, Any]:
        """A script names the address, so it may lead anywhere; rows of earlier versions are checked here as well."""
        if "url" not in data or public_host(str(data["url"])):
            return data
        return {**{name: value for name, value in data.items() if name != "url"}, "url_refused": True}

    @property
    def is_elsewhere(self) -> bool:
        """Whether it is stored in the folder of an adopted run, where the lab only reads."""
        return bool(self.data.get("in_source"))


def _without_doubles(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(tags))


ArtifactTag = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=64),
    AfterValidator(require_free_tag),
]


class ArtifactPatch(BaseModel):
    """Labels of an artifact to change; a field that is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    pinned: bool | None = None
    """A pinned file is never pruned."""
    title: str | None = Field(default=None, min_length=1, max_length=200)
    tags: Annotated[list[ArtifactTag], AfterValidator(_without_doubles)] | None = Field(
        default=None,
        max_length=32,
        description="All tags it has from now on; one pins it, unless `pinned` is false.",
    )
    note: str | None = Field(
        default=None, max_length=4000, description="Text about it; it pins it, unless `pinned` is false."
    )
