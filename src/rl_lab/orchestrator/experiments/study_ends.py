"""Ends a study: its state changes and its waiting runs leave the queue at once; then its running runs stop."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence

from sqlalchemy import Connection

from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.studies.outcomes import StudyEnd
from rl_lab.core.studies.studies import Study, StudyStatus
from rl_lab.orchestrator.context import Context
from rl_lab.store import runs
from rl_lab.store.experiments import studies

StopRuns = Callable[[Sequence[str]], Awaitable[None]]
STOPPABLE = (RunStatus.starting, RunStatus.running, RunStatus.paused)


class StudyEnds:
    def __init__(self, context: Context, stop_runs: StopRuns) -> None:
        self._db = context.db
        self._changes = context.changes
        self._stop_runs = stop_runs

    async def end(self, study_id: str, end: StudyEnd, *, expected: Collection[StudyStatus]) -> Study | None:
        """None if another change came first. No waiting run starts in the place of one that is stopped."""

        def work(conn: Connection) -> tuple[Study | None, list[Run], list[str]]:
            changed = studies.change_status(
                conn, study_id, expected=expected, to=end.status, reason=end.reason
            )
            if changed is None:
                return None, [], []
            return changed, _stop_waiting(conn, study_id), studies.list_runs(conn, study_id, STOPPABLE)

        changed, waited, running = await self._db.write(work)
        for run in waited:
            self._changes.run_changed(run)
        await self._stop_runs(running)
        return changed


def _stop_waiting(conn: Connection, study_id: str) -> list[Run]:
    message = "Taken out of the queue: its study has ended."
    stopped = [
        runs.change_status(conn, run_id, expected=RunStatus.queued, to=RunStatus.stopped, message=message)
        for run_id in studies.list_runs(conn, study_id, [RunStatus.queued])
    ]
    return [run for run in stopped if run is not None]
