"""Jobs that use a trained policy: they are started here, and their results go to the training.

A job is a run of its own with the same queue, event log and stop. Its kinds are in `core/jobs/`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone, LabError, NotFound
from rl_lab.core.event_log import JOB_EVENTS
from rl_lab.core.jobs.kinds import JobConfig, RunKind
from rl_lab.core.jobs.policy_jobs import AFTER_TRAINING_TITLE, CertifyConfig, EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_events import EventType
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.finisher import FOLLOW_UP, follow_up_key
from rl_lab.orchestrator.housekeeping.pruning import Pruning
from rl_lab.orchestrator.jobs.checkpoint_links import unlink_checkpoints
from rl_lab.orchestrator.jobs.model_exports import Exports
from rl_lab.orchestrator.jobs.results import Results
from rl_lab.orchestrator.jobs.rules import describe_result, find_rules
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.own_code_consents import OwnCodeConsents
from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store import artifacts, events, run_pages, runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_pages import RunFilter
from rl_lab.store.sql import meta

log = logging.getLogger(__name__)

Create = Callable[..., Awaitable[Run]]
FILMING_S = 300.0
"""Time limit for drawing one long episode."""


class Jobs:
    def __init__(self, context: Context, sources: Sources, *, create: Create, pruning: Pruning) -> None:
        self._home = context.home
        self._db = context.db
        self._feed = context.changes
        self._folders = context.folders
        self._sources = sources
        self._own_code = OwnCodeConsents(context)
        self._results = Results(context)
        self._create = create
        self._pruning = pruning
        self.exports = Exports(context, sources)
        self.after: dict[RunKind, Callable[[Run], Awaitable[None]]] = {}
        """What rooms above do when a job of a kind has ended; repeated after a crash, so it has to allow that."""

    async def start(self, config: JobConfig) -> Run:
        """Queues a job; one that could only fail raises at once."""
        kind = RunKind(config.kind)
        job = await find_rules(kind).prepare(self._sources, config)
        await self._own_code.require(job.env_id, job.env_kwargs)
        for recording in job.recordings:
            await self._own_code.require(recording.env_id, recording.env_kwargs)
        run = await self._create(job.config or config, name=job.name, parent_id=job.parent_id)
        if job.parent_id is not None:
            data = {"run_id": run.id}
            await self._append_event(job.parent_id, JOB_EVENTS[kind].started, job.started, data)
        return run

    async def film_episode(self, run_id: str, episode: int, format: str = "mp4") -> Artifact:
        """One recorded episode as an MP4 or GIF of the run; the caller waits for it."""
        await self._folders.open(run_id)
        recording = await asyncio.to_thread(read_recording, self._home, run_id, episode)
        recording = await self._sources.place(recording)
        path = f"clips/episode_{episode}.{format}"
        rights = await self._sources.looking.find_rights(run_id)
        question = {"recording": msgspec.to_builtins(recording), "format": format}
        with RunFolder(self._home, run_id).creating(path) as output:
            made = await call_worker(
                "film_episode", question, timeout_s=FILMING_S, confine=rights, output=output
            )
        video = Artifact(
            id=artifacts.artifact_id(run_id, path),
            run_id=run_id,
            path=path,
            kind="clip",
            title=f"Episode {episode}",
            size=made["size"],
            media_type="image/gif" if format == "gif" else "video/mp4",
            created_at=datetime.now(UTC),
        )
        return await self._db.write(lambda conn: artifacts.upsert(conn, video))

    async def catch_up(self) -> None:
        """Follow-ups of runs that ended just before the lab was killed."""
        for key in await self._db.read(lambda conn: meta.keys(conn, FOLLOW_UP)):
            run_id = key.removeprefix(FOLLOW_UP)
            try:
                await self.after_end(await self._db.read(lambda conn, i=run_id: runs.get(conn, i)))  # type: ignore[misc]
            except (NotFound, Gone):
                await self._db.write(lambda conn, k=key: meta.drop(conn, k))  # type: ignore[misc]

    async def after_end(self, run: Run) -> None:
        if not isinstance(run.config, TrainConfig):
            await asyncio.to_thread(unlink_checkpoints, self._folders.find(run.id))
        await self._follow_up(run)
        await self._db.write(lambda conn: meta.drop(conn, follow_up_key(run.id)))

    async def _follow_up(self, run: Run) -> None:
        """A finished training is evaluated; the results of a finished job go to its training."""
        try:
            if isinstance(run.config, TrainConfig):
                await self._results.note_numbers(run.id)  # its last report has replaced them
                await self._evaluate_finished(run, run.config)
            elif run.kind in self.after:
                await self.after[run.kind](run)
            elif run.parent_id is not None:
                await self._report_result(run, run.parent_id)
        except LabError as error:
            words = f"The follow-up of this run failed: {error.detail}"
            data = {"next_step": error.next_step}
            await self._append_event(run.id, event_log.FOLLOW_UP_FAILED, words, data)
        except (OSError, SQLAlchemyError) as error:
            log.warning("run %s: its follow-up failed: %s", run.id, error)

    async def _evaluate_finished(self, run: Run, config: TrainConfig) -> None:
        if run.status is not RunStatus.succeeded or not config.is_evaluated:
            return
        if await self._was_evaluated(run):
            return
        how = {"protocol": config.evaluate_by} if config.evaluate_by else {"episodes": config.evaluate_after}
        await self.start(
            EvaluateConfig(run_id=run.id, title=AFTER_TRAINING_TITLE, after_training=True, **how)
        )

    async def _was_evaluated(self, run: Run) -> bool:
        """Whether the evaluation after this end exists; one that a user started does not count."""
        wanted = RunFilter(kind=RunKind.evaluate, parent_id=run.id, archived=None)
        page = await self._db.read(lambda conn: run_pages.find_page(conn, wanted, limit=100))
        since = run.ended_at or run.created_at
        return any(
            isinstance(e.config, EvaluateConfig) and e.config.after_training and e.created_at >= since
            for e in page.items
        )

    async def _report_result(self, job: Run, parent_id: str) -> None:
        data = {"run_id": job.id}
        if job.status is not RunStatus.succeeded:
            words = f"{job.name} ended: {job.reason.message if job.reason else job.status}"
            await self._append_event(parent_id, JOB_EVENTS[job.kind].ended, words, data)
            return
        await self._results.share_files(job, parent_id)
        await self._results.score_checkpoint(job, parent_id)
        await self._results.note_numbers(parent_id)
        if isinstance(job.config, CertifyConfig):
            await self._results.note_certificate(job, parent_id)
        words = describe_result(job)
        await self._append_event(parent_id, JOB_EVENTS[job.kind].complete, words, data)
        await self._pruning.prune(parent_id)

    async def _append_event(self, run_id: str, type: EventType, words: str, data: dict[str, Any]) -> None:
        await self._db.write(lambda conn: events.append(conn, run_id, type, words, data=data))
        self._feed.events_written()
