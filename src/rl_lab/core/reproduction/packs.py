"""A Pack is one file with runs or studies and all that is needed to look at them and to run them again elsewhere."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.datasets.names import DatasetName
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.run_events import RunEvent
from rl_lab.core.runs import Run
from rl_lab.core.studies.studies import Study, Variant

PACK_FORMAT = 2
"""Incremented when an older lab could not read a pack correctly. A pack without datasets has format 1."""
PACK_FILE = "pack.json"
MAX_MEMBERS = 200_000
MAX_PACKED_RUNS = 10_000
MAX_EVENTS = 20_000
"""Events of one run that a pack holds; of more the oldest."""
CheckpointChoice = Literal["best", "all", "none"]
"""Which checkpoints a pack holds: the best one (else the newest), all, or none."""

PackId = Annotated[str, Field(pattern=r"^[0-9a-z]{12}$")]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _PackPart(BaseModel):
    model_config = ConfigDict(frozen=True)


class PackMember(_PackPart):
    """One file of a pack."""

    size: int = Field(ge=0, lt=2**53)
    sha256: Sha256


class PackedRun(_PackPart):
    """A run of a pack in a few words."""

    id: PackId
    name: str = Field(max_length=1000)
    kind: str = Field(max_length=40)
    runner: str | None = Field(default=None, max_length=200)
    algorithm: str | None = Field(default=None, max_length=200)
    env_id: str | None = Field(default=None, max_length=1000)
    seed: int | None = None
    status: str = Field(max_length=40)
    steps: int = 0
    episodes: int = 0


class PackedStudy(_PackPart):
    id: PackId
    name: str = Field(max_length=1000)
    question: str = Field(default="", max_length=500)
    variants: int = 0
    runs: int = 0


class PackedDataset(_PackPart):
    """A version of a dataset that runs of the pack learned from."""

    name: DatasetName
    version: int = Field(ge=1, le=1_000_000_000)
    sha256: Sha256
    """Of its contents."""
    env_id: str = Field(default="", max_length=1000)
    episodes: int = Field(ge=0, lt=2**53)
    transitions: int = Field(ge=0, lt=2**53)
    size: int = Field(ge=0, lt=2**53)
    """Bytes of its files."""

    def __str__(self) -> str:
        return f"{self.name}@v{self.version}"


class PackManifest(_PackPart):
    """pack.json: what is in a pack, with the hash of every other member."""

    format: int = Field(ge=1)
    lab_version: str = Field(default="", max_length=100)
    name: str = Field(default="", max_length=1000)
    packed_at: datetime
    runs: list[PackedRun] = Field(min_length=1, max_length=MAX_PACKED_RUNS)
    studies: list[PackedStudy] = Field(default=[], max_length=1000)
    datasets: list[PackedDataset] = Field(default=[], max_length=1000)
    notes: list[str] = Field(default=[], max_length=1000)
    """What could not be packed, as sentences."""
    members: dict[str, PackMember] = Field(max_length=MAX_MEMBERS)
    """By name."""


class PackedAttempt(_PackPart):
    """One process that worked on a run."""

    number: int = Field(ge=1, le=100_000)
    started_at: datetime
    ended_at: datetime | None = None
    is_resumed: bool = False
    timestep0: int = Field(default=0, ge=0)
    episode0: int = Field(default=0, ge=0)


class RunRecord(_PackPart):
    """run.json of a pack: what the lab's database holds about a run."""

    run: Run
    events: list[RunEvent] = Field(default=[], max_length=MAX_EVENTS)
    artifacts: list[Artifact] = Field(default=[], max_length=MAX_MEMBERS)
    """Of the files in the pack only."""
    attempts: list[PackedAttempt] = Field(default=[], max_length=100_000)
    episode_notes: dict[int, str] = {}


class StudyRecord(_PackPart):
    """A study of a pack with its variants."""

    study: Study
    variants: list[Variant] = Field(default=[], max_length=10_000)


class PackPreview(_PackPart):
    """A pack that was sent to the lab and checked; nothing of it is imported yet."""

    id: str
    name: str
    size: int
    sha256: str
    manifest: PackManifest
    bytes: int
    """Of all members, unpacked."""
    taken: list[str] = []
    """Ids of its runs that this lab has already; they are imported with new ids."""
    is_here: bool = False
    """Whether this very file was imported before and all of its runs are still here: importing it again adds none."""
    problems: list[str] = []
    """What will not work or be different here, as sentences: unknown runners, parts that were left out."""


class PackImport(_PackPart):
    """What became of a pack."""

    runs: dict[str, str]
    """New ids by the ids in the pack."""
    studies: dict[str, str]
    datasets: dict[str, str] = {}
    """Where this lab has each dataset (`lander@v2`), by what the pack calls it."""
    is_repeated: bool = False
    """Whether the runs were here already, from an earlier import of the same file."""
    problems: list[str] = []


def member_of(run_id: str, path: str) -> str:
    return f"runs/{run_id}/{path}"


def dataset_member(sha256: str, file: str) -> str:
    return f"datasets/{sha256}/{file}"


def replace_ids(value: Any, new: dict[str, str]) -> Any:
    """The value with every text that is exactly one of these ids replaced; names and sentences stay."""
    if isinstance(value, str):
        return new.get(value, value)
    if isinstance(value, dict):
        return {key: replace_ids(item, new) for key, item in value.items()}
    if isinstance(value, list):
        return [replace_ids(item, new) for item in value]
    return value
