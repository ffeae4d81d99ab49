"""What a run does, by kind: the configuration a user gives and a worker obeys."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.bounds import MAX_SEED

MAX_TIMESTEPS = 1_000_000_000

Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]


class _Job(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class TrainConfig(_Job):
    """Learn a policy."""

    kind: Literal["train"] = "train"
    runner: str = "sb3"
    algorithm: str
    env_id: str = ""
    """Empty only while a script that makes its own environment has not said which."""
    env_kwargs: dict[str, Any] = {}
    total_timesteps: int = Field(default=100_000, ge=0, le=MAX_TIMESTEPS)
    """0: the script decides, and may say so later."""
    seed: Seed | None = 0
    """None: a script decides, and has not said which."""
    preset: str | None = None
    params: dict[str, Any] = {}
    """Complete after validation: defaults, then preset, then what the user set."""
    args: dict[str, Any] = {}
    """What a captured script said it runs with."""
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
        """What a generator begins with; our own learners are always given one."""
        return self.seed or 0


class EvaluateConfig(_Job):
    """Play episodes with one checkpoint and measure them."""

    kind: Literal["evaluate"] = "evaluate"
    run_id: str
    checkpoint: str | None = None
    """Artifact id; the newest checkpoint when absent."""
    episodes: int = Field(default=5, ge=1, le=100)
    seeds: list[Seed] | None = Field(default=None, max_length=100)
    """One per episode; derived from the run's seed when absent."""
    deterministic: bool = True
    record: bool = True
    """Make an MP4."""
    title: str = ""
    """File name of the video without extension; eval_<timestamp> when empty."""


class ForkConfig(_Job):
    """Go on from one moment of a recorded episode with another checkpoint, or at random."""

    kind: Literal["fork"] = "fork"
    run_id: str
    episode: int = Field(ge=0)
    step: int = Field(ge=0)
    policy: Literal["checkpoint", "random"] = "checkpoint"
    checkpoint_run_id: str | None = None
    checkpoint: str | None = None
    deterministic: bool = True
    seed: Seed = 0
    """For random actions and stochastic policies."""


class Contestant(_Job):
    run_id: str
    checkpoint: str | None = None


class DuelConfig(_Job):
    """Two or more checkpoints on the same seeds."""

    kind: Literal["duel"] = "duel"
    contestants: list[Contestant] = Field(min_length=2, max_length=8)
    episodes: int = Field(default=10, ge=1, le=100)
    seed: Seed = 0
    deterministic: bool = True
    record: bool = True


class FilmConfig(_Job):
    """The training seen through its milestone episodes, as one captioned video."""

    kind: Literal["film"] = "film"
    run_id: str
    format: Literal["mp4", "gif"] = "mp4"
    scenes: int = Field(default=8, ge=1, le=40)
    seconds_per_scene: float = Field(default=6.0, ge=1, le=60)


JobConfig = TrainConfig | EvaluateConfig | ForkConfig | DuelConfig | FilmConfig
