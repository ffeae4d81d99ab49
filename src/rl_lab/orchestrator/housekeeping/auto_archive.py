"""AutoArchive: archives runs by age and by number per algorithm, as the knobs say; nothing is deleted."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.run_events import EventType
from rl_lab.core.runs import Run
from rl_lab.core.words.amounts import plural
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.store import events, run_ages, runs


class AutoArchive:
    def __init__(self, context: Context, knobs: Knobs) -> None:
        self._db = context.db
        self._changes = context.changes
        self._knobs = knobs

    async def tend(self) -> None:
        """Marks what is due as archived; `Archives` packs the folders."""
        value = self._knobs.value
        if value.archive_after_days:
            await self._archive_old(value.archive_after_days)
        if value.runs_per_algorithm:
            await self._archive_surplus(value.runs_per_algorithm)

    async def _archive_old(self, days: int) -> None:
        moment = datetime.now(UTC) - timedelta(days=days)
        message = f"Archived: it ended more than {plural(days, 'day')} ago."
        for run_id in await self._db.read(lambda conn: run_ages.ended_before(conn, moment)):
            await self._archive(run_id, event_log.ARCHIVED_BY_AGE, message)

    async def _archive_surplus(self, limit: int) -> None:
        for run_id, algorithm in await self._db.read(lambda conn: run_ages.beyond_limit(conn, limit)):
            name = algorithm.upper() or "unknown algorithms"
            newest = "the newest run stays" if limit == 1 else f"the newest {limit:,} runs stay"
            message = f"Archived: of {name}, only {newest} in the list."
            await self._archive(run_id, event_log.ARCHIVED_BY_LIMIT, message)

    async def _archive(self, run_id: str, type: EventType, message: str) -> None:
        def work(conn: Connection) -> Run:
            events.append(conn, run_id, type, message)
            return runs.patch(conn, run_id, archived=True)

        self._changes.run_changed(await self._db.write(work))
