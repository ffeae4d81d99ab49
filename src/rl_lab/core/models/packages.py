"""A Package is a trained policy as others use it: model, card, configuration, licence, requirements, example."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.evaluations import EvaluationSummary

PACKAGE_FORMAT = "rl-lab-model"
PACKAGE_VERSION = 1
CARD, CONFIG, LICENCE_FILE, EXAMPLE = "README.md", "config.json", "LICENSE", "example.py"
REQUIREMENTS, REPLAY = "requirements.txt", "replay.mp4"

LicenceId = Literal["mit", "apache-2.0", "bsd-3-clause", "cc0-1.0", "other"]
"""As the Hugging Face Hub names them; `other`: all rights reserved."""


class PackageChoices(BaseModel):
    """What a user may choose about a package."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    licence: LicenceId | None = Field(
        default=None, description="Licence of the model; as in the settings if absent."
    )
    author: str | None = Field(
        default=None, max_length=200, description="Holder of the copyright; as in the settings if absent."
    )
    video: bool = Field(
        default=False, description="With the newest video of an evaluation of this checkpoint."
    )


class Ancestor(BaseModel, frozen=True):
    """The training whose checkpoint a warm start began with."""

    run_id: str
    name: str = ""
    """Empty when it was deleted."""
    timestep: int | None = None
    sha256: str | None = None


class MeasuredBy(BaseModel, frozen=True):
    """An evaluation of exactly the packaged checkpoint."""

    job_id: str
    summary: EvaluationSummary


class CardFacts(BaseModel, frozen=True):
    """What the lab knows about a checkpoint; the card contains nothing else."""

    run_id: str
    run_name: str
    env_id: str
    env_kwargs: dict[str, Any] = {}
    runner: str = Field(description="Name of the runner: Stable-Baselines3, Turbo.")
    runner_id: str
    algorithm: str = Field(description="As its library writes it: PPO.")
    timestep: int | None
    role: str | None
    sha256: str
    seed: int | None
    total_timesteps: int = 0
    preset: str | None = None
    changed: dict[str, Any] = Field(
        default={}, description="Parameters that differ from the algorithm's defaults."
    )
    trained_s: float = 0.0
    trained_at: datetime | None = None
    episodes: int = 0
    training_score: float | None = Field(
        default=None, description="Mean return of the last training episodes when it was saved."
    )
    evaluation: MeasuredBy | None = None
    ancestor: Ancestor | None = None
    origin: str = Field(default="", description="Where an imported model comes from.")
    python: str = ""
    packages: dict[str, str] = Field(default={}, description="Installed while it trained, with versions.")
    hardware: str = ""
    licence: LicenceId = "mit"
    author: str = ""
    lab_version: str = ""


class PackagedFile(BaseModel, frozen=True):
    name: str
    size: int
    sha256: str


class PackagePreview(BaseModel, frozen=True):
    """What a package holds, and its card."""

    card: str = Field(description="Markdown with the Hub's metadata in front.")
    files: list[PackagedFile]
    notes: list[str] = Field(default=[], description="What is missing in it, and why.")
