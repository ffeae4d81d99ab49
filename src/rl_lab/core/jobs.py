"""The kinds of runs: what a user may choose for each, and the complete configuration that its worker reads.

`KINDS` is the table of kinds. Every layer finds its part of a kind there.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, model_validator

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.evaluations import DuelSummary, EvaluationSummary, FilmResult, ForkResult
from rl_lab.core.option_fields import option
from rl_lab.core.reproduction.verifications import VerificationResult, VerifyOptions

MAX_TIMESTEPS = 1_000_000_000
MAX_STEP = 2**53
MAX_SECONDS = 30 * 24 * 3600
MAX_EPISODES = 1_000_000_000
LAST_SHARE = 0.05
AFTER_TRAINING_TITLE = "video"
"""The evaluation after a training saves its video as video.mp4, next to the model."""

Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
VideoEpisodes = Literal["median", "best", "all"]
CheckpointId = Annotated[str, Field(max_length=64)]


class _Job(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RunOptions(_Job):
    """How a training runs. An option is declared here, and used by the worker or the orchestrator."""

    device: Literal["auto", "cpu", "cuda"] = option(
        "auto", "Device for training.", title="Device", needs="gpu"
    )
    until: Literal["timesteps", "solved"] = option(
        "timesteps",
        "solved: stop early once the last 100 episodes reach the environment's threshold.",
        title="Train until",
        needs="early_stop",
    )
    max_seconds: int | None = option(
        None,
        "End after this training time, without pauses: 30m, 2h30m, 90s, 1:30:00.",
        title="Longest time",
        cli=["--for"],
        scripts=True,
        unit="duration",
        ge=1,
        le=MAX_SECONDS,
    )
    max_episodes: int | None = option(
        None,
        "End after this many episodes.",
        title="Most episodes",
        cli=["--episodes"],
        scripts=True,
        ge=1,
        le=MAX_EPISODES,
    )
    checkpoint_every: int | None = option(
        None,
        "Steps between checkpoints (default: a tenth of the run).",
        title="Steps between checkpoints",
        scripts=True,
        needs="checkpoint",
        scale="log",
        ge=1,
        le=MAX_TIMESTEPS,
    )
    record: bool = option(
        True,
        "Keep episodes for watching and replay.",
        title="Record episodes",
        scripts=True,
        needs="record",
        otherwise=False,
    )
    feed: bool = option(
        True,
        "Live pictures while it trains; off spares the processor.",
        title="Live feed",
        scripts=True,
        needs="record",
    )
    deterministic: bool = option(
        False,
        "Make torch, CUDA, numpy and the environment deterministic, or log what cannot be.",
        title="Deterministic",
        scripts=True,
    )
    evaluate_after: int = option(
        5,
        "Episodes of the evaluation, with its video, after a finished training; 0 = none.",
        title="Evaluation episodes",
        cli=["--evaluate"],
        needs="evaluate",
        otherwise=0,
        ge=0,
        le=100,
    )


def supported_options(options: RunOptions, capabilities: BaseModel) -> dict[str, Any]:
    """The options of a run as a runner with these capabilities can follow them."""
    found = {}
    for name, field in RunOptions.model_fields.items():
        extra = field.json_schema_extra
        assert isinstance(extra, dict)
        is_missing = "x-otherwise" in extra and not getattr(capabilities, str(extra["x-needs"]))
        found[name] = extra["x-otherwise"] if is_missing else getattr(options, name)
    return found


def options_schema(capabilities: BaseModel) -> dict[str, Any]:
    """The JSON schema of the options that runners with these capabilities follow, for a form.

    A form shows them in a group of their own, folded: most runs need none of them.
    """
    schema = RunOptions.model_json_schema()
    properties = schema["properties"].items()
    schema["properties"] = {
        name: {**field, "x-group": "Run options", "x-advanced": True}
        for name, field in properties
        if "x-needs" not in field or getattr(capabilities, field["x-needs"])
    }
    return schema


class TrainConfig(RunOptions):
    """Learn a policy."""

    kind: Literal["train"] = "train"
    runner: str = "sb3"
    algorithm: str
    env_id: str = ""
    """Empty only while a script that makes its own environment has not reported which."""
    env_kwargs: dict[str, Any] = {}
    total_timesteps: int = Field(default=100_000, ge=0, le=MAX_TIMESTEPS)
    """0: the script decides, and may report it later; or the run ends by time or episodes only."""
    expected_steps: int | None = Field(default=None, ge=1, le=MAX_TIMESTEPS)
    """About how many steps a run makes that does not end by steps, as estimated when it was created. Its schedules and
    checkpoints are laid out over them, so that they do not depend on the clock."""
    seed: Seed | None = 0
    """None: a script decides, and has not reported it."""
    preset: str | None = None
    """How to learn: the preset that the parameters started from."""
    length: str | None = None
    """How long: the name of the number of steps, if it was chosen by name."""
    params: dict[str, Any] = {}
    """Complete after validation: defaults, then the preset, then the user's values."""
    args: dict[str, Any] = {}
    """Arguments that a captured script reported."""

    @property
    def start_seed(self) -> int:
        """Seed for random generators; the lab's own learners always have one."""
        return self.seed or 0

    @property
    def schedule_steps(self) -> int:
        """The steps that schedules and checkpoints are laid out over; at least 1."""
        return self.total_timesteps or self.expected_steps or 1

    @property
    def schedule_end(self) -> float:
        """The share of a schedule at which it stops falling: a run may make more steps than were expected of it, and
        must not learn with a rate of 0 then."""
        return 0.0 if self.total_timesteps else LAST_SHARE


