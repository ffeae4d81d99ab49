"""The kinds of runs: what a user may choose for each, and the complete configuration that its worker reads.

`KINDS` is the table of kinds. Every layer finds its part of a kind there.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rl_lab.core.bounds import MAX_SEED

MAX_TIMESTEPS = 1_000_000_000
MAX_STEP = 2**53
AFTER_TRAINING_TITLE = "video"
"""The evaluation after a training saves its video as video.mp4, next to the model."""

Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
CheckpointId = Annotated[str, Field(max_length=64)]


class _Job(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TrainConfig(_Job):
    """Learn a policy."""

    kind: Literal["train"] = "train"
    runner: str = "sb3"
    algorithm: str
    env_id: str = ""
    """Empty only while a script that makes its own environment has not reported which."""
    env_kwargs: dict[str, Any] = {}
    total_timesteps: int = Field(default=100_000, ge=0, le=MAX_TIMESTEPS)
    """0: the script decides, and may report it later."""
    seed: Seed | None = 0
    """None: a script decides, and has not reported it."""
    preset: str | None = None
    params: dict[str, Any] = {}
    """Complete after validation: defaults, then the preset, then the user's values."""
    args: dict[str, Any] = {}
    """Arguments that a captured script reported."""
    device: Literal["auto", "cpu", "cuda"] = "auto"
    until: Literal["timesteps", "solved"] = "timesteps"
    """solved: stop early once the last 100 episodes reach the environment's threshold."""
    checkpoint_every: int | None = Field(default=None, ge=1, le=MAX_TIMESTEPS)
    """Steps between checkpoints; a tenth of the run when absent."""
    record: bool = True
    """Keep each episode's seed and actions, so that it can be watched and replayed."""
    evaluate_after: int = Field(default=5, ge=0, le=100)
    """Episodes of the evaluation, with its video, that follows a finished training; 0 = none."""

    @property
    def start_seed(self) -> int:
        """Seed for random generators; the lab's own learners always have one."""
        return self.seed or 0


class EvaluateOptions(_Job):
    """Play episodes with one checkpoint and measure them."""

    episodes: int = Field(default=5, ge=1, le=100, description="Number of episodes; one per seed, if given.")
    seeds: list[Seed] | None = Field(
        default=None,
        min_length=1,
        max_length=100,
        description="One seed per episode; derived from the run's seed when absent.",
    )
    deterministic: bool = Field(default=True, description="Take the best action instead of sampling one.")
    record: bool = Field(default=True, description="Make an MP4.")
    checkpoint: CheckpointId | None = Field(
        default=None, description="Artifact id of the checkpoint; the newest when absent."
    )

    @model_validator(mode="before")
    @classmethod
    def _count_seeds(cls, data: Any) -> Any:
        """Without a number of episodes there is one per seed."""
        if isinstance(data, dict) and isinstance(data.get("seeds"), list):
            return {"episodes": len(data["seeds"]), **data}
        return data


class EvaluateConfig(EvaluateOptions):
    """An evaluation of one training."""

    kind: Literal["evaluate"] = "evaluate"
    run_id: str
    title: str = ""
    """File name of the video without extension; eval_<timestamp> when empty."""
    after_training: bool = False
    """Started by the lab when the training had finished, not by a user."""

    @model_validator(mode="before")
    @classmethod
    def _recognise_old(cls, data: Any) -> Any:
        """Configurations from before `after_training` existed are recognised by their title."""
        if isinstance(data, dict) and data.get("title") == AFTER_TRAINING_TITLE:
            return {"after_training": True, **data}
        return data


class ForkOptions(_Job):
    """Continue from one step of a recorded episode with a checkpoint (the newest by default) or at random."""

    step: int = Field(ge=0, le=MAX_STEP, description="Step of the recorded episode to continue from.")
    policy: Literal["checkpoint", "random"] = Field(default="checkpoint", description="What plays on.")
    checkpoint_run_id: str | None = Field(
        default=None, max_length=12, description="Run of the checkpoint; this run when absent."
    )
    checkpoint: CheckpointId | None = Field(
        default=None, description="Artifact id of the checkpoint; the newest when absent."
    )
    deterministic: bool = Field(default=True, description="Take the best action instead of sampling one.")
    seed: Seed = Field(default=0, description="For random actions and stochastic policies.")


