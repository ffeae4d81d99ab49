"""The learning curves of many runs: those of ended runs from lab.db, in one query; others from their telemetry."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from rl_lab.core.errors import LabError
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import FINAL, Run
from rl_lab.core.workbench.derived_metrics import Definitions
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.newest import Newest
from rl_lab.store import run_curves
from rl_lab.store.run_curves import MEAN_RETURN, SeedRow
from rl_lab.store.workbench import derived_metrics

if TYPE_CHECKING:
    from rl_lab.analysis.statistics.seed_curves import SeedCurve

log = logging.getLogger(__name__)

MOST_CURVES = 4000
"""That are in memory, of at most 256 points each."""


class SeedCurves:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._home = context.home
        self._folders = context.folders
        self._read: Newest[SeedCurve] = Newest(MOST_CURVES)
        """Of other metrics, and of runs that still train."""

    async def keep(self, run: Run) -> None:
        """Stores the curve of a training that has ended. Where this fails, the first question reads it instead."""
        if not isinstance(run.config, TrainConfig) or run.status not in FINAL:
            return
        try:
            await self.find_all([seed_row(run)], MEAN_RETURN)
        except Exception:
            log.exception("The learning curve of %s could not be kept.", run.id)

    async def find_all(self, rows: Sequence[SeedRow], metric: str = MEAN_RETURN) -> dict[str, SeedCurve]:
        """By run id; empty curves for runs that have not begun or cannot be read."""
        found = await self._kept(rows) if metric == MEAN_RETURN else {}
        definitions = {} if metric == MEAN_RETURN else await self._definitions(metric)
        for row in rows:
            known = self._read.find(_key(row, metric, definitions))
            if row.run_id not in found and known is not None:
                found[row.run_id] = known
        missing = [row for row in rows if row.run_id not in found]
        if not missing:
            return found
        new = {row.run_id: await self._open(row, metric, definitions) for row in missing}
        for row in missing:
            self._read.put(_key(row, metric, definitions), new[row.run_id])
        if metric == MEAN_RETURN:
            await self._store([row for row in missing if row.status in FINAL], new)
        return found | new

    async def _definitions(self, metric: str) -> Definitions:
        """All derived metrics where this is one of them; they may use each other."""
        found = await self._db.read(derived_metrics.find_definitions)
        return found if metric in found else {}

    async def _kept(self, rows: Sequence[SeedRow]) -> dict[str, SeedCurve]:
        ended = {row.run_id: row.version for row in rows if row.status in FINAL}
        if not ended:
            return {}
        from rl_lab.orchestrator.runs.curve_points import unpack

        stored = await self._db.read(lambda conn: run_curves.find_all(conn, ended))
        return {run_id: unpack(one) for run_id, one in stored.items() if one.version == ended[run_id]}

    async def _open(self, row: SeedRow, metric: str, definitions: Definitions) -> SeedCurve:
        from rl_lab.analysis.statistics.seed_curves import NO_CURVE
        from rl_lab.orchestrator.runs.curve_points import read_seed_curve

        try:
            await self._folders.open(row.run_id)
            return await asyncio.to_thread(read_seed_curve, self._home, row.run_id, metric, definitions)
        except (LabError, OSError):
            # One damaged run must not cost the statistics of all others; it is counted as a seed without returns.
            log.exception("The curve of %s could not be read.", row.run_id)
            return NO_CURVE

    async def _store(self, rows: Sequence[SeedRow], curves: dict[str, SeedCurve]) -> None:
        from rl_lab.orchestrator.runs.curve_points import pack

        packed = {row.run_id: pack(curves[row.run_id], row.version) for row in rows}
        if packed:
            await self._db.write(lambda conn: run_curves.put_all(conn, packed))


def seed_row(run: Run) -> SeedRow:
    return SeedRow(
        run_id=run.id,
        variant=run.variant,
        seed=getattr(run.config, "seed", None),
        env_id=run.env_id,
        status=run.status,
        version=run.version,
        timestep=run.progress.timestep,
        final=run.summary.mean_reward,
        best=run.summary.best_mean_reward,
    )


def _key(row: SeedRow, metric: str, definitions: Definitions) -> Hashable:
    """A derived metric whose definition, or that of one it uses, was changed has other curves."""
    return row.run_id, row.version, row.timestep, metric, tuple(definitions.items())
