"""What a job does to a dataset: make, collect, import, split, merge, prune, check, export. Its `do` says which.

Every operation but check, verify and export gives a new version of `name`, which need not exist before.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rl_lab.core.datasets.datasets import DatasetVerification, Integrity
from rl_lab.core.datasets.formats import ExportFormat, ImportFormat
from rl_lab.core.datasets.names import DatasetChoice, DatasetName
from rl_lab.core.jobs.choices import CheckpointId, JobModel, Seed

MAX_EPISODES = 10_000_000


class EpisodeChoice(JobModel):
    """Which recorded episodes of runs are taken. All conditions have to hold."""

    runs: list[str] = Field(
        default=[], max_length=1000, description="Ids of runs; every run that fits when empty."
    )
    query: str = Field(default="", max_length=1000, description="A search as in the table of runs.")
    tags: list[str] = Field(default=[], max_length=20, description="Tags of the runs.")
    kinds: list[Literal["train", "evaluate", "play", "fork", "duel"]] = Field(
        default=["train", "evaluate", "play"]
    )
    env_id: str | None = Field(default=None, max_length=200)
    episodes: dict[str, list[int]] = Field(
        default={}, description="Only these episodes of a run, by its id; for a choice made by hand."
    )
    return_min: float | None = None
    return_max: float | None = None
    length_min: int | None = Field(default=None, ge=1)
    length_max: int | None = Field(default=None, ge=1)
    who: Literal["person", "agent"] | None = Field(default=None, description="Who acted in them.")
    newest: int | None = Field(
        default=None, ge=1, le=MAX_EPISODES, description="At most this many, the newest ones."
    )
    best: int | None = Field(default=None, ge=1, le=MAX_EPISODES, description="At most this many, by return.")


class Collector(JobModel):
    """A policy that collects, and its share of the episodes."""

    run_id: str | None = Field(
        default=None, max_length=12, description="The run of the checkpoint; random when absent."
    )
    checkpoint: CheckpointId | None = Field(
        default=None, description="Artifact id; the best one when absent."
    )
    share: float = Field(default=1.0, gt=0, le=1_000_000)
    noise: float = Field(
        default=0.0,
        ge=0,
        le=1,
        description="Discrete: share of random actions. Continuous: Gaussian noise, as a share of the range.",
    )
    deterministic: bool = True


class _Operation(JobModel):
    name: DatasetName = Field(description="Of the dataset that gets a new version.")
    note: str = Field(default="", max_length=10_000)
    licence: str = Field(default="", max_length=200)


class MakeDataset(_Operation):
    """Recorded episodes of runs, simulated again."""

    do: Literal["make"] = "make"
    choose: EpisodeChoice = EpisodeChoice()


class CollectDataset(_Operation):
    """Episodes that policies play now."""

    do: Literal["collect"] = "collect"
    env_id: str | None = Field(
        default=None, max_length=200, description="That of the first policy when absent."
    )
    env_kwargs: dict[str, Any] = Field(default={})
    policies: list[Collector] = Field(min_length=1, max_length=16)
    episodes: int = Field(default=100, ge=1, le=MAX_EPISODES)
    seed: Seed = 0


class ImportDataset(_Operation):
    """A file or folder of another tool."""

    do: Literal["import"] = "import"
    path: str | None = Field(
        default=None, max_length=4096, description="Of a file or folder on the lab's machine."
    )
    upload: str | None = Field(default=None, max_length=64, description="Id of an upload.")
    minari: str | None = Field(
        default=None, max_length=200, description="Id of a dataset on Minari's server."
    )
    download_bytes: int | None = Field(
        default=None, ge=0, description="Of `minari`: its size as the server lists it; the lab asks for it."
    )
    buffer_of: str | None = Field(
        default=None, max_length=12, description="Id of a run whose replay buffer to take."
    )
    format: ImportFormat | None = Field(default=None, description="Recognised by its contents when absent.")
    env_id: str | None = Field(default=None, max_length=200, description="Where the file does not say it.")
    sha256: str | None = Field(default=None, max_length=64, description="What the file has to have.")
    source: str = Field(default="", max_length=2000)

    @model_validator(mode="after")
    def _one_source(self) -> ImportDataset:
        if sum(given is not None for given in (self.path, self.upload, self.minari, self.buffer_of)) != 1:
            raise ValueError("Name one thing to import: path, upload, minari or buffer_of.")
        return self


class SplitDataset(_Operation):
    """Some episodes of a version in one dataset, the others in a second one."""

    do: Literal["split"] = "split"
    of: DatasetChoice
    rest: DatasetName = Field(description="Name of the dataset with the other episodes.")
    share: float = Field(default=0.9, gt=0, lt=1)
    seed: Seed = 0

    @model_validator(mode="after")
    def _two_names(self) -> SplitDataset:
        if self.name.casefold() == self.rest.casefold():
            raise ValueError("The two parts need two names.")
        return self


class MergeDataset(_Operation):
    """The episodes of several versions, one behind the other."""

    do: Literal["merge"] = "merge"
    of: list[DatasetChoice] = Field(min_length=2, max_length=100)


class PruneDataset(_Operation):
    """The episodes of a version that fulfil the conditions."""

    do: Literal["prune"] = "prune"
    of: DatasetChoice
    return_min: float | None = None
    return_max: float | None = None
    length_min: int | None = Field(default=None, ge=1)
    drop_duplicates: bool = False
    drop_not_finite: bool = False
    best: int | None = Field(default=None, ge=1, le=MAX_EPISODES)


class CheckDataset(JobModel):
    """The files of a version compared with their checksums and its schema."""

    do: Literal["check"] = "check"
    of: DatasetChoice


class VerifyDataset(JobModel):
    """Every episode re-simulated; the first differing step is named."""

    do: Literal["verify"] = "verify"
    of: DatasetChoice


class ExportDataset(JobModel):
    """A version in another tool's format."""

    do: Literal["export"] = "export"
    of: DatasetChoice
    format: ExportFormat


DatasetOperation = Annotated[
    MakeDataset
    | CollectDataset
    | ImportDataset
    | SplitDataset
    | MergeDataset
    | PruneDataset
    | CheckDataset
    | VerifyDataset
    | ExportDataset,
    Field(discriminator="do"),
]


class DatasetOptions(JobModel):
    """Do something to a dataset: make, collect, import, split, merge, prune, check, verify or export one."""

    operation: DatasetOperation


class DatasetConfig(DatasetOptions):
    """A job on datasets."""

    kind: Literal["dataset"] = "dataset"


class DatasetResult(BaseModel):
    """What a job on datasets has done."""

    model_config = ConfigDict(extra="allow")

    do: str
    message: str = Field(description="One sentence.")
    versions: list[str] = Field(default=[], description="The new versions: name@v1.")
    episodes: int = 0
    transitions: int = 0
    notes: list[str] = Field(default=[], description="What was left out or repaired, as sentences.")
    artifact: str | None = Field(default=None, description="Path of the exported file in the job's folder.")
    integrity: Integrity | None = Field(default=None, description="Of a check.")
    integrity_message: str = ""
    verification: DatasetVerification | None = None


def new_names(operation: DatasetOperation) -> list[str]:
    """The datasets that get a new version, in the order of the folders that the worker writes."""
    if isinstance(operation, SplitDataset):
        return [operation.name, operation.rest]
    return [operation.name] if isinstance(operation, _Operation) else []


def chosen_versions(operation: DatasetOperation) -> list[DatasetChoice]:
    """The versions that an operation reads."""
    of = getattr(operation, "of", [])
    return list(of) if isinstance(of, list) else [of]
