"""A run is born: its record, and its folder with the effective configuration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import orjson

from rl_lab.core.jobs import JobConfig, TrainConfig
from rl_lab.core.runs import Progress, Run, new_run_id
from rl_lab.store.folders import RunFolder


def new_run(
    config: JobConfig, *, name: str, tags: Sequence[str] = (), parent_id: str | None = None, priority: int = 0
) -> Run:
    now = datetime.now(UTC)
    return Run(
        id=new_run_id(),
        kind=config.kind,
        name=name,
        config=config,
        parent_id=parent_id,
        priority=priority,
        tags=list(dict.fromkeys(tags)),
        progress=Progress(total_timesteps=getattr(config, "total_timesteps", 0)),
        created_at=now,
        updated_at=now,
    )


def default_name(config: TrainConfig) -> str:
    """ "PPO on CartPole-v1" """
    return f"{config.algorithm.upper()} on {config.env_id}"


def create_folder(home: Path, run: Run) -> None:
    """The run's folder with config.json; may be repeated."""
    folder = RunFolder(home, run.id)
    folder.create()
    folder.checkpoints.mkdir(exist_ok=True)
    data = orjson.dumps(run.config.model_dump(mode="json"), option=orjson.OPT_INDENT_2)
    folder.write_atomic("config.json", data + b"\n")
