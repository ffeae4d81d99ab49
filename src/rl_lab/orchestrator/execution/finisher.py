"""The Finisher decides how an attempt ended, writes it to lab.db, and writes the summary into the folder."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from datetime import UTC, datetime
from typing import Any

import orjson
from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import LabError
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import LIVE, Run, RunStatus, Summary
from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.checkpoints import Checkpoints
from rl_lab.orchestrator.execution.end_reasons import Ending, Evidence, decide
from rl_lab.orchestrator.execution.live_attempt import LiveAttempt
from rl_lab.orchestrator.ingest.thread import Ingest
from rl_lab.portable.regular_files import open_regular
from rl_lab.store import artifacts, attempts, queue, runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql import meta
from rl_lab.store.telemetry import TelemetryReader

log = logging.getLogger(__name__)


class Finisher:
    def __init__(self, context: Context, ingest: Ingest, checkpoints: Checkpoints) -> None:
        self._db = context.db
        self._changes = context.changes
        self._folders = context.folders
        self._ingest = ingest
        self._checkpoints = checkpoints

    async def finish(self, live: LiveAttempt) -> Run | None:
        """Decides how the run ended and writes it once; None when it had ended already.

        What must follow is noted in the same transaction, so that a crash loses none of it.
        """
        ending = decide(await self._evidence(live))
        metrics = await asyncio.to_thread(self._last_values, live)
        changed = await self._db.write(lambda conn: self._write(conn, live, ending, metrics))
        self._ingest.forget(live.tail)
        if changed is None:
            log.warning("run %s had already ended", live.run_id)
            return None
        self._changes.run_changed(changed)
        return changed

    async def _evidence(self, live: LiveAttempt) -> Evidence:
        newest = None if live.folder_gone else await self._checkpoints.find_newest_whole(live.run_id)
        return Evidence(
            exit=live.exit,
            finished=live.tail.progress.finished,
            stop_asked=live.stop_asked,
            said_hello=live.tail.progress.said_hello,
            checkpoint_step=newest.timestep if newest is not None else None,
            rebooted=live.rebooted,
            folder_gone=live.folder_gone,
            start_timed_out=live.start_timed_out,
            overrun=live.overrun,
            limit_reached=live.limit_reached,
            who=live.who,
            can_resume=live.can_resume,
            kind=live.kind,
        )

    def _last_values(self, live: LiveAttempt) -> dict[str, float | None]:
        """The last value of each metric, for filters; none where the files are gone."""
        path = self._folders.find(live.run_id).telemetry
        if live.kind is not RunKind.train or not path.exists():
            return {}
        with TelemetryReader(path, live.run_id) as telemetry:
            return telemetry.last_values()

    def _write(
        self, conn: Connection, live: LiveAttempt, ending: Ending, metrics: dict[str, float | None]
    ) -> Run | None:
        now = datetime.now(UTC)
        record = as_json(live.exit) if live.exit is not None else {}
        attempts.finish(conn, live.run_id, live.attempt.number, now, record)
        if live.exit is not None and live.exit.peak_memory_bytes:
            queue.put_peak_memory(conn, live.run_id, live.exit.peak_memory_bytes)
        progress, summary = live.tail.progress.progress, live.tail.progress.summary
        if progress is not None and summary is not None:
            complete = _with_result(summary, live).model_copy(update={"metrics": metrics})
            runs.update_progress(conn, live.run_id, progress, complete)
        is_bad = ending.status in (RunStatus.failed, RunStatus.lost)
        ended = runs.change_status(
            conn,
            live.run_id,
            expected=LIVE,
            to=ending.status,
            reason=ending.reason,
            at=now,
            level="error" if is_bad else "info",
            data={"attempt": live.attempt.number},
        )
        if ended is not None:
            meta.put(conn, follow_up_key(ended.id), True)
        if ended is not None and not live.folder_gone:
            # Before the end is visible: a client that sees it finds the files too.
            self.write_summary(ended)
            self._list_text_files(conn, ended.id)
        return ended

    def write_summary(self, run: Run) -> None:
        """metrics.json: the run in a few numbers, for people and scripts."""
        facts: dict[str, Any] = {
            "run_id": run.id,
            "name": run.name,
            "status": run.status,
            "reason": run.reason,
            "config": run.config,
            "progress": run.progress,
            "summary": run.summary,
            "created_at": run.created_at,
            "started_at": run.started_at,
            "ended_at": run.ended_at,
        }
        data = orjson.dumps(
            facts, default=lambda model: model.model_dump(mode="json"), option=orjson.OPT_INDENT_2
        )
        try:
            self._folders.find(run.id).write_atomic("metrics.json", data + b"\n")
        except (LabError, OSError) as error:
            log.warning("run %s: metrics.json cannot be written: %s", run.id, error)

    def _list_text_files(self, conn: Connection, run_id: str) -> None:
        """Rows for the files the lab itself writes, so that they can be downloaded like the others."""
        for path, kind, title in TEXT_FILES:
            found = describe_file(self._folders.find(run_id), path, kind, title)
            if found is not None:
                artifacts.upsert(conn, found)


FOLLOW_UP = "follow-up:"


def follow_up_key(run_id: str) -> str:
    """Set in the transaction that ends a run, dropped when the follow-up is done."""
    return f"{FOLLOW_UP}{run_id}"


def _with_result(summary: Summary, live: LiveAttempt) -> Summary:
    """Adds the result of a job (an evaluation's figures, a duel's wins) to the summary of its run."""
    finished = live.tail.progress.finished
    return (
        summary.model_copy(update={"result": finished.summary}) if finished and finished.summary else summary
    )


TEXT_FILES = (
    ("config.json", "config", "Configuration"),
    ("snapshot.json", "config", "Software and hardware"),
    ("metrics.json", "metrics", "Summary"),
    ("metrics.jsonl", "metrics", "Episodes and updates"),
)


def describe_file(folder: RunFolder, path: str, kind: str, title: str) -> Artifact | None:
    try:
        info = (folder.path / path).stat(follow_symlinks=False)
        digest = ""
        if info.st_size <= 1 << 20:
            with open_regular(folder.path / path) as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
    return Artifact(
        id=artifacts.artifact_id(folder.run_id, path),
        run_id=folder.run_id,
        path=path,
        kind=kind,
        title=title,
        size=info.st_size,
        sha256=digest,
        created_at=datetime.fromtimestamp(info.st_mtime, UTC),
        media_type="application/json" if path.endswith(".json") else "application/x-ndjson",
    )