class ForkConfig(ForkOptions):
    """A fork of one episode of a run."""

    kind: Literal["fork"] = "fork"
    run_id: str
    episode: int = Field(ge=0)


class Contestant(_Job):
    run_id: str
    checkpoint: CheckpointId | None = None


class DuelOptions(_Job):
    """Play the same seeds with two or more checkpoints and compare them."""

    contestants: list[Contestant] = Field(
        min_length=2, max_length=8, description="Who plays; first is compared."
    )
    episodes: int = Field(default=10, ge=1, le=100, description="Number of seeds.")
    seed: Seed = Field(default=0, description="Seed from which the episodes' seeds are derived.")
    deterministic: bool = Field(default=True, description="Take the best action instead of sampling one.")
    record: bool = Field(default=True, description="Make an MP4.")


class DuelConfig(DuelOptions):
    """A duel between checkpoints."""

    kind: Literal["duel"] = "duel"


class FilmOptions(_Job):
    """Show a training through its milestone episodes, as one captioned video."""

    format: Literal["mp4", "gif"] = Field(default="mp4", description="File format of the film.")
    scenes: int = Field(default=8, ge=1, le=40, description="How many episodes to show.")
    seconds_per_scene: float = Field(default=6.0, ge=1, le=60, description="Longest time of one scene.")


class FilmConfig(FilmOptions):
    """A film of one training."""

    kind: Literal["film"] = "film"
    run_id: str


JobConfig = TrainConfig | EvaluateConfig | ForkConfig | DuelConfig | FilmConfig


class RunKind(StrEnum):
    train = "train"
    evaluate = "evaluate"
    fork = "fork"
    duel = "duel"
    film = "film"


class JobKind(NamedTuple):
    """One kind of job; import strings, so that a process only loads its own part."""

    noun: str
    """What a job of this kind is called: "evaluation"."""
    options: type[BaseModel]
    """What a user may choose: the body of the request that creates one."""
    config: type[BaseModel]
    path: str
    """Address of that request below /api; its parameters are fields of `config`."""
    rules: str
    """The `JobRules` by which the server checks and prepares a job."""
    worker: str
    """The function that does the job: it takes the Session and returns the result."""


KINDS: dict[RunKind, JobKind] = {
    RunKind.evaluate: JobKind(
        noun="evaluation",
        options=EvaluateOptions,
        config=EvaluateConfig,
        path="/runs/{run_id}/evaluations",
        rules="rl_lab.orchestrator.jobs.evaluate:RULES",
        worker="rl_lab.worker.jobs.evaluations:evaluate",
    ),
    RunKind.fork: JobKind(
        noun="fork",
        options=ForkOptions,
        config=ForkConfig,
        path="/runs/{run_id}/episodes/{episode}/forks",
        rules="rl_lab.orchestrator.jobs.fork:RULES",
        worker="rl_lab.worker.jobs.forks:fork",
    ),
    RunKind.duel: JobKind(
        noun="duel",
        options=DuelOptions,
        config=DuelConfig,
        path="/duels",
        rules="rl_lab.orchestrator.jobs.duel:RULES",
        worker="rl_lab.worker.jobs.duels:duel",
    ),
    RunKind.film: JobKind(
        noun="film",
        options=FilmOptions,
        config=FilmConfig,
        path="/runs/{run_id}/films",
        rules="rl_lab.orchestrator.jobs.film:RULES",
        worker="rl_lab.worker.jobs.films:film",
    ),
}
"""The jobs that use a trained policy: every kind of run but a training."""


def worker_functions() -> dict[str, str]:
    """The function that does a run of each kind, as an import string."""
    functions = {str(name): kind.worker for name, kind in KINDS.items()}
    return {RunKind.train: "rl_lab.runners.registry:train", **functions}
