"""The Lab is the one object the API talks to: it owns the database, the bus, the queue and every run.

All methods are coroutines on one event loop and raise `core.errors` only. Reading is in `readings.py`.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import sys
from collections.abc import Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.commands import CommandPreview
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.environments import Environment
from rl_lab.core.errors import Gone, MoveRefused, StorageFull
from rl_lab.core.findings import Finding
from rl_lab.core.jobs import JobConfig, TrainConfig
from rl_lab.core.runs import LIVE, Move, Run, RunStatus
from rl_lab.orchestrator.adoption.service import Adoptions
from rl_lab.orchestrator.bus import Bus
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.dashboards.event_exports import EventExports
from rl_lab.orchestrator.dashboards.tensorboards import Tensorboards
from rl_lab.orchestrator.dashboards.wandb_links import WandbLinks
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.environments.repeatability import Repeatability
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.finisher import Finisher
from rl_lab.orchestrator.execution.launcher import Launcher
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt
from rl_lab.orchestrator.execution.preflight import Preflight
from rl_lab.orchestrator.execution.queue import Queue
from rl_lab.orchestrator.execution.recovery import recover_live_runs
from rl_lab.orchestrator.execution.supervisor import Supervisor
from rl_lab.orchestrator.foreign.commands import Commands
from rl_lab.orchestrator.foreign.process_variables import drop_scratch
from rl_lab.orchestrator.foreign.runner_states import Runners
from rl_lab.orchestrator.home import HomeLock, forget_server, read_or_make_token, write_server
from rl_lab.orchestrator.housekeeping.service import Housekeeping
from rl_lab.orchestrator.ingest.progress_publisher import Reports
from rl_lab.orchestrator.ingest.thread import Ingest
from rl_lab.orchestrator.jobs.inputs import find_inputs
from rl_lab.orchestrator.jobs.model_exports import Exports
from rl_lab.orchestrator.jobs.service import Jobs
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.machine.doctor import examine
from rl_lab.orchestrator.runs.creation import create_folder, default_name, new_run
from rl_lab.orchestrator.runs.moves import Moves
from rl_lab.orchestrator.runs.queries import OpenArtifact, RunQueries
from rl_lab.orchestrator.runs.requests import NewRun, RunPatch, find_environment, train_config
from rl_lab.orchestrator.viewing.service import Viewing
from rl_lab.orchestrator.viewing.worker_drawn_feed import WorkerFrames
from rl_lab.orchestrator.writing import FREE_SPACE, FULL, Writing
from rl_lab.runners.registry import find_spec
from rl_lab.settings import Settings
from rl_lab.store import artifacts, events, runs
from rl_lab.store.sql.database import Database

__all__ = ["Lab", "NewRun", "OpenArtifact", "RunPatch"]

log = logging.getLogger(__name__)

SWITCH_INTERVAL_S = 0.001
"""How long the ingest may keep the interpreter from the event loop; Python's own 5 ms are felt in every answer."""
REFRESH_S = 1.0
JOB_PRIORITY = 10
"""Short jobs (evaluations, films) go before trainings."""


