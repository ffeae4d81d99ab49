"""attempts/<n>/job.json: the orchestrator writes it, the worker of the attempt reads it at its start."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rl_lab.core.environments import Environment
from rl_lab.core.jobs.kinds import JobConfig, RunKind
from rl_lab.core.jobs.training import TrainConfig


class ScriptProgram(BaseModel, frozen=True):
    """How a captured script was started: its own classes can play its checkpoints."""

    python: str
    options: list[str] = []
    script: str
    args: list[str] = []
    env: dict[str, str] = {}
    agreed: dict[str, str] = {}
    """Approved files with their SHA-256; none is executed with other contents."""


class PolicyInput(BaseModel, frozen=True):
    """A checkpoint and what is needed to load it; one of the inputs of a job."""

    checkpoint: Path
    sha256: str | None = None
    """Of the checkpoint's file, as it was recorded; a file with another one is not loaded."""
    runner: str
    """Import string of the runner's class."""
    config: TrainConfig
    timestep: int | None = None
    role: str | None = None
    """Of the checkpoint: interval, best, stop, final."""
    label: str = ""
    run_id: str = ""
    artifact_id: str | None = None
    program: ScriptProgram | None = None
    """Of a captured script; None for the lab's own learners."""


class KeptCheckpoint(BaseModel, frozen=True):
    """A checkpoint that a resumed training still has."""

    path: str
    """Relative to the run folder."""
    timestep: int
    sha256: str
    score: float | None = None
    score_episodes: int | None = None
    parts: list[dict[str, str]] = []
    lacks: str = ""


class Job(BaseModel):
    """One attempt at one run."""

    model_config = ConfigDict(frozen=True)

    run_id: str
    attempt: int = 1
    kind: RunKind = RunKind.train
    config: JobConfig = Field(discriminator="kind")
    run_dir: Path
    resume_from: str | None = None
    """Checkpoint to continue from, relative to the run folder."""
    resume_sha256: str | None = None
    """Of its file, as it was recorded."""
    inexact: bool = False
    """Whether the user agreed to a resume that does not restore everything."""
    resume_differences: list[str] = []
    """What the lab knows to differ; reported together with what the worker finds."""
    kept: list[KeptCheckpoint] = []
    """Checkpoints up to `resume_from`, least training first; without the best one, which is a copy of another."""
    timestep0: int = 0
    """Training steps behind `resume_from`."""
    episode0: int = 0
    """Number of the next finished episode."""
    seconds0: float = 0.0
    """Training time of the attempts before this one, without pauses."""
    env: Environment | None = None
    """Catalogue entry of the environment, when the lab knows it."""
    dataset_dir: Path | None = None
    """Folder of the dataset's version that a training learns from."""
    inputs: dict[str, Any] = {}
    """What jobs need besides their config: policies, configs, paths of recordings."""

    @property
    def train_config(self) -> TrainConfig:
        if not isinstance(self.config, TrainConfig):
            raise TypeError(f"A job of kind {self.kind} has no training config")
        return self.config

    @property
    def files_dir(self) -> Path:
        """Where its worker writes files: the run folder, or the part of it that a confined one may write to."""
        return self.run_dir / str(self.inputs.get("folder", ""))

    @property
    def frames_dir(self) -> Path:
        """Where a worker that draws itself has its newest frame: the attempt's folder, unless it is confined."""
        return self.run_dir / str(self.inputs.get("frames", f"attempts/{self.attempt}"))

    @property
    def resume_path(self) -> Path | None:
        return self.run_dir / self.resume_from if self.resume_from else None


def read_job(path: Path) -> Job:
    return Job.model_validate_json(path.read_bytes())
