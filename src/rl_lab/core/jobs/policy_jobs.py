"""The jobs that use a trained policy: what a user may choose, and the configuration that the worker reads."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from rl_lab.core.jobs.choices import MAX_STEP, CheckpointId, JobModel, Seed
from rl_lab.core.reproduction.certifications import CertifyOptions
from rl_lab.core.reproduction.verifications import VerifyOptions
from rl_lab.core.workbench.codes import CodeChoice
from rl_lab.core.workbench.protocols import CitedProtocol

AFTER_TRAINING_TITLE = "video"
"""The evaluation after a training saves its video as video.mp4, next to the model."""

VideoEpisodes = Literal["median", "best", "all"]


class EvaluateOptions(JobModel):
    """Play episodes with one checkpoint and measure them; of a play its recorded episodes, which nobody plays again."""

    episodes: int = Field(
        default=5,
        ge=1,
        le=100,
        description="Number of episodes; one per seed, if given. Of a play the newest so many; when absent all, at "
        "most 100.",
    )
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
    protocol: str | None = Field(
        default=None,
        max_length=80,
        description="A saved protocol, NAME or NAME@v2: it decides about episodes, seeds, actions and code.",
    )
    code: CodeChoice | None = Field(
        default=None, description="Saved evaluation code: the numbers it computes join the summary."
    )

    @model_validator(mode="before")
    @classmethod
    def _count_seeds(cls, data: Any) -> Any:
        """Without a number of episodes there is one per seed."""
        if isinstance(data, dict) and isinstance(data.get("seeds"), list):
            return {"episodes": len(data["seeds"]), **data}
        return data


class EvaluateConfig(EvaluateOptions):
    """An evaluation of one training, or of one play."""

    kind: Literal["evaluate"] = "evaluate"
    run_id: str
    title: str = ""
    """File name of the video without extension; eval_<timestamp> when empty."""
    after_training: bool = False
    """Started by the lab when the training had finished, not by a user."""
    cited: CitedProtocol | None = None
    """The protocol with its exact contents; the lab fills it in together with what the protocol decides."""
    drawn_seeds: bool = False
    """The seeds were drawn for this evaluation (`fresh_seeds`), not given."""
    env_kwargs: dict[str, Any] = Field(default={})
    """Arguments of the environment that the protocol sets in place of those of the run."""
    recorded: list[int] | None = None
    """The episodes of a play that are measured, by their numbers; None: a checkpoint plays."""

    @model_validator(mode="before")
    @classmethod
    def _recognise_old(cls, data: Any) -> Any:
        """Configurations from before `after_training` existed are recognised by their title."""
        if isinstance(data, dict) and data.get("title") == AFTER_TRAINING_TITLE:
            return {"after_training": True, **data}
        return data


class ForkOptions(JobModel):
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


class Contestant(JobModel):
    run_id: str = Field(
        description="A training, or a play: then its first finished episode of each seed is this side, and the others "
        "play the same seeds."
    )
    checkpoint: CheckpointId | None = Field(
        default=None, description="Of a training; the best one when absent."
    )


class DuelOptions(JobModel):
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


class FilmOptions(JobModel):
    """Show a run as one video: checkpoints of a training play the same seed, a play shows its episodes."""

    format: Literal["mp4", "gif"] = Field(default="mp4", description="File format of the film.")
    show: Literal["checkpoints", "episodes"] | None = Field(
        default=None,
        description="Checkpoints playing fresh episodes, or recorded episodes; checkpoints when absent, if the lab can "
        "play them. A play has episodes only.",
    )
    scenes: int = Field(default=10, ge=1, le=40, description="How many checkpoints or episodes to show.")
    seconds_per_scene: float = Field(default=6.0, ge=1, le=60, description="Longest time of one scene.")
    style: Literal["full", "captions", "plain"] = Field(
        default="full",
        description="full: title, captions, reward curve of a training, end with the facts; captions: only these; "
        "plain: pictures.",
    )
    seed: Seed | None = Field(
        default=None,
        description="The seed that every checkpoint plays; derived from the run's when absent. Not for a play.",
    )
    deterministic: bool = Field(
        default=True, description="Take the best action instead of sampling one. Not for a play."
    )


class FilmConfig(FilmOptions):
    """A film of one training or play."""

    kind: Literal["film"] = "film"
    run_id: str


class VerifyConfig(VerifyOptions):
    """A verification of one training."""

    kind: Literal["verify"] = "verify"
    run_id: str
    deterministic: bool = False
    """The verified run had the option; its worker is started with the same variables."""


class CertifyConfig(CertifyOptions):
    """A certification of one training's configuration."""

    kind: Literal["certify"] = "certify"
    run_id: str
    deterministic: bool = False
    """The certified run has the option; its worker is started with the same variables."""
