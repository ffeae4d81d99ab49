"""The job a worker reads at its start: one attempt at one run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.environments import Environment
from rl_lab.core.jobs import JobConfig, TrainConfig


class Job(BaseModel):
    """Written by the orchestrator as `attempts/<n>/job.json`."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    attempt: int = 1
    kind: str = "train"
    config: JobConfig = Field(discriminator="kind")
    run_dir: Path
    resume_from: str | None = None
    """Checkpoint to go on from, relative to the run folder."""
    timestep0: int = 0
    """Training steps behind `resume_from`."""
    episode0: int = 0
    """Number the next finished episode gets."""
    env: Environment | None = None
    """Catalogue entry of the environment, when the lab knows it."""
    inputs: dict[str, Any] = {}
    """What kinds other than train need: paths of checkpoints, configs, recordings."""

    @property
    def train_config(self) -> TrainConfig:
        if not isinstance(self.config, TrainConfig):
            raise TypeError(f"A job of kind {self.kind} has no training config")
        return self.config

    @property
    def resume_path(self) -> Path | None:
        return self.run_dir / self.resume_from if self.resume_from else None


def read_job(path: Path) -> Job:
    return Job.model_validate_json(path.read_bytes())
