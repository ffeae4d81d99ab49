"""What a worker needs beyond its config: for a training nothing, for other kinds what their sources left behind."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from rl_lab.core.errors import NotReady
from rl_lab.core.jobs import EvaluateConfig, TrainConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.checkpoints import Checkpoints
from rl_lab.runners.registry import RUNNERS
from rl_lab.store import artifacts, runs
from rl_lab.store.database import Database
from rl_lab.store.folders import RunFolder


class Inputs(NamedTuple):
    env_id: str | None
    inputs: dict[str, Any]


class JobInputs:
    def __init__(self, home: Path, db: Database, checkpoints: Checkpoints) -> None:
        self._home = home
        self._db = db
        self._checkpoints = checkpoints

    async def of(self, run: Run) -> Inputs:
        """The environment and the inputs of a run's job, by kind."""
        config = run.config
        if isinstance(config, TrainConfig):
            return Inputs(config.env_id, {})
        if isinstance(config, EvaluateConfig):
            source = await self._source(config.run_id)
            return Inputs(source.env_id, {"policy": await self.policy(config.run_id, config.checkpoint)})
        raise NotReady(f"Runs of kind “{run.kind}” cannot be started yet.")

    async def policy(self, run_id: str, checkpoint_id: str | None) -> dict[str, Any]:
        """A `worker.policies.PolicyInput`: the checkpoint named, or the newest whole one."""
        source = await self._source(run_id)
        if checkpoint_id is not None:
            checkpoint = await self._db.read(lambda conn: artifacts.get(conn, checkpoint_id))
        else:
            newest = await self._checkpoints.find_newest_whole(run_id)
            if newest is None:
                raise NotReady(
                    "The run has no checkpoint to play with.", next_step="Let it train until one is saved."
                )
            checkpoint = newest
        return {
            "checkpoint": str(RunFolder(self._home, run_id).path / checkpoint.path),
            "runner": RUNNERS[source.runner],
            "config": source.model_dump(mode="json"),
            "timestep": checkpoint.timestep,
            "label": checkpoint.title,
            "run_id": run_id,
        }

    async def _source(self, run_id: str) -> TrainConfig:
        run = await self._db.read(lambda conn: runs.get(conn, run_id))
        if not isinstance(run.config, TrainConfig):
            raise NotReady(f"The run “{run_id}” is not a training.")
        return run.config
