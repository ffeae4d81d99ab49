"""Writes the progress of live runs to lab.db and the bus, at most four times a second and only when it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import Connection

from rl_lab.core.runs import LIVE, Run
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.ingest.journal_tail import JournalProgress, Tail
from rl_lab.store import runs

INTERVAL_S = 0.25


class ProgressPublisher:
    def __init__(self, context: Context, tails: Callable[[], Iterable[Tail]]) -> None:
        self._db = context.db
        self._feed = context.changes
        self._tails = tails
        self._written: dict[str, JournalProgress] = {}
        self._loop = BackgroundLoop("progress", self._report)

    def open(self) -> None:
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    async def _report(self) -> float:
        await self.flush()
        return INTERVAL_S

    async def flush(self) -> None:
        """All changed runs in one transaction."""
        found = {tail.run_id: tail.progress for tail in self._tails() if tail.progress.progress is not None}
        fresh = {i: progress for i, progress in found.items() if progress is not self._written.get(i)}
        if not fresh:
            return
        changed = await self._db.write(lambda conn: _write(conn, fresh))
        self._written = found
        for run in changed:
            self._feed.run_changed(run)


def _write(conn: Connection, found: dict[str, JournalProgress]) -> list[Run]:
    """Only of runs that are still live: the end of a job has written its result, which must not be overwritten."""
    live = [run.id for run in runs.list_by_ids(conn, found) if run.status in LIVE]
    for run_id in live:
        progress, summary = found[run_id].progress, found[run_id].summary
        if progress is not None and summary is not None:
            runs.update_progress(conn, run_id, progress, summary)
    return runs.list_by_ids(conn, live)
