"""The Pruner stops variants whose curve is below the median of the others; `analysis/sweeps/pruning.py` has the rule.

Once a second it looks at the progress of the runs that train for a study that prunes. Curves are read only when a
variant has trained another tenth.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.runs import LIVE, Run, RunStatus
from rl_lab.core.studies.studies import Study, StudyStatus, Variant, VariantStatus
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import STUDIES_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments.mean_curves import MeanCurves
from rl_lab.store import events, runs
from rl_lab.store.experiments import studies, variants

LOOK_S = 1.0
OPEN = (VariantStatus.waiting, VariantStatus.running)
COMPARED = (*OPEN, VariantStatus.finished)
"""Variants that others are compared with; a pruned one would lower the median it was stopped by."""

StopRuns = Callable[[Sequence[str]], Awaitable[None]]


class DueCheck(NamedTuple):
    """A run has trained another tenth: its variant is to be judged at this step."""

    study_id: str
    variant: int
    run_id: str
    check: int
    step: int


class Pruner:
    def __init__(self, context: Context, *, stop_runs: StopRuns, look_at: Callable[[str], None]) -> None:
        """`look_at` has the planner look at a study, one of whose variants was stopped."""
        self._context = context
        self._db = context.db
        self._stop_runs = stop_runs
        self._look_at = look_at
        self._curves = MeanCurves(context.home)
        self._watched: set[str] = set()
        self._checked: dict[str, int] = {}
        """The last check of each run that trains; after a restart it is repeated, which changes nothing."""
        self._loop = BackgroundLoop("pruning", self._look)

    async def open(self) -> None:
        for study_id in await self._db.read(studies.list_unended):
            await self._resume(study_id)
        self._context.bus.listen(STUDIES_TOPIC, self._study_changed)
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    async def _resume(self, study_id: str) -> None:
        """A lab that was killed after it had written the reason has left the runs of the variant running."""
        study, found = await self._db.read(
            lambda conn: (studies.get(conn, study_id), variants.list_all(conn, study_id))
        )
        self._study_changed(study)
        pruned = [variant for variant in found if variant.status is VariantStatus.pruned]
        await self._stop(pruned)

    def _study_changed(self, study: Study) -> None:
        sweep = study.plan.sweep
        if sweep is not None and sweep.prune and study.status in (StudyStatus.running, StudyStatus.paused):
            self._watched.add(study.id)
            self._loop.wake()
        else:
            self._watched.discard(study.id)

    async def _look(self) -> float | None:
        if not self._watched:
            return None
        training = [run for run in await self._db.read(runs.list_live) if run.study_id in self._watched]
        self._checked = {run.id: self._checked.get(run.id, 0) for run in training}
        for due in find_due(training, self._checked):
            self._checked[due.run_id] = due.check
            await self._check(due)
        return LOOK_S

    async def _check(self, due: DueCheck) -> None:
        from rl_lab.analysis.sweeps.pruning import judge

        found = await self._db.read(lambda conn: variants.list_all(conn, due.study_id))
        own = next((variant for variant in found if variant.number == due.variant), None)
        if own is None or own.status not in OPEN:
            return
        others = [v for v in found if v.number != due.variant and v.status in COMPARED]
        wanted = [run_id for variant in (own, *others) for run_id in variant.run_ids]
        rows = await self._db.read(lambda conn: {run.id: run for run in runs.list_by_ids(conn, wanted)})
        begun = [run for run in rows.values() if run.status is not RunStatus.queued]
        curves = await asyncio.to_thread(self._curves.read, begun)
        reason = judge(
            [curves[i] for i in own.run_ids if i in curves],
            {v.number: [curves[i] for i in v.run_ids if i in curves] for v in others},
            step=due.step,
            complete=sum(_is_complete(variant, rows) for variant in others),
            seeds=len(own.seeds),
        )
        if reason is not None:
            await self._prune(own, reason)

    async def _prune(self, variant: Variant, reason: str) -> None:
        """The reason first: a lab that is killed in between stops the runs when it starts again."""
        if await self._db.write(lambda conn: _write_pruned(conn, variant, reason)):
            self._context.changes.events_written()
            await self._stop([variant])
            self._look_at(variant.study_id)

    async def _stop(self, pruned: Sequence[Variant]) -> None:
        """Waiting runs leave the queue, training ones save their last checkpoint and end."""
        wanted = [run_id for variant in pruned for run_id in variant.run_ids]
        found = await self._db.read(lambda conn: runs.list_by_ids(conn, wanted)) if wanted else []
        await self._stop_runs([run.id for run in found if _is_stoppable(run)])


def find_due(training: Sequence[Run], checked: Mapping[str, int]) -> list[DueCheck]:
    """`checked` has the last check of each run."""
    from rl_lab.analysis.sweeps.pruning import check_due

    due = []
    for run in training:
        check = check_due(run.progress.fraction, checked.get(run.id, 0))
        if check is not None and run.study_id is not None and run.variant is not None:
            due.append(DueCheck(run.study_id, run.variant, run.id, check, run.progress.timestep))
    return due


def _write_pruned(conn: Connection, variant: Variant, reason: str) -> bool:
    """False if the variant or its study has ended meanwhile."""
    now = variants.get(conn, variant.study_id, variant.number)
    if now.status not in OPEN or studies.get(conn, variant.study_id).status is not StudyStatus.running:
        return False
    variants.change(conn, variant.study_id, variant.number, status=VariantStatus.pruned, reason=reason)
    for run_id in now.run_ids:
        events.append(conn, run_id, event_log.VARIANT_PRUNED, reason, data={"study_id": variant.study_id})
    return True


def _is_complete(variant: Variant, rows: Mapping[str, Run]) -> bool:
    """At least one of its seeds was trained to its end."""
    return any(rows[i].status is RunStatus.succeeded for i in variant.run_ids if i in rows)


def _is_stoppable(run: Run) -> bool:
    return run.status is RunStatus.queued or (run.status in LIVE and run.status is not RunStatus.stopping)
