"""How a run is created: its record, and its folder with the effective configuration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePath

from rl_lab.core.jobs import JobConfig, RunKind, TrainConfig
from rl_lab.core.runs import Progress, Run, new_run_id
from rl_lab.store.files.folders import RunFolder


def new_run(
    config: JobConfig, *, name: str, tags: Sequence[str] = (), parent_id: str | None = None, priority: int = 0
) -> Run:
    now = datetime.now(UTC)
    return Run(
        id=new_run_id(),
        kind=RunKind(config.kind),
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
    """ "PPO on CartPole-v1", or the file name of a script."""
    command = config.params.get("command")
    if command:
        return _script_name(command)
    return f"{config.algorithm.upper()} on {config.env_id}"


def _script_name(command: list[str]) -> str:
    """ "train.py" of `python -u /home/me/train.py --seed 1`, "package.train" of `python -m package.train`."""
    arguments = [str(argument) for argument in command]
    if "-m" in arguments[1:-1]:
        return arguments[arguments.index("-m") + 1][:200]
    scripts = [argument for argument in arguments if argument.endswith((".py", ".sh"))]
    return PurePath((scripts or arguments)[0]).name[:200]


def create_folder(home: Path, run: Run) -> None:
    """Makes the run's folder with config.json; may be repeated."""
    folder = RunFolder(home, run.id)
    folder.create()
    folder.checkpoints.mkdir(exist_ok=True)
    folder.write_config(run.config)
