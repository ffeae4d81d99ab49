"""A checkpoint as the list of all models shows it: where it comes from, how good it is, and how that was measured."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, Field

from rl_lab.core.evaluations import Interval, Level
from rl_lab.core.models.start_points import StartPoint

Protocol = Literal["training", "evaluation", "evaluate_every", "import"]
"""How a return was measured: mean of the last training episodes; an evaluation that a person or the lab started after
the training; one of the evaluations alongside the training; as the source of an imported model claims it."""

CheckpointSort = Literal["created_at", "score", "timestep", "size", "env_id", "algorithm"]
SortOrder = Literal["asc", "desc"]
Origin = Literal["lab", "script", "pack", "adopted", "import"]
"""Who wrote it: a learner of the lab, a captured script or program, a run of an imported pack or of an adopted folder;
`import`: a file that was imported as a model."""


class Score(BaseModel, frozen=True):
    """A return together with the protocol it was measured by."""

    mean: float
    protocol: Protocol
    episodes: int | None = Field(default=None, description="How many episodes the mean is over.")
    interval: Interval | None = Field(default=None, description="Bootstrap interval of the mean.")
    level: Level = None
    deterministic: bool | None = Field(default=None, description="Best action instead of a sampled one.")
    job_id: str | None = Field(default=None, description="The evaluation that measured it.")
    cited: str | None = Field(default=None, description="The named protocol of that evaluation: nightly@v2.")

    def is_as_well_founded_as(self, other: Score | None) -> bool:
        """Whether its mean is over as many episodes; of two means over as many, the later one is shown."""
        return other is None or (self.episodes or 0) >= (other.episodes or 0)


class ModelTag(BaseModel, frozen=True):
    """A version of a named model, as a checkpoint that is one shows it."""

    name: str
    version: int
    labels: list[str] = []


class CheckpointItem(BaseModel, frozen=True):
    """One row of the list of checkpoints over all runs."""

    id: str = Field(description="Artifact id.")
    run_id: str
    run_name: str
    run_status: str = Field(description="State of its run; only an ended run can be resumed.")
    runner: str
    algorithm: str
    env_id: str
    timestep: int | None
    role: str | None = Field(description="interval, best, stop, final, imported")
    is_best: bool = Field(default=False, description="The best checkpoint of its run.")
    is_newest: bool = Field(default=False, description="The newest checkpoint of its run.")
    score: Score | None = Field(description="Of an evaluation if there is one, else of training.")
    size: int
    sha256: str
    created_at: datetime
    pinned: bool = False
    tags: list[str] = []
    note: str = ""
    models: list[ModelTag] = []
    started_from: str | None = Field(
        default=None, description="Id of the run whose checkpoint its training started from."
    )
    is_playable: bool = Field(default=True, description="Whether the lab can act with it.")
    acts_live: bool = Field(
        default=True,
        description="Whether it can act on a stage or in a play of its environment: not what others have written.",
    )
    archived: bool = Field(default=False, description="Its run is archived.")


class CheckpointDetail(CheckpointItem, frozen=True):
    """One checkpoint with the configuration that trained it."""

    title: str = ""
    run_created_at: datetime
    seed: int | None
    total_timesteps: int | None
    preset: str | None = None
    params: dict[str, Any] = Field(description="Hyper-parameters of the training.")
    env_kwargs: dict[str, Any] = Field(default={}, description="Arguments of the environment.")
    start_from: StartPoint | None = Field(
        default=None, description="The checkpoint that its training started with."
    )
    origin: Origin = "lab"
    origin_detail: str | None = Field(default=None, description="The pack, folder or file it came from.")


class CheckpointPage(BaseModel, frozen=True):
    items: list[CheckpointItem]
    next_cursor: str | None = None
    total: int


class CheckpointChoices(BaseModel, frozen=True):
    """What the list of checkpoints can be filtered by: values that at least one of them has."""

    environments: list[str]
    algorithms: list[str]
    tags: list[str]
