"""Requests about studies: a new one, changed labels, more seeds, a confirmation."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from rl_lab.core.jobs.choices import Seed
from rl_lab.core.studies.studies import MAX_STUDY_SEEDS, Budget, Measure, VariantPlan
from rl_lab.core.studies.sweeps import Sweep
from rl_lab.orchestrator.runs.requests import Name, Tag

FILE_VERSION = 1
"""Of the study file. A lab reads files of this and of earlier versions."""
MAX_NOTES = 20_000

SeedCount = Annotated[int, Field(ge=1, le=MAX_STUDY_SEEDS)]
SeedList = Annotated[list[Seed], Field(min_length=1, max_length=MAX_STUDY_SEEDS)]


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewStudy(_Request):
    """A study to create. A study file is one of these, with its version."""

    version: int | None = Field(default=None, description="Of a study file; absent in a request.")
    name: Name | None = Field(default=None, description="What it trains, when absent.")
    question: str = Field(default="", max_length=500, description="What the study shall answer.")
    base: dict[str, Any] = Field(
        description="Fields of a new run (`NewRun`) that all variants share; without seed, name, priority and start."
    )
    variants: list[VariantPlan] = Field(
        default=[], max_length=1000, description="Configurations to compare; absent: the base alone."
    )
    sweep: Sweep | None = Field(default=None, description="Makes the variants instead.")
    seeds: SeedCount | SeedList = Field(
        default=5,
        description="Each variant is trained with each of these; a number: so many are drawn and saved.",
    )
    measure: Measure = "final"
    budget: Budget = Budget()
    tags: list[Tag] = Field(default=[], max_length=32)
    notes: str = Field(default="", max_length=MAX_NOTES, description="Markdown.")
    priority: int = Field(default=0, ge=-100, le=100, description="Of its runs in the queue.")
    start: bool = Field(default=False, description="Put its runs into the queue at once.")

    @model_validator(mode="before")
    @classmethod
    def _refuse_newer(cls, data: Any) -> Any:
        """Before the fields are checked: a newer file may have others."""
        version = data.get("version") if isinstance(data, dict) else None
        if isinstance(version, int) and version > FILE_VERSION:
            raise PydanticCustomError(
                "newer_study_file",
                "This study file has version {version}; this lab reads versions up to {known}. Update the lab.",
                {"version": version, "known": FILE_VERSION},
            )
        return data


class StudyPatch(_Request):
    """Labels of a study to change; a field that is absent stays as it is."""

    name: Name | None = None
    question: str | None = Field(default=None, max_length=500)
    tags: list[Tag] | None = Field(default=None, max_length=32)
    notes: str | None = Field(default=None, max_length=MAX_NOTES)
    priority: int | None = Field(default=None, ge=-100, le=100, description="Also of its waiting runs.")


class MoreSeeds(_Request):
    """Seeds to add to a study, which continues if it had ended."""

    count: SeedCount | None = Field(
        default=None, description="So many are drawn, none of which the study has."
    )
    seeds: SeedList | None = Field(default=None, description="These; instead of a count.")
    variants: list[int] | None = Field(
        default=None, min_length=1, max_length=1000, description="Numbers of the variants; all when absent."
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> MoreSeeds:
        if (self.count is None) == (self.seeds is None):
            raise PydanticCustomError("one_of_both", "Give either count or seeds.")
        return self


class NewConfirmation(_Request):
    """Trains a variant again with fresh seeds, next to the base if it differs: the best of many is partly luck."""

    variant: int = Field(ge=1, description="Number of the variant.")
    seeds: SeedCount = 5
    start: bool = True
