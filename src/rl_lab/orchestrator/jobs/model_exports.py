"""Models in the form of other libraries: made by a worker call, kept with the run."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.runners.registry import load_runner
from rl_lab.store import artifacts, events
from rl_lab.store.files.folders import RunFolder

SUFFIXES = {"sb3": ".zip", "onnx": ".onnx"}
TITLES = {"sb3": "Stable-Baselines3 model", "onnx": "ONNX graph"}


class Exports:
    def __init__(self, context: Context, sources: Sources) -> None:
        self._home = context.home
        self._db = context.db
        self._feed = context.changes
        self._sources = sources

    async def export(self, run_id: str, form: str, checkpoint_id: str | None) -> Artifact:
        """The best checkpoint, or the one named, as a file of that form; InvalidInput when the runner cannot."""
        training = await self._sources.get_training(run_id)
        spec = load_runner(training.config.runner).spec
        if form not in spec.capabilities.exports:
            known = list(spec.capabilities.exports)
            words = f"{spec.name} has no other form of its models; they are among the run's files. "
            words += "Its curves export as tensorboard."
            if known:
                words = f"{spec.name} exports to {', '.join(known)}."
            raise InvalidInput.of_field("format", words, known)
        checkpoint = await self._sources.find_checkpoint(training, checkpoint_id)
        path = f"exports/{Path(checkpoint.path).stem}-{form}{SUFFIXES[form]}"
        target = RunFolder(self._home, run_id).path / path
        policy = self._sources.make_policy(training, checkpoint)
        question = {"policy": policy, "format": form, "path": str(target)}
        rights = await self._sources.looking.find_rights(run_id)
        if rights is not None:  # a model from elsewhere is loaded as confined as its run
            await asyncio.to_thread(target.parent.mkdir, parents=True, exist_ok=True)
            rights = rights._replace(
                reads=[*rights.reads, policy["checkpoint"]], writes=[*rights.writes, str(target.parent)]
            )
        made = await call_worker("export_model", question, confine=rights)
        exported = Artifact(
            id=artifacts.artifact_id(run_id, path),
            run_id=run_id,
            path=path,
            kind="model",
            title=f"{TITLES[form]}, step {checkpoint.timestep or 0:,}",
            size=made["size"],
            sha256=made["sha256"],
            created_at=datetime.now(UTC),
            timestep=checkpoint.timestep,
        )
        return await self._keep(exported)

    async def _keep(self, exported: Artifact) -> Artifact:
        def work(conn: Connection) -> Artifact:
            words, data = f"{exported.title} exported.", {"path": exported.path}
            events.append(conn, exported.run_id, event_log.MODEL_EXPORTED, words, data=data)
            return artifacts.upsert(conn, exported)

        kept = await self._db.write(work)
        self._feed.events_written()
        return kept
