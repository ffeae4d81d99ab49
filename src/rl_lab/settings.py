"""All settings, each declared once. The RL_LAB_* variables, the System page and the docs are derived from them."""

from __future__ import annotations

import os
from pathlib import Path

from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from rl_lab.core.bounds import MAX_SLOTS
from rl_lab.core.models.packages import LicenceId
from rl_lab.home_folder import DEFAULT_HOME


class Settings(BaseSettings):
    model_config = SettingsConfigDict(env_prefix="RL_LAB_", frozen=True)

    home: Path = Field(
        default=Path(DEFAULT_HOME), description="Folder for the token, the database and the runs."
    )
    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(
        default=8642, ge=0, le=65535, description="Port the server listens on; 0 picks a free port."
    )
    allow_remote: bool = Field(
        default=False,
        description="Allow a host that other machines can reach; the token is then sent over the network unencrypted.",
    )
    allow_root: bool = Field(
        default=False,
        description="For a lab that runs as root: let foreign programs stay root, without its capabilities, instead of "
        "changing to an unprivileged user.",
    )
    script_user: str = Field(
        default="",
        description="For a lab that runs as root: the user that foreign programs run as; if empty, `rl-lab` if it "
        "exists, else `nobody`.",
    )
    database_url: str | None = Field(
        default=None,
        description="SQLAlchemy URL of a PostgreSQL database; if not set, SQLite in the home folder.",
    )
    max_running: int = Field(
        default=min(os.cpu_count() or 1, MAX_SLOTS),
        ge=1,
        le=MAX_SLOTS,
        description="Maximum number of trainings at the same time; the others wait in the queue. "
        "`rl-lab queue --slots N` changes it without a restart.",
    )
    max_jobs: int = Field(
        default=1,
        ge=1,
        le=MAX_SLOTS,
        description="Maximum number of evaluations, forks, duels and films at the same time, next to the trainings. "
        "`rl-lab queue --job-slots N` changes it without a restart.",
    )
    runs_per_gpu: int = Field(
        default=1, ge=1, le=64, description="Trainings that use one GPU at the same time; the others wait."
    )
    min_free_bytes: int = Field(
        default=1 << 30, ge=0, description="Minimum free disk space needed to start a run."
    )
    undo_s: float = Field(default=600.0, ge=0, description="How long a deleted run can be restored.")
    recording_budget_bytes: int = Field(
        default=64 << 20,
        ge=1 << 16,
        description="Bytes of recordings kept per run; above this, recordings are thinned out.",
    )
    steps_per_second: int = Field(
        default=1000,
        ge=0,
        description="Maximum number of `step` events stored per second and run; the rest are counted as sampled out.",
    )
    checkpoints_kept: int = Field(
        default=10,
        ge=1,
        le=1000,
        description="Interval checkpoints kept per run, in addition to best and final.",
    )
    evaluation_videos_kept: int = Field(
        default=3, ge=1, le=1000, description="Videos kept per run, from evaluations and from scripts."
    )
    tensorboard_folders_kept: int = Field(
        default=10, ge=1, le=1000, description="TensorBoard folders kept per run."
    )
    lab_bytes: int = Field(
        default=0,
        ge=0,
        le=1 << 60,
        description="Maximum disk space of all runs, named models and datasets together; above it, the oldest files "
        "of runs are deleted; 0 = no limit.",
    )
    log_bytes: int = Field(
        default=20 << 20,
        ge=1 << 16,
        le=1 << 40,
        description="Maximum bytes of a run's logs; of longer ones the end is kept.",
    )
    archive_after_days: int = Field(
        default=0, ge=0, le=36_500, description="Archive runs this many days after their end; 0 = never."
    )
    runs_per_algorithm: int = Field(
        default=0,
        ge=0,
        le=1_000_000,
        description="Trainings per algorithm; beyond it, the oldest ended ones are archived; 0 = no limit.",
    )
    frames_per_second: int = Field(
        default=15, ge=0, le=60, description="Frame rate of the live feed during training; 0 turns it off."
    )
    evaluation_frames_per_second: int = Field(
        default=30, ge=0, le=60, description="Frame rate of the live feed during evaluations; 0 turns it off."
    )
    play_pause_s: float = Field(
        default=30.0, ge=0, description="A play that no page is connected to pauses after this time."
    )
    play_end_s: float = Field(
        default=600.0,
        ge=0,
        description="How long such a play stays paused before it ends; its episodes are kept.",
    )
    stop_grace_s: float = Field(
        default=20.0,
        ge=0,
        description="How long a worker may take to stop when asked, before it gets SIGTERM.",
    )
    follow_s: float = Field(
        default=600.0,
        ge=1,
        description="How long the lab keeps following an adopted folder after its last change.",
    )
    tensorboard_idle_s: float = Field(
        default=300.0, gt=0, description="How long an unused TensorBoard process is kept running."
    )
    kill_grace_s: float = Field(default=10.0, ge=0, description="Time between SIGTERM and SIGKILL.")
    script_file_bytes: int = Field(
        default=10 << 30, ge=0, description="Maximum size of a single file written by a script; 0 = no limit."
    )
    script_folder_bytes: int = Field(
        default=50 << 30,
        ge=0,
        description="Maximum size of a script's run folder; above it, the script is stopped; 0 = no limit.",
    )
    script_memory_bytes: int = Field(
        default=0,
        ge=0,
        description="Address space limit of each process of a script; 0 = no limit. CUDA reserves more than it uses.",
    )
    own_code_memory_bytes: int = Field(
        default=8 << 30,
        ge=0,
        description="Maximum memory that all processes of a training, evaluation, play, replay or check use together "
        "if it executes an environment or wrapper of your own, or code of a foreign run; above it, it is ended; 0 = no "
        "limit.",
    )
    cleanrl: str = Field(
        default="",
        description="Folder of your CleanRL checkout; alternatively save it with `rl-lab runners --root PATH`.",
    )
    cleanrl_python: str = Field(
        default="",
        description="Python interpreter for CleanRL scripts: a path, or “own” for one that the lab creates with "
        "Gymnasium 0.29; if empty, the Python of the lab.",
    )
    corl: str = Field(
        default="",
        description="Folder of your CORL checkout; alternatively save it with `rl-lab runners --root PATH`.",
    )
    corl_python: str = Field(
        default="",
        description="Python interpreter for CORL scripts: a path, or “own” for one that the lab creates; if empty, the "
        "Python of the lab.",
    )

    alert_hosts: str = Field(
        default="",
        description="Hosts besides this machine that alerts may send webhooks to, separated by commas: "
        "`hooks.example.org` or `*.example.org`.",
    )
    model_licence: LicenceId = Field(
        default="mit",
        description="Licence of downloaded and pushed models, unless another is chosen; `other`: all rights reserved.",
    )
    model_author: str = Field(
        default="",
        max_length=200,
        description="Who holds the copyright of downloaded and pushed models, as their licence names them.",
    )

    @property
    def home_path(self) -> Path:
        return self.home.expanduser().absolute()