class Lab(RunQueries):
    """Made before the event loop runs, started and closed on it."""

    token: str
    """Made at the first start; valid after `start`."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.home = settings.home_path
        self.bus = Bus()
        self.catalogue = Catalogue(self.home)
        self._lock = HomeLock(self.home)
        self._is_open = False

    async def start(self) -> None:
        """Takes the home folder (LabBusy when another process has it), adopts live runs, starts the queue."""
        self._lock.take()
        try:
            self.token = await asyncio.to_thread(read_or_make_token, self.home)
            self.db = Database(self.settings.database_url or self.home)
            await self._open_database()
            await self._open_parts()
        except BaseException:
            self._lock.release()
            raise
        self._is_open = True
        # Its worker would compete with our own start for the processor; whoever asks earlier gets it earlier.
        self._refreshing = asyncio.get_running_loop().call_later(REFRESH_S, self.catalogue.refresh)

    async def _open_database(self) -> None:
        try:
            await self.db.migrate()
        except BaseException:
            await self.db.close()
            raise

    async def _open_parts(self) -> None:
        settings, home, db = self.settings, self.home, self.db
        self._writing = Writing(db)
        self.runners = Runners(settings, self._writing)
        self.commands = Commands(settings, self._writing)
        self._feed = ChangeFeed(db, self.bus)
        self._ingest = Ingest(settings, db, self.bus, self._feed)
        self.housekeeping = Housekeeping(settings, self._writing, self.bus, self._feed)
        self.archives = self.housekeeping.archives
        self._checkpoints = Checkpoints(home, db)
        self._supervisor = Supervisor(settings, db, self._feed, self._ingest)
        self._finishing = Finisher(home, db, self._feed, self._ingest, self._checkpoints)
        self._preflight = Preflight(settings, self.catalogue, self.commands, self.archives.open)
        exactness = Repeatability(home)
        sources = Sources(home, db, self._checkpoints, self.catalogue, exactness, self.archives.open)
        self._launching = Launcher(
            settings,
            self._supervisor,
            self.catalogue,
            self._checkpoints,
            partial(find_inputs, sources),
            exactness,
            self.commands,
        )
        self._queue = Queue(
            db, self._feed, self._preflight, free_slots=self._free_slots, start=self._launching.start
        )
        self.adoptions = Adoptions(home, db, self.bus, self._feed, settings.follow_s)
        self._moves = Moves(
            self._writing, self._feed, self._supervisor, check=self._preflight.check,
            require_resumable=self._launching.require_resumable, wake_queue=self._queue.wake,
            stop_following=self.adoptions.stop_following,
        )  # fmt: skip
        self._reports = Reports(db, self._feed, lambda: [w.tail for w in self._supervisor.live.values()])
        self.jobs = Jobs(
            home, db, self._feed, sources, create=self.create_job, pruning=self.housekeeping.pruning,
            open_folder=self.archives.open,
        )  # fmt: skip
        worker_frames = WorkerFrames(home, self._supervisor.control)
        self.exports = Exports(home, db, self._feed, sources)
        self.event_exports = EventExports(home, self._writing, self._feed, self.archives.open)
        self.tensorboards = Tensorboards(home, db, self.event_exports, settings.tensorboard_idle_s)
        self.wandb_links = WandbLinks(home, self._writing)
        self.viewing = Viewing(home, self.catalogue, exactness, worker_frames, self.archives.open, self.bus)
        self._chores: set[asyncio.Task[object]] = set()
        self._supervisor.on_end = self._after_end
        self._ingest.on_files = self._prune_soon
        self._old_switch_interval = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        await self._feed.start()
        await self.runners.open()
        await self.housekeeping.open()
        self._ingest.open()
        await recover_live_runs(settings, db, self._supervisor)
        for part in (self._supervisor, self._queue, self._reports, self.adoptions):
            part.open()
        self._do_soon(self.jobs.catch_up())

    async def close(self) -> None:
        """Lets go of everything; runs go on, their guardians own them."""
        if not self._is_open:
            return
        self._is_open = False
        self._refreshing.cancel()
        forget_server(self.home)
        await self.viewing.close()
        await self.tensorboards.close()
        for part in (self.adoptions, self._queue, self._supervisor, self._reports):
            await part.close()
        for chore in list(self._chores):
            await asyncio.gather(chore, return_exceptions=True)
        await self.housekeeping.close()
        await self.runners.close()
        await self._ingest.close()
        await self._feed.close()
        await self.catalogue.close()
        self.bus.close()
        await self.db.close()
        sys.setswitchinterval(self._old_switch_interval)
        self._lock.release()

    def announce(self, url: str) -> None:
        """Writes server.json, so that the command line finds this server."""
        write_server(self.home, url)

    async def create_run(self, new: NewRun) -> Run:
        """A training, checked in every field; queued at once with `start`."""
        config = await self._complete(new)
        await self.commands.require_consent(config, new.consent)
        run = new_run(config, name=new.name or default_name(config), tags=new.tags, priority=new.priority)
        if new.start:
            await self._preflight.check(run, is_new=True)
        notes = []
        if config.env_id != new.env_id:
            notes.append(f"{new.env_id} is called {config.env_id} today; that is what this run uses.")
        created = await self._insert(run, notes)
        return await self.move(created.id, "start") if new.start else created

    async def preview_command(self, new: NewRun) -> CommandPreview:
        """What a foreign run would execute; nothing runs."""
        return await self.commands.preview(await self._complete(new))

    async def _complete(self, new: NewRun) -> TrainConfig:
        spec = find_spec(new.runner)
        is_free = spec.capabilities.own_environment
        unlisted = spec.capabilities.foreign
        known = [] if is_free else await self.catalogue.environments_for(new.env_id, unlisted=unlisted)
        return train_config(new, spec, known)

    async def create_job(
        self,
        config: JobConfig,
        *,
        name: str,
        parent_id: str | None = None,
        priority: int = JOB_PRIORITY,
        start: bool = True,
    ) -> Run:
        """A run of another kind (evaluate, fork, duel, film); goes before trainings in the queue."""
        run = new_run(config, name=name, parent_id=parent_id, priority=priority)
        created = await self._insert(run, [])
        return await self.move(created.id, "start") if start else created

    async def move(self, run_id: str, move: Move, *, force: bool = False) -> Run:
        """What a user asks of a run; see `Moves`."""
        return await self._moves.move(run_id, move, force=force)

    async def patch_run(self, run_id: str, patch: RunPatch) -> Run:
        """Archived runs are packed by the janitor, and opened again by whoever reads them."""
        await self.get_run(run_id)
        fields = {name: value for name, value in patch.model_dump().items() if value is not None}
        changed = await self._writing.write(lambda conn: _patch(conn, run_id, fields))
        self._feed.run_changed(changed)
        if patch.archived is not None:
            self.housekeeping.archiving_decided(run_id)
        return changed

    async def delete_run(self, run_id: str) -> Run:
        """Out of sight now, gone for good after the undo time. A run that is at work must be stopped first."""
        run = await self.get_run(run_id)
        if run.status is RunStatus.queued:
            await self._moves.stop(run)
        changed = await self._writing.write(lambda conn: _delete(conn, run_id))
        self._feed.run_changed(changed)
        self.housekeeping.janitor.wake()
        return changed

    async def restore_run(self, run_id: str) -> Run:
        run = await self.db.read(lambda conn: runs.get(conn, run_id, include_deleted=True))
        if run.deleted_at is None:
            return run
        if datetime.now(UTC) - run.deleted_at > timedelta(seconds=self.settings.undo_s):
            raise Gone(f"The time to bring the run “{run.name}” back is over.")
        changed = await self._writing.write(lambda conn: runs.patch(conn, run_id, deleted_at=None))
        self._feed.run_changed(changed)
        return changed

    async def create_clip(self, run_id: str, seconds: float) -> Artifact:
        """The last seconds of the live feed, kept with the run."""
        await self.get_run(run_id)
        clip = await self.viewing.make_clip(run_id, seconds)

        def work(conn: Connection) -> Artifact:
            events.append(conn, run_id, "info", "clip_saved", f"{clip.title} saved.", {"path": clip.path})
            return artifacts.upsert(conn, clip)

        saved = await self._writing.write(work)
        self._feed.events_written()
        return saved

    async def environments(self) -> list[Environment]:
        return await self.catalogue.environments()

    async def environment(self, env_id: str) -> Environment:
        """One that can be made here, also by module: `package.module:Name-v0`."""
        return find_environment(env_id, await self.catalogue.environments_for(env_id))

    async def findings(self) -> list[Finding]:
        return [*await examine(self.settings, self.catalogue), self.housekeeping.limit.finding()]

    async def _insert(self, run: Run, notes: list[str]) -> Run:
        """The folder before the row: a crash in between leaves an empty folder, never a run without one."""
        try:
            await asyncio.to_thread(create_folder, self.home, run)
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            raise StorageFull(FULL, next_step=FREE_SPACE) from None

        def work(conn: Connection) -> Run:
            created = runs.insert(conn, run)
            for note in notes:
                events.append(conn, run.id, "info", "environment_renamed", note)
            return created

        created = await self._writing.write(work)
        self._feed.run_changed(created)
        return created

    async def _after_end(self, watched: LiveAttempt) -> None:
        ended = await self._finishing.finish(watched)
        self._queue.wake()
        if watched.is_foreign:
            self._do_soon(asyncio.to_thread(drop_scratch, self.home / "runs" / watched.run_id))
        if ended is not None:
            self._prune_soon(ended.id)
            await self.wandb_links.list_offline(ended)
            await self.housekeeping.manifests.write(ended.id)
            await self.jobs.after_end(ended)
            self.housekeeping.janitor.wake()

    def _prune_soon(self, run_id: str) -> None:
        self._do_soon(self.housekeeping.prune(run_id))

    def _do_soon(self, work: Coroutine[Any, Any, None]) -> None:
        task: asyncio.Task[object] = asyncio.create_task(work)
        self._chores.add(task)
        task.add_done_callback(self._chores.discard)

    def _free_slots(self) -> int:
        return self.settings.max_running - len(self._supervisor.live)


def _patch(conn: Connection, run_id: str, fields: dict[str, Any]) -> Run:
    if fields.get("archived"):
        _require_at_rest(runs.get(conn, run_id), "archived")
    return runs.patch(conn, run_id, **fields)


def _require_at_rest(run: Run, wish: str) -> None:
    """Looked at in the same stroke as the change: a run that has just been started keeps its folder."""
    if run.status in LIVE or run.status is RunStatus.queued:
        raise MoveRefused(
            f"A run that is {run.status} cannot be {wish}.", next_step="Stop it first.", allowed=run.allowed
        )


def _delete(conn: Connection, run_id: str) -> Run:
    _require_at_rest(runs.get(conn, run_id), "deleted")
    return runs.patch(conn, run_id, deleted_at=datetime.now(UTC))
