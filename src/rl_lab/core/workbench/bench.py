"""The reward bench: what is asked, and the messages of its answer, one JSON object per line.

First `plan`, then `episodes`, `summary` and `problem` in any order, at last `done`. A client that closes the
connection ends everything. What summaries consist of is in `bench_summaries.py`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.workbench.bench_summaries import RewardPair, RewardSummary
from rl_lab.core.workbench.codes import CodeChoice

MAX_REWARDS = 4
MAX_EPISODES = 1000
MAX_BENCH_RUNS = 500
UNSAVED = "unsaved"
BENCH_KINDS = (RunKind.train, RunKind.evaluate, RunKind.play)
"""Where nothing else is asked for."""

EpisodeOutcome = Literal["success", "terminated", "truncated", "unfinished"]
"""`success` where the environment reported it, whatever ended the episode; `unfinished`: nothing ended it."""


class BenchReward(BaseModel):
    """A reward to try: code that is not saved (`source`), or a saved one by its name and version."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(default=UNSAVED, min_length=1, max_length=64, description="What results call it.")
    source: str | None = Field(default=None, description="The Python code, if it is not saved.")
    version: int | None = Field(
        default=None, ge=1, description="Of a saved reward; the newest one when absent."
    )

    @property
    def choice(self) -> CodeChoice:
        return CodeChoice(name=self.name, version=self.version)


class RewardList(BaseModel):
    model_config = ConfigDict(extra="forbid")

    rewards: list[BenchReward] = Field(
        min_length=1, max_length=MAX_REWARDS, description="One to four rewards; results keep their order."
    )
    consents: list[Annotated[str, Field(pattern="^[0-9a-f]{64}$")]] = Field(
        default=[],
        max_length=MAX_REWARDS,
        description="SHA-256 of rewards: approval to run them on a machine that cannot confine them.",
    )


class BenchRequest(RewardList):
    """Episodes are taken from `run_ids`, or else from all runs that meet the other conditions."""

    run_ids: list[str] = Field(
        default=[], max_length=MAX_BENCH_RUNS, description="The runs to take episodes of."
    )
    env_id: str | None = Field(default=None, max_length=200, description="Runs of this environment.")
    kinds: list[RunKind] = Field(
        default=list(BENCH_KINDS), description="Kinds of runs, where no runs are named."
    )
    tags: list[str] = Field(default=[], max_length=50, description="Runs with all of these tags.")
    limit: int = Field(default=200, ge=1, le=MAX_EPISODES, description="Most episodes.")
    seed: int = Field(default=0, ge=0, le=2**53, description="Decides which of similar episodes are taken.")

    @model_validator(mode="after")
    def _names_runs(self) -> BenchRequest:
        if not self.run_ids and self.env_id is None and not self.tags:
            raise ValueError("name runs (run_ids), an environment (env_id) or tags")
        return self


class LeftOut(BaseModel):
    """Episodes that were chosen and cannot be scored."""

    reason: str
    """A sentence for the user."""
    episodes: int
    run_ids: list[str]


class BenchPlan(BaseModel):
    """The first message."""

    type: Literal["plan"] = "plan"
    total: int
    """Episodes that will be scored."""
    recorded: int
    """Recorded episodes that these runs have; `total` of them were chosen."""
    env_id: str
    runs: list[BenchRun]
    rewards: list[str]
    """Names, in the order of the request: "gentle@v2", "unsaved"."""
    left_out: list[LeftOut] = []


class BenchRun(BaseModel):
    """A run of which episodes were chosen."""

    run_id: str
    name: str
    kind: RunKind
    episodes: int
    """How many of its episodes are scored."""


class RewardScore(BaseModel):
    """One episode under one reward."""

    own_return: float
    terms: dict[str, float] = {}
    """The sum of each term; empty when the reward returns one number. They add up to `own_return`."""


class BenchEpisode(BaseModel):
    """One scored episode."""

    run_id: str
    episode: int
    kind: RunKind
    timestep: int | None = None
    """Training steps of its run when it ended: what orders the episodes of a training in time."""
    outcome: EpisodeOutcome
    length: int
    """Steps that were simulated and scored."""
    env_return: float
    """The environment's return, as simulated again."""
    recorded_return: float | None = None
    is_exact: bool = True
    """False: the simulation differs from the recording, so both returns are of another episode."""
    scores: list[RewardScore | None]
    """In the order of `BenchPlan.rewards`; null where that reward has failed."""


class BenchEpisodes(BaseModel):
    """Episodes that were just scored; in no particular order."""

    type: Literal["episodes"] = "episodes"
    items: list[BenchEpisode]


class BenchSummary(BaseModel):
    """The statistics of all episodes so far: at most two a second, and a last one when all are scored."""

    type: Literal["summary"] = "summary"
    is_final: bool = False
    episodes: int
    inexact: int = 0
    """Episodes whose simulation differs from their recording."""
    left_out: list[LeftOut] = []
    rewards: list[RewardSummary]
    """Each reward against the environment's."""
    pairs: list[RewardPair] = []
    """The rewards against each other."""


class BenchProblem(BaseModel):
    """A reward failed and is not continued; the others are."""

    type: Literal["problem"] = "problem"
    reward: int | None
    """Its place in `BenchPlan.rewards`; null: the bench itself has failed, and this is the last message."""
    name: str | None = None
    message: str
    next_step: str | None = None
    line: int | None = None
    run_id: str | None = None
    episode: int | None = None
    step: int | None = None
    """The step of the episode at which it failed, from 1."""


class BenchDone(BaseModel):
    """The last message."""

    type: Literal["done"] = "done"
    seconds: float
    episodes: int
    steps: int
    simulated: int
    """Episodes that had to be simulated; the others were still known from the bench before."""


BenchMessage = Annotated[
    BenchPlan | BenchEpisodes | BenchSummary | BenchProblem | BenchDone, Field(discriminator="type")
]


class RewardTimeline(BaseModel):
    """What one reward gives at each step of an episode."""

    name: str
    own_return: float | None = None
    rewards: list[float] = []
    """Per step; empty when the reward failed."""
    terms: dict[str, list[float]] = {}
    """Per term and step."""
    problem: BenchProblem | None = None


class EpisodeTimeline(BaseModel):
    """One episode under several rewards, step by step."""

    run_id: str
    episode: int
    env_id: str
    length: int
    env_rewards: list[float]
    env_return: float
    is_exact: bool = True
    rewards: list[RewardTimeline]
