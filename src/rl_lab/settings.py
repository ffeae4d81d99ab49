"""Every setting, declared once; the variables RL_LAB_*, the System page and the docs are derived from it."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from rl_lab.home_folder import DEFAULT_HOME


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="RL_LAB_", frozen=True)

    home: Path = Field(default=Path(DEFAULT_HOME), description="Folder that holds token, database and runs.")
    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(default=8642, ge=0, le=65535, description="Port of the server; 0 takes any free one.")
    allow_remote: bool = Field(
        default=False,
        description="Permits a host that other machines can reach; the token then crosses the network unencrypted.",
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy URL of a PostgreSQL database; SQLite in the home folder when absent.",
    )
    max_running: int = Field(
        default=max(1, os.cpu_count() or 1),
        ge=1,
        le=1024,
        description="How many runs may work at once; the rest wait in the queue.",
    )
    min_free_bytes: int = Field(
        default=1 << 30, ge=0, description="No run starts with less free disk than this."
    )
    undo_s: float = Field(default=600.0, ge=0, description="How long a deleted run can be brought back.")
    recording_budget_bytes: int = Field(
        default=64 << 20,
        ge=1 << 16,
        description="Bytes of recordings kept per run; beyond it they are thinned.",
    )
    steps_per_second: int = Field(
        default=1000,
        ge=0,
        description="Single `step` events stored per second and run; the rest is counted as sampled out.",
    )
    checkpoints_kept: int = Field(
        default=5, ge=1, le=1000, description="Interval checkpoints kept per run, besides best and final."
    )
    evaluation_videos_kept: int = Field(
        default=3, ge=1, le=1000, description="Videos kept per run, of evaluations and of scripts."
    )
    tensorboard_folders_kept: int = Field(
        default=10, ge=1, le=1000, description="TensorBoard folders kept per run."
    )
    lab_bytes: int = Field(
        default=0,
        ge=0,
        le=1 << 60,
        description="Bytes all runs together may take before the oldest files go; 0 = no limit.",
    )
    frames_per_second: int = Field(
        default=15, ge=0, le=60, description="Live feed while training; 0 turns it off."
    )
    evaluation_frames_per_second: int = Field(
        default=30, ge=0, le=60, description="Live feed while evaluating; 0 turns it off."
    )
    stop_grace_s: float = Field(
        default=20.0, ge=0, description="Time a worker has to stop by itself before SIGTERM."
    )
    follow_s: float = Field(
        default=600.0, ge=1, description="How long an adopted folder is followed after its last change."
    )
    tensorboard_idle_s: float = Field(
        default=300.0, gt=0, description="How long a TensorBoard that nobody looks at is kept running."
    )
    kill_grace_s: float = Field(default=10.0, ge=0, description="Time between SIGTERM and SIGKILL.")
    script_file_bytes: int = Field(
        default=10 << 30, ge=0, description="Largest single file a script may write; 0 = no limit."
    )
    script_folder_bytes: int = Field(
        default=50 << 30,
        ge=0,
        description="A script whose run folder grows beyond this is stopped; 0 = never.",
    )
    script_memory_bytes: int = Field(
        default=0,
        ge=0,
        description="Address space of each process of a script; 0 = no limit. CUDA needs far more than it uses.",
    )
    cleanrl: str = Field(
        default="",
        description="Folder of your CleanRL checkout; `rl-lab runners --root PATH` remembers one instead.",
    )
    cleanrl_python: str = Field(
        default="",
        description="Python that CleanRL's scripts run in: a path, or “own” for one the lab makes with Gymnasium 0.29; "
        "the lab's own Python when empty.",
    )

    @property
    def home_path(self) -> Path:
        return self.home.expanduser().absolute()
