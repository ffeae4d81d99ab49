"""A training as it is asked for: its options, and the complete configuration that its worker reads."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.jobs.choices import MAX_EPISODES, MAX_SECONDS, MAX_TIMESTEPS, JobModel, Seed
from rl_lab.core.models.start_points import StartPoint
from rl_lab.core.option_fields import option
from rl_lab.core.words.amounts import plural
from rl_lab.core.workbench.codes import CodeChoice

LAST_SHARE = 0.05
"""Of a schedule that goes on after the steps it is laid out over."""


class RunOptions(JobModel):
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
    judge_by: Literal["environment", "reward"] = option(
        "environment",
        "With a reward of your own: whose return decides about the best checkpoint and about solved.",
        title="Judge by",
        needs="own_reward",
        otherwise="environment",
    )
    evaluate_every: int | None = option(
        None,
        "Steps between evaluations alongside the training, always on the same seeds; they decide which checkpoint is "
        "the best (default: none, the training return decides).",
        title="Steps between evaluations",
        needs="evaluate",
        otherwise=None,
        scale="log",
        ge=1,
        le=MAX_TIMESTEPS,
    )
    evaluate_episodes: int = option(
        5,
        "Episodes of each evaluation alongside the training, one per seed.",
        title="Episodes of each of them",
        needs="evaluate",
        ge=1,
        le=100,
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
    evaluate_by: str | None = option(
        None,
        "Protocol of the evaluation after a finished training, NAME or NAME@v2; it decides about the episodes.",
        title="Evaluation protocol",
        needs="evaluate",
        otherwise=None,
        max_length=200,
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
    counts_updates = getattr(capabilities, "dataset", False)
    schema["properties"] = {
        name: {
            **(_in_updates(field) if counts_updates else field),
            "x-group": "Run options",
            "x-advanced": True,
        }
        for name, field in properties
        if "x-needs" not in field or getattr(capabilities, field["x-needs"])
    }
    return schema


def _in_updates(field: dict[str, Any]) -> dict[str, Any]:
    """What a runner counts that learns from a dataset."""
    words = {name: str(field.get(name, "")) for name in ("title", "description")}
    said = {
        name: text.replace("Steps", "Updates").replace("steps", "updates") for name, text in words.items()
    }
    return {**field, **{name: text for name, text in said.items() if text}}


class Lengthening(BaseModel):
    """Of a run that was lengthened: how its schedules continue.

    They stay laid out over its first plan, so that the same configuration gives the same run in one piece.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    schedule_steps: int = Field(
        ge=1, le=MAX_TIMESTEPS, description="Steps that its schedules are laid out over."
    )
    at: int = Field(
        ge=0, description="Step of its first lengthening; after it a schedule keeps 5 % of its start."
    )


class TrainConfig(RunOptions):
    """Learn a policy."""

    kind: Literal["train"] = "train"
    runner: str = "sb3"
    algorithm: str
    env_id: str = ""
    """Empty only while a script that makes its own environment has not reported which."""
    env_kwargs: dict[str, Any] = Field(default={})
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
    params: dict[str, Any] = Field(default={})
    """Complete after validation: defaults, then the preset, then the user's values."""
    start_from: StartPoint | None = None
    """The checkpoint whose weights it starts with, for a warm start."""
    dataset: DatasetChoice | None = None
    """What it learns from, where its runner learns without the environment; or what its replay buffer begins with."""
    prefill: bool = False
    """Whether its replay buffer begins with the dataset: it then learns in the environment, and its steps are steps."""
    reward: CodeChoice | None = None
    """The user's reward that it learns from; None: the environment's own."""
    lengthened: Lengthening | None = None
    """Set when a run that had ended was given a later end."""
    args: dict[str, Any] = Field(default={})
    """Arguments that a captured script reported."""

    @property
    def unit(self) -> str:
        """What its steps are: updates where it learns from a dataset alone."""
        return "step" if self.dataset is None or self.prefill else "update"

    @property
    def is_evaluated(self) -> bool:
        """Whether an evaluation follows when it has finished."""
        return self.evaluate_after > 0 or self.evaluate_by is not None

    @property
    def start_seed(self) -> int:
        """Seed for random generators; the lab's own learners always have one."""
        return self.seed or 0

    @property
    def best_by(self) -> str:
        """What its best checkpoint is chosen by, after "best by"."""
        is_own = self.reward is not None and self.judge_by == "reward"
        under = f" under the reward {self.reward}" if is_own else ""
        if self.evaluate_every is None:
            return f"training return{under}"
        return f"evaluation on {plural(self.evaluate_episodes, 'fixed seed')}{under}"

    @property
    def schedule_steps(self) -> int:
        """The steps that schedules and checkpoints are laid out over; at least 1."""
        first = self.lengthened.schedule_steps if self.lengthened else 0
        return first or self.total_timesteps or self.expected_steps or 1

    @property
    def has_own_schedule(self) -> bool:
        """Whether schedules are laid out over another number of steps than the run makes."""
        return self.lengthened is not None or not self.total_timesteps

    def schedule_left(self, timestep: int) -> float:
        """The share of its schedules that is left.

        A run may make more steps than its schedules are laid out over, and must not learn with a rate of 0 then.
        """
        left = 1 - timestep / self.schedule_steps
        has_end = self.expected_steps is None and (self.lengthened is None or timestep <= self.lengthened.at)
        return left if has_end else max(LAST_SHARE, left)
