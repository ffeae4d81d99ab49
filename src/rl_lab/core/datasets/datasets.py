"""A Dataset is a name for episodes; each of its versions has fixed contents."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.datasets.manifest import EpisodeSource, ScoreReference
from rl_lab.core.datasets.names import DatasetName

Integrity = Literal["unchecked", "intact", "damaged", "missing"]
"""What the last comparison of the files with their checksums said."""


class Histogram(BaseModel):
    """How often values fall between two edges."""

    edges: list[float] = Field(description="One more than counts.")
    counts: list[int]


class DatasetStatistics(BaseModel):
    """A version in figures, computed when it is made."""

    return_mean: float | None
    return_std: float | None
    return_min: float | None
    return_median: float | None
    return_max: float | None
    returns: Histogram
    length_mean: float | None
    length_min: int | None
    length_max: int | None
    lengths: Histogram
    terminated: int = Field(description="Episodes that the environment ended.")
    truncated: int = Field(
        description="Episodes that were cut off, by a time limit or by the end of the file."
    )
    actions: list[Histogram] = Field(
        description="One for discrete actions; one per number of continuous ones."
    )
    state_coverage: float | None = Field(
        description="Share of the cells of a grid over the two widest directions of the observations that was visited."
    )
    state_map: list[list[int]] = Field(default=[], description="Visits per cell of that grid.")
    duplicates: int = Field(
        description="Episodes with the same actions and first observation as an earlier one."
    )
    not_finite: dict[str, int] = Field(default={}, description="NaN and infinite numbers by column.")
    by_person: int = Field(default=0, description="Steps in which a person acted.")


class DatasetVerification(BaseModel):
    """Every episode re-simulated from its seed and actions."""

    outcome: Literal["identical", "different", "impossible"]
    at: datetime
    checked: int = Field(description="Episodes that were re-simulated.")
    unseeded: int = Field(default=0, description="Episodes without a known seed, which cannot be.")
    episode: int | None = Field(default=None, description="The first that differs.")
    step: int | None = None
    message: str = ""


class DatasetVersion(BaseModel):
    name: str
    version: int
    sha256: str
    env_id: str
    env_kwargs: dict[str, Any] = {}
    observation_space: dict[str, Any]
    action_space: dict[str, Any]
    episodes: int
    transitions: int
    size: int
    licence: str = ""
    source: str = ""
    sources: list[EpisodeSource] = []
    notes: list[str] = []
    reference: ScoreReference | None = None
    statistics: DatasetStatistics | None = None
    integrity: Integrity = "unchecked"
    integrity_message: str = Field(default="", description="Which file is damaged or missing.")
    checked_at: datetime | None = None
    verification: DatasetVerification | None = None
    pinned: bool = False
    run_id: str | None = Field(default=None, description="The job that made it.")
    learned_by: int = Field(default=0, description="Trainings that learned from exactly these contents.")
    created_at: datetime


class Dataset(BaseModel):
    name: str
    note: str = ""
    keep: int | None = Field(
        default=None, description="Newest versions that are kept, besides pinned ones; null: all."
    )
    created_at: datetime
    updated_at: datetime
    versions: list[DatasetVersion] = Field(description="Newest first.")


class DatasetEpisode(BaseModel):
    """One episode of a version, as lists show it."""

    model_config = ConfigDict(populate_by_name=True)

    episode: int = Field(description="Its place in the version, from 0.")
    returned: float | None = Field(alias="return", description="The sum of its rewards; null: not a number.")
    length: int
    seed: int | None = Field(description="What the environment was reset with; null where that is not known.")
    terminated: bool
    truncated: bool
    source: str = Field(description="Where it comes from, in words.")
    run_id: str | None = Field(default=None, description="The run that it was recorded in.")
    number: int = Field(description="Its number there.")
    by_person: int = Field(default=0, description="Steps in which a person acted.")


class DatasetForecast(BaseModel):
    """What a job on datasets would need, before it starts."""

    episodes: int | None = Field(default=None, description="Null: not known before it is read.")
    transitions: int | None = None
    bytes: int | None = Field(default=None, description="Of new files.")
    seconds: float | None = None
    free_bytes: int
    problem: str | None = Field(default=None, description="Why it cannot start; null: it can.")
    remedy: str | None = None
    notes: list[str] = []
    returns: Histogram | None = Field(
        default=None, description="Of the chosen episodes; null where they are not recorded ones."
    )


class DatasetPatch(BaseModel):
    """What to change of a dataset; a field that is absent stays as it is."""

    model_config = ConfigDict(extra="forbid")

    name: DatasetName | None = Field(default=None, description="A new name.")
    note: str | None = Field(default=None, max_length=10_000)
    keep: int | None = Field(default=None, ge=1, le=1000, description="Newest versions to keep; null: all.")


class DatasetVersionPatch(BaseModel):
    model_config = ConfigDict(extra="forbid")

    pinned: bool | None = None
    licence: str | None = Field(default=None, max_length=200)
    source: str | None = Field(default=None, max_length=2000)
