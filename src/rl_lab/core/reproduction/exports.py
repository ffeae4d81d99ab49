"""An Export takes the numbers of runs and studies out of the lab, as one file."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

MAX_EXPORTED = 10_000
"""Runs of one export."""
ExportFormat = Literal["csv", "json", "parquet", "png", "svg", "html", "tensorboard"]
TABLE_FORMATS = frozenset({"csv", "json", "parquet"})
TableName = Literal["metrics", "episodes", "runs"]
"""metrics: a row per point of each metric; episodes: a row per episode; runs: a row per run."""
_Id = Annotated[str, Field(pattern=r"^[0-9a-z]{12}$")]


class ExportRequest(BaseModel):
    """What is taken out, and how."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    runs: list[_Id] = Field(default=[], max_length=MAX_EXPORTED, description="Ids of runs.")
    studies: list[_Id] = Field(
        default=[], max_length=100, description="Ids of studies: all runs of each are taken."
    )
    format: ExportFormat
    table: TableName = Field(
        default="metrics",
        description="Of csv, json and parquet: a row per point, per episode or per run.",
    )

    @model_validator(mode="after")
    def _names_something(self) -> ExportRequest:
        if not self.runs and not self.studies:
            raise ValueError("name at least one run or study")
        return self
