"""The Planner creates the runs of studies, notices their ends, and ends studies.

Everything it needs is in lab.db, so it continues after a restart: a run and the count of its variant are written in
one transaction, which creates none twice and leaves none out. It looks at a study again when one of its runs changes.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection

from rl_lab.core import event_log
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.errors import LabError, NotFound
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.queue.order import QueuePlace
from rl_lab.core.runs import FINAL, EndReason, Run, RunStatus
from rl_lab.core.studies.outcomes import (
    StudyEnd,
    awaits_points,
    by_variant,
    decide_end,
    judge_variant,
    next_pairs,
    time_left_s,
)
from rl_lab.core.studies.studies import STUDY_ENDED, Study, StudyStatus, Variant
from rl_lab.core.words.variant_labels import study_run_name
from rl_lab.orchestrator.background import BackgroundLoop
from rl_lab.orchestrator.bus import RUNS_TOPIC, STUDIES_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments.plans import Plans
from rl_lab.orchestrator.experiments.study_ends import StudyEnds
from rl_lab.orchestrator.experiments.suggestions import Suggestions
from rl_lab.orchestrator.runs.creation import create_folder, study_run
from rl_lab.orchestrator.runs.start_points import note_start
from rl_lab.store import events, queue, runs
from rl_lab.store.experiments import studies, study_outcomes, variants

log = logging.getLogger(__name__)

BATCH = 25
"""Runs created in one transaction: the lab answers others in between."""
MOST_WAITING = 250
"""A study has no more runs in the queue than this; the next are created as these start."""
PAUSE_S = 0.2
"""Between two looks at the same studies, however often their runs change."""
ACTIVE = (StudyStatus.running, StudyStatus.paused)


PlaceFiles = Callable[[Run], Awaitable[Artifact | None]]


class Planner:
    def __init__(
        self,
        context: Context,
        plans: Plans,
        *,
        ends: StudyEnds,
        wake_queue: Callable[[], None],
        training_slots: Callable[[], int],
        place_files: PlaceFiles,
    ) -> None:
        """`place_files` puts the reward and the weights that a new run starts with into its folder."""
        self._context = context
        self._place_files = place_files
        self._db = context.db
        self._plans = plans
        self._ends = ends
        self._wake_queue = wake_queue
        self.suggestions = Suggestions(context.db, plans, training_slots)
        self._changed: set[str] = set()
        self._statuses: dict[str, RunStatus] = {}
        """The last state seen of each run of a study that has not ended."""
        self._loop = BackgroundLoop("studies", self._look)

    async def open(self) -> None:
        """Continues what an earlier lab began."""
        self._changed.update(await self._db.read(studies.list_unended))
        self._context.bus.listen(RUNS_TOPIC, self._run_changed)
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    def look_at(self, study_id: str) -> None:
        """Soon: creates what is missing, and publishes the study."""
        self._changed.add(study_id)
        self._loop.wake()

    def publish(self, study: Study) -> None:
        self._context.bus.publish(STUDIES_TOPIC, int(datetime.now(UTC).timestamp() * 1e6), study)

    def _run_changed(self, run: Run) -> None:
        """Only a new state matters; progress is published with the run."""
        if run.kind is RunKind.evaluate and run.status in FINAL and run.parent_id is not None:
            self._context.tasks.start(self._evaluated(run.parent_id))
        if run.study_id is None or (self._statuses.get(run.id) is run.status and run.deleted_at is None):
            return
        if run.status in FINAL:
            self._statuses.pop(run.id, None)
        else:
            self._statuses[run.id] = run.status
        self.look_at(run.study_id)

    async def _evaluated(self, run_id: str) -> None:
        try:
            run = await self._db.read(lambda conn: runs.get(conn, run_id, include_deleted=True))
        except NotFound:
            return
        if run.study_id is not None:
            self.look_at(run.study_id)

    async def _look(self) -> float | None:
        """One round over the studies that have changed; returns when the next budget of time ends."""
        waits = []
        for study_id in sorted(self._changed):
            self._changed.discard(study_id)
            try:
                left = await self.advance(study_id)
            except BaseException:
                self._changed.add(study_id)  # tried again in the next round
                raise
            waits.extend([left] if left is not None else [])
        await asyncio.sleep(PAUSE_S)
        for study_id in await self._db.read(studies.list_unended) if waits else ():
            self._changed.add(study_id)
        return min(waits, default=None)

    async def advance(self, study_id: str) -> float | None:
        """Judges variants, ends the study or creates runs; returns the seconds until it must be looked at again."""
        try:
            study, found = await self._judge(study_id)
        except NotFound:
            return None
        if study.status is StudyStatus.running and study.deleted_at is None:
            await self._create_runs(study, found)
            study = await self._db.read(lambda conn: studies.get(conn, study_id, include_deleted=True))
        self.publish(study)
        return time_left_s(study, datetime.now(UTC)) if study.status in ACTIVE else None

    async def _create_runs(self, study: Study, found: list[Variant]) -> None:
        try:
            if awaits_points(study, found) and study.id not in self.suggestions.exhausted:
                found = await self._extend(study, found)
            room = MOST_WAITING - study.counts.queued
            pairs = next_pairs(study, found, max(0, room))
            for start in range(0, len(pairs), BATCH):
                if not await self._create_batch(study, pairs[start : start + BATCH]):
                    return
        except LabError as error:
            reason = EndReason(cause="not-created", message=error.detail, next_step=error.next_step or "")
            await self._end(study.id, StudyEnd(StudyStatus.failed, reason))

    async def _extend(self, study: Study, found: list[Variant]) -> list[Variant]:
        extended = await self.suggestions.extend(study, found)
        if study.id in self.suggestions.exhausted:
            self.look_at(study.id)  # it may be complete now
        return extended

    async def _create_batch(self, study: Study, pairs: Sequence[tuple[Variant, int, int]]) -> bool:
        """False if the study is no longer running."""
        configs: dict[int, TrainConfig] = {}
        new: list[tuple[Run, int]] = []
        for variant, place, seed in pairs:
            if variant.number not in configs:
                configs[variant.number] = await self._plans.complete(study.plan, variant.settings)
            config = configs[variant.number].model_copy(update={"seed": seed})
            name = study_run_name(config.algorithm, config.env_id, variant.label, seed)
            tags = [*study.tags, *(study.plan.base.get("tags") or [])]
            new.append((study_run(config, study, variant, name=name, tags=tags), place))
        await asyncio.to_thread(self._create_folders, [run for run, _ in new])
        starts = [await self._place_files(run) for run, _ in new]
        created = await self._db.write(lambda conn: _insert(conn, study, new, starts))
        for run in created:
            self._context.changes.run_changed(run)
        self._wake_queue()
        return bool(created)

    def _create_folders(self, new: Sequence[Run]) -> None:
        for run in new:
            create_folder(self._context.home, run)

    async def _judge(self, study_id: str) -> tuple[Study, list[Variant]]:
        exhausted = study_id in self.suggestions.exhausted
        study, found, end = await self._db.write(lambda conn: _judge(conn, study_id, exhausted=exhausted))
        return (study if end is None else await self._end(study_id, end)), found

    async def _end(self, study_id: str, end: StudyEnd) -> Study:
        await self._ends.end(study_id, end, expected=ACTIVE)
        study, _, _ = await self._db.write(lambda conn: _judge(conn, study_id))
        return study


def _insert(
    conn: Connection,
    study: Study,
    new: Sequence[tuple[Run, int]],
    starts: Sequence[Artifact | None],
) -> list[Run]:
    """The runs that nobody has created before, and the counts of their variants."""
    if studies.get_status(conn, study.id) is not StudyStatus.running:
        return []
    fresh = [
        run for run, place in new if variants.count_created(conn, study.id, run.variant or 0, expected=place)
    ]
    start_of = {run.id: start for (run, _), start in zip(new, starts, strict=True)}
    for run in fresh:
        # One by one: the place of a run depends on those of its study that wait already.
        place = queue.find_end_place(conn, run.kind, run.priority, study.id)
        runs.insert_all(conn, [run])
        queue.put_places(conn, [QueuePlace(run.id, run.priority, place)])
        message = f"Created by the study “{study.name}”."
        events.append(conn, run.id, event_log.RUN_QUEUED, message, data={"study_id": study.id})
        note_start(conn, run, start_of[run.id])
    return runs.list_by_ids(conn, [run.id for run in fresh])


def _judge(
    conn: Connection, study_id: str, *, exhausted: bool = False
) -> tuple[Study, list[Variant], StudyEnd | None]:
    """Writes the states and values of variants that have changed; returns how the study ends, if it does."""
    study = studies.get(conn, study_id, include_deleted=True)
    outcomes = study_outcomes.list_outcomes(conn, study_id, study.plan)
    grouped = by_variant(outcomes)
    is_over = study.status in STUDY_ENDED
    judged, has_changed = [], False
    for variant in variants.list_all(conn, study_id):
        now = judge_variant(variant, grouped.get(variant.number, []), is_over=is_over)
        judged.append(now)
        if now != variant:
            fields = {"status": now.status, "reason": now.reason, "value": now.value}
            variants.change(conn, study_id, now.number, **fields)
            has_changed = True
    if has_changed:
        study = studies.get(conn, study_id, include_deleted=True)
    if study.status not in ACTIVE or study.deleted_at is not None:
        return study, judged, None
    has_more = not exhausted and awaits_points(study, judged)
    end = decide_end(study, judged, outcomes, now=datetime.now(UTC), has_more=has_more)
    return study, judged, end
