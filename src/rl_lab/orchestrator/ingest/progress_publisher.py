"""Progress of live runs into lab.db and onto the bus, at most four times a second and only when it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import Connection

from rl_lab.core.runs import LIVE, Run
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.ingest.journal_tail import Report, Tail
from rl_lab.store import runs

REPORT_S = 0.25


class Reports:
    def __init__(self, context: Context, tails: Callable[[], Iterable[Tail]]) -> None:
        self._db = context.db
        self._feed = context.changes
        self._tails = tails
        self._written: dict[str, Report] = {}
        self._loop = BackgroundLoop("progress", self._report)

    def open(self) -> None:
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    async def _report(self) -> float:
        await self.flush()
        return REPORT_S

    async def flush(self) -> None:
        """All changed runs in one transaction."""
        found = {tail.run_id: tail.report for tail in self._tails()}
        fresh = {i: r for i, r in found.items() if r is not None and r is not self._written.get(i)}
        if not fresh:
            return
        changed = await self._db.write(lambda conn: _write(conn, fresh))
        self._written = {i: r for i, r in found.items() if r is not None}
        for run in changed:
            self._feed.run_changed(run)


def _write(conn: Connection, reports: dict[str, Report]) -> list[Run]:
    """Only of runs that are still live: the end has written a job's result already, which a late report would undo."""
    live = [run.id for run in runs.list_by_ids(conn, reports) if run.status in LIVE]
    for run_id in live:
        runs.update_progress(conn, run_id, reports[run_id].progress, reports[run_id].summary)
    return runs.list_by_ids(conn, live)
