"""A play as it is asked for, and what came of it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.evaluations import Interval, Level
from rl_lab.core.jobs.choices import MAX_STEP, CheckpointId, JobModel, Seed
from rl_lab.core.plays.controls import PlayControls
from rl_lab.core.plays.modes import Mode
from rl_lab.core.plays.players import Player


class TakeOver(JobModel):
    """The moment of a recorded episode that a play starts from: of a run, or of a version of a dataset."""

    run_id: str | None = Field(default=None, max_length=12)
    dataset: DatasetChoice | None = Field(default=None, description="Its episodes are counted from 0.")
    episode: int = Field(ge=0)
    step: int = Field(ge=0, le=MAX_STEP)

    @model_validator(mode="after")
    def _of_one(self) -> TakeOver:
        if (self.run_id is None) == (self.dataset is None):
            raise ValueError("name either the run or the dataset that the episode is from")
        return self


class PlayOptions(JobModel):
    """Play in an environment: by hand, with a policy, or both in turn."""

    env_id: str | None = Field(
        default=None, max_length=200, description="That of `start` or of the policy when absent."
    )
    env_kwargs: dict[str, Any] = Field(default={})
    seed: Seed | None = Field(default=None, description="Of the first episode; drawn when absent.")
    mode: Mode = "human"
    policy_run_id: str | None = Field(
        default=None, max_length=12, description="The run whose checkpoint acts."
    )
    checkpoint: CheckpointId | None = Field(
        default=None, description="Artifact id; the best one when absent."
    )
    deterministic: bool = Field(
        default=True, description="The policy takes the best action instead of sampling one."
    )
    start: TakeOver | None = Field(
        default=None, description="Take over a recorded episode at one of its steps."
    )
    controls: PlayControls | None = Field(default=None, description="Those of the environment when absent.")
    name: str = Field(default="", max_length=200)


class PlayConfig(PlayOptions):
    kind: Literal["play"] = "play"


class PlayResult(BaseModel):
    """A play in figures."""

    model_config = ConfigDict(extra="allow")

    episodes: int
    steps: int
    best_return: float | None = None
    by_person: int = Field(default=0, description="Steps in which a person acted.")
    finished: int = Field(default=0, description="Episodes that the environment ended; others were cut off.")
    return_mean: float | None = Field(default=None, description="Of the finished episodes.")
    return_std: float | None = None
    return_ci: Interval = Field(
        default=(None, None), description="Bootstrap interval of the mean; null ends: too few episodes."
    )
    return_ci_level: Level = None
    length_mean: float | None = None
    terminated: int = Field(default=0, description="Finished episodes that ended by the environment's rules.")
    truncated: int = Field(default=0, description="Finished episodes that reached a time limit.")
    returns: list[float] = Field(default=[], description="Of each finished episode.")
    lengths: list[int] = []
    seeds: list[int | None] = []
    players: list[Player] = []
