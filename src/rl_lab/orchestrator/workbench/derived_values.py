"""DerivedValues computes the last values of derived metrics for ended runs, so that lists filter and sort by them.

Nothing says which values are missing but the rows themselves: a lab that was killed continues where it stopped.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3

from sqlalchemy import Connection

from rl_lab.core.errors import LabError
from rl_lab.core.runs import FINAL, Run, RunStatus
from rl_lab.core.workbench.derived_metrics import BUILT_IN, Definitions, stored_metrics
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import RUNS_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.store import runs
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.workbench import derived_metrics

log = logging.getLogger(__name__)

BATCH = 20
"""Runs that are read before the loop pauses."""
PAUSE_S = 0.05
COMPLETE = FINAL | {RunStatus.followed}


class DerivedValues:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._folders = context.folders
        self._changes = context.changes
        self._loop = BackgroundLoop("derived values", self._compute_missing)
        context.bus.listen(RUNS_TOPIC, self._note)

    def open(self) -> None:
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    def refresh(self) -> None:
        """A definition is new or was changed."""
        self._loop.wake()

    def _note(self, run: Run) -> None:
        if run.status in COMPLETE:
            self._loop.wake()

    async def _compute_missing(self) -> float | None:
        definitions = await self._db.read(derived_metrics.find_definitions)
        if not definitions:
            return None
        wanted = await self._db.read(lambda conn: _find_missing(conn, definitions))
        for run_id, names in wanted.items():
            values = await asyncio.to_thread(self._read, run_id, names, definitions)
            if not await self._keep(run_id, values, definitions):
                break
        return PAUSE_S if wanted else None

    async def _keep(self, run_id: str, values: dict[str, float | None], definitions: Definitions) -> bool:
        """False, and nothing is stored, when a definition has changed meanwhile: they are computed again."""

        def work(conn: Connection) -> list[Run] | None:
            if derived_metrics.find_definitions(conn) != definitions:
                return None
            derived_metrics.put_values(conn, run_id, values)
            return runs.list_by_ids(conn, [run_id])

        changed = await self._db.write(work)
        for run in changed or ():
            self._changes.run_changed(run)
        return changed is not None

    def _read(self, run_id: str, names: list[str], definitions: Definitions) -> dict[str, float | None]:
        """Without a value where it cannot be computed, so that it is not tried again."""
        from rl_lab.orchestrator.runs.derived_series import last_value, read_derived

        path = self._folders.find(run_id).telemetry
        values: dict[str, float | None] = dict.fromkeys(names)
        try:
            if path.exists():
                with TelemetryReader(path, run_id) as telemetry:
                    found = read_derived(telemetry, names, definitions)
                    values |= {name: last_value(series) for name, series in found.items()}
        except (LabError, OSError, sqlite3.Error) as error:
            log.warning("run %s: derived metrics cannot be computed: %s", run_id, error)
        return values


def _find_missing(conn: Connection, definitions: Definitions) -> dict[str, list[str]]:
    """Names of the missing values, by run; a few runs at a time."""
    found: dict[str, list[str]] = {}
    for name in definitions:
        for run_id in _lacking(conn, name, definitions):
            if run_id in found or len(found) < BATCH:
                found.setdefault(run_id, []).append(name)
    return found


def _lacking(conn: Connection, name: str, definitions: Definitions) -> list[str]:
    """Runs with the metrics that it needs, or with those from which a built-in one is computed."""
    found: list[str] = []
    for known in (definitions, {**BUILT_IN, **definitions}):
        found += derived_metrics.find_uncomputed(conn, name, stored_metrics([name], known), BATCH)
    return list(dict.fromkeys(found))