class EvaluateOptions(_Job):
    """Play episodes with one checkpoint and measure them."""

    episodes: int = Field(default=5, ge=1, le=100, description="Number of episodes; one per seed, if given.")
    seeds: list[Seed] | None = Field(
        default=None,
        min_length=1,
        max_length=100,
        description="One seed per episode; derived from the run's seed when absent.",
    )
    fresh_seeds: bool = Field(
        default=False, description="Draw new seeds; the run keeps them in `seeds`, so it can be repeated."
    )
    deterministic: bool = Field(default=True, description="Take the best action instead of sampling one.")
    record: bool = Field(default=True, description="Make an MP4.")
    video_episodes: VideoEpisodes = Field(
        default="median", description="Which episodes the MP4 shows, by their return."
    )
    checkpoint: CheckpointId | None = Field(
        default=None, description="Artifact id of the checkpoint; the best one when absent."
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
    """Continue from one step of a recorded episode with a checkpoint (the best by default) or at random."""

    step: int = Field(ge=0, le=MAX_STEP, description="Step of the recorded episode to continue from.")
    policy: Literal["checkpoint", "random"] = Field(default="checkpoint", description="What plays on.")
    checkpoint_run_id: str | None = Field(
        default=None, max_length=12, description="Run of the checkpoint; this run when absent."
    )
    checkpoint: CheckpointId | None = Field(
        default=None, description="Artifact id of the checkpoint; the best one when absent."
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


class VerifyConfig(VerifyOptions):
    """A verification of one training."""

    kind: Literal["verify"] = "verify"
    run_id: str
    deterministic: bool = False
    """The verified run had the option; its worker is started with the same variables."""


JobConfig = TrainConfig | EvaluateConfig | ForkConfig | DuelConfig | FilmConfig | VerifyConfig


class RunKind(StrEnum):
    train = "train"
    evaluate = "evaluate"
    fork = "fork"
    duel = "duel"
    film = "film"
    verify = "verify"


class JobKind(NamedTuple):
    """One kind of job; import strings, so that a process only loads its own part."""

    noun: str
    """What a job of this kind is called: "evaluation"."""
    counts: str
    """What its progress counts: "episode"."""
    options: type[BaseModel]
    """What a user may choose: the body of the request that creates one."""
    config: type[BaseModel]
    result: type[BaseModel]
    """What its worker returns."""
    path: str
    """Address of that request below /api; its parameters are fields of `config`."""
    rules: str
    """The `JobRules` by which the server checks and prepares a job."""
    worker: str
    """The function that does the job: it takes the Session and returns the result."""


KINDS: dict[RunKind, JobKind] = {
    RunKind.evaluate: JobKind(
        noun="evaluation",
        counts="episode",
        options=EvaluateOptions,
        config=EvaluateConfig,
        result=EvaluationSummary,
        path="/runs/{run_id}/evaluations",
        rules="rl_lab.orchestrator.jobs.evaluate:RULES",
        worker="rl_lab.worker.jobs.evaluations:evaluate",
    ),
    RunKind.fork: JobKind(
        noun="fork",
        counts="step",
        options=ForkOptions,
        config=ForkConfig,
        result=ForkResult,
        path="/runs/{run_id}/episodes/{episode}/forks",
        rules="rl_lab.orchestrator.jobs.fork:RULES",
        worker="rl_lab.worker.jobs.forks:fork",
    ),
    RunKind.duel: JobKind(
        noun="duel",
        counts="seed",
        options=DuelOptions,
        config=DuelConfig,
        result=DuelSummary,
        path="/duels",
        rules="rl_lab.orchestrator.jobs.duel:RULES",
        worker="rl_lab.worker.jobs.duels:duel",
    ),
    RunKind.film: JobKind(
        noun="film",
        counts="scene",
        options=FilmOptions,
        config=FilmConfig,
        result=FilmResult,
        path="/runs/{run_id}/films",
        rules="rl_lab.orchestrator.jobs.film:RULES",
        worker="rl_lab.worker.jobs.films:film",
    ),
    RunKind.verify: JobKind(
        noun="verification",
        counts="step",
        options=VerifyOptions,
        config=VerifyConfig,
        result=VerificationResult,
        path="/runs/{run_id}/verifications",
        rules="rl_lab.orchestrator.jobs.verify:RULES",
        worker="rl_lab.worker.jobs.verifications:verify",
    ),
}
"""The jobs that use a trained policy: every kind of run but a training."""


def worker_functions() -> dict[str, str]:
    """The function that does a run of each kind, as an import string."""
    functions = {str(name): kind.worker for name, kind in KINDS.items()}
    return {RunKind.train: "rl_lab.runners.registry:train", **functions}
