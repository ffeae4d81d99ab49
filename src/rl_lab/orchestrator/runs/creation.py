"""How a run is created: its record, and its folder with the effective configuration."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from rl_lab.core.jobs.kinds import JobConfig, RunKind
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Progress, Run, RunStatus
from rl_lab.core.studies.studies import Study, Variant
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


def study_run(config: TrainConfig, study: Study, variant: Variant, *, name: str, tags: Sequence[str]) -> Run:
    """A run of a study; it is created in the queue."""
    run = new_run(config, name=name, tags=tags, priority=study.priority)
    about = {"study_id": study.id, "variant": variant.number}
    return run.model_copy(update={**about, "status": RunStatus.queued, "queued_at": run.created_at})


def create_folder(home: Path, run: Run) -> None:
    """Makes the run's folder with config.json; may be repeated."""
    folder = RunFolder(home, run.id)
    folder.create()
    folder.checkpoints.mkdir(exist_ok=True)
    folder.write_config(run.config)
