"""Jobs that play what a training learned: evaluations, forks, duels, films; and what they leave with it.

A job is a run of its own: same queue, log, stop. When it has ended, its video and a line in the event log go to
the training it belongs to.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import Gone, LabError, NotFound
from rl_lab.core.jobs import DuelConfig, EvaluateConfig, FilmConfig, ForkConfig, JobConfig, TrainConfig
from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.wording import plural
from rl_lab.orchestrator.change_feed import ChangeFeed
from rl_lab.orchestrator.execution.finisher import FOLLOW_UP, follow_up_key
from rl_lab.orchestrator.housekeeping.archives import OpenFolder
from rl_lab.orchestrator.housekeeping.pruning import Pruning
from rl_lab.orchestrator.jobs.inputs import JobInputs
from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store import artifacts, events, run_pages, runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_pages import RunFilter
from rl_lab.store.sql import meta
from rl_lab.store.sql.database import Database

log = logging.getLogger(__name__)

Create = Callable[..., Awaitable[Run]]
AFTER_TRAINING = "video"
"""Title of the evaluation that follows a training: its film is video.mp4."""
FILMING_S = 300.0
"""Drawing one long episode may take this long."""


class Jobs:
    def __init__(
        self,
        home: Path,
        db: Database,
        feed: ChangeFeed,
        inputs: JobInputs,
        *,
        create: Create,
        pruning: Pruning,
        open_folder: OpenFolder,
    ) -> None:
        self._home = home
        self._db = db
        self._feed = feed
        self._inputs = inputs
        self._create = create
        self._pruning = pruning
        self._open_folder = open_folder

    async def evaluate(self, config: EvaluateConfig) -> Run:
        """Checked before it is queued: what cannot work is said at once."""
        source = await self._inputs.source(config.run_id)
        words = f"Evaluation started: {plural(config.episodes, 'episode')}."
        return await self._start(config, f"Evaluation on {source.env_id}", config.run_id, words)

    async def fork(self, config: ForkConfig) -> Run:
        name = f"Fork of episode {config.episode} at step {config.step}"
        return await self._start(config, name, config.run_id, f"{name} started.")

    async def duel(self, config: DuelConfig) -> Run:
        first = config.contestants[0].run_id
        name = f"Duel of {len(config.contestants)} on {config.episodes} seeds"
        return await self._start(config, name, first, f"{name} started.")

    async def film(self, config: FilmConfig) -> Run:
        source = await self._inputs.source(config.run_id)
        return await self._start(config, f"Film of {source.env_id}", config.run_id, "Film started.")

    async def film_episode(self, run_id: str, episode: int) -> Artifact:
        """One recorded episode as an MP4 of the run, made while you wait."""
        await self._open_folder(run_id)
        recording = await asyncio.to_thread(read_recording, self._home, run_id, episode)
        await self._inputs.require_environment(recording.env_id)
        path = f"clips/episode_{episode}.mp4"
        question = {
            "recording": msgspec.to_builtins(recording),
            "path": str(RunFolder(self._home, run_id).path / path),
        }
        made = await call_worker("film_episode", question, timeout_s=FILMING_S)
        video = Artifact(
            id=artifacts.artifact_id(run_id, path), run_id=run_id, path=path, kind="clip",
            title=f"Episode {episode}", size=made["size"], media_type="video/mp4", created_at=datetime.now(UTC),
        )  # fmt: skip
        return await self._db.write(lambda conn: artifacts.upsert(conn, video))

    async def catch_up(self) -> None:
        """What should have followed the end of runs when the lab was killed in between."""
        for key in await self._db.read(lambda conn: meta.keys(conn, FOLLOW_UP)):
            run_id = key.removeprefix(FOLLOW_UP)
            try:
                await self.after_end(await self._db.read(lambda conn, i=run_id: runs.get(conn, i)))  # type: ignore[misc]
            except (NotFound, Gone):
                await self._db.write(lambda conn, k=key: meta.drop(conn, k))  # type: ignore[misc]

    async def after_end(self, run: Run) -> None:
        await self._follow_up(run)
        await self._db.write(lambda conn: meta.drop(conn, follow_up_key(run.id)))

    async def _follow_up(self, run: Run) -> None:
        """What follows when a run has ended: a training is evaluated, a job's results go to its training."""
        try:
            if isinstance(run.config, TrainConfig):
                await self._evaluate_finished(run, run.config)
            elif run.parent_id is not None:
                await self._hand_in(run, run.parent_id)
        except LabError as error:
            words = f"What follows the end of this run did not happen: {error.detail}"
            await self._say(run.id, "warning", "follow_up_failed", words, {"next_step": error.next_step})
        except (OSError, SQLAlchemyError) as error:
            log.warning("run %s: what follows its end failed: %s", run.id, error)

    async def _start(self, config: JobConfig, name: str, parent_id: str, words: str) -> Run:
        await self._inputs.check(config)
        run = await self._create(config, name=name, parent_id=parent_id)
        await self._say(parent_id, "info", f"{run.kind}_started", words, {"run_id": run.id})
        return run

    async def _evaluate_finished(self, run: Run, config: TrainConfig) -> None:
        if run.status is not RunStatus.succeeded or config.evaluate_after == 0:
            return
        if not await self._was_evaluated(run):
            await self.evaluate(
                EvaluateConfig(run_id=run.id, episodes=config.evaluate_after, title=AFTER_TRAINING)
            )

    async def _was_evaluated(self, run: Run) -> bool:
        """Whether the evaluation that follows this end is there; one somebody asked for is another."""
        wanted = RunFilter(kind="evaluate", parent_id=run.id, archived=None)
        page = await self._db.read(lambda conn: run_pages.find_page(conn, wanted, limit=100))
        since = run.ended_at or run.created_at
        return any(
            isinstance(e.config, EvaluateConfig)
            and e.config.title == AFTER_TRAINING
            and e.created_at >= since
            for e in page.items
        )

    async def _hand_in(self, job: Run, parent_id: str) -> None:
        if job.status is not RunStatus.succeeded:
            words = f"{job.name} ended: {job.reason.message if job.reason else job.status}"
            await self._say(parent_id, "warning", f"{job.kind}_ended", words, {"run_id": job.id})
            return
        found = await self._db.read(lambda conn: artifacts.list_for_run(conn, job.id))
        videos = [a for a in found if a.kind in ("video", "film")]
        for run_id in (job.id, parent_id):
            await self._open_folder(run_id)
        await asyncio.to_thread(self._link, parent_id, videos)
        await self._db.write(lambda conn: self._list(conn, parent_id, videos))
        await self._say(parent_id, "info", f"{job.kind}_complete", told(job), {"run_id": job.id})
        await self._pruning.prune(parent_id)

    def _link(self, parent_id: str, videos: Sequence[Artifact]) -> None:
        for video in videos:
            source = RunFolder(self._home, video.run_id).path / video.path
            target = RunFolder(self._home, parent_id).path / path_in_parent(video)
            target.parent.mkdir(parents=True, exist_ok=True)
            aside = target.with_name(f".new-{target.name}")
            aside.unlink(missing_ok=True)
            os.link(source, aside)
            aside.replace(target)

    def _list(self, conn: Connection, parent_id: str, videos: Sequence[Artifact]) -> None:
        for video in videos:
            path = path_in_parent(video)
            artifacts.upsert(
                conn,
                video.model_copy(
                    update={
                        "id": artifacts.artifact_id(parent_id, path),
                        "run_id": parent_id,
                        "path": path,
                        "created_at": datetime.now(UTC),
                        "data": {"job": video.run_id, "job_path": video.path},
                    }
                ),
            )

    async def _say(self, run_id: str, level: Any, type: str, words: str, data: dict[str, Any]) -> None:
        await self._db.write(lambda conn: events.append(conn, run_id, level, type, words, data))
        self._feed.events_written()


def path_in_parent(video: Artifact) -> str:
    """Where a job's video lies in its training's folder: the first one beside the model, others under eval/."""
    name = Path(video.path).name
    return name if name == f"{AFTER_TRAINING}.mp4" or video.kind == "film" else f"eval/{name}"


def told(job: Run) -> str:
    """One sentence about what came out of a job."""
    result: dict[str, Any] = (job.summary.model_extra or {}).get("result") or {}
    match job.kind:
        case "evaluate":
            return (
                f"Evaluation complete: return {result.get('return_mean', 0):.1f} ± {result.get('return_std', 0):.1f} "
                f"over {plural(result.get('episodes', 0), 'episode')}."
            )
        case "fork":
            return (
                f"Fork complete: return {result.get('return', 0):.1f} after {result.get('length', 0)} steps."
            )
        case "duel":
            sides = ", ".join(f"{s['label']} {s['wins']}" for s in result.get("sides", []))
            return f"Duel complete. Wins: {sides}."
        case _:
            return f"{job.name} complete."
