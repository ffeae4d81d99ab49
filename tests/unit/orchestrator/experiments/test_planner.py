"""The planner and the moves of studies, with runs that no process works on."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from support.contexts import temporary_context

from rl_lab.core.errors import Gone, InvalidInput, MoveRefused
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import EndReason, Move, Run, RunStatus
from rl_lab.core.studies.studies import Study, StudyStatus, VariantStatus
from rl_lab.orchestrator import background
from rl_lab.orchestrator.bus import STUDIES_TOPIC
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments import planner as planner_module
from rl_lab.orchestrator.experiments.requests import MoreSeeds, NewConfirmation, NewStudy, StudyPatch
from rl_lab.orchestrator.experiments.studies import Studies
from rl_lab.orchestrator.runs.creation import create_folder
from rl_lab.orchestrator.runs.requests import NewRun, train_config
from rl_lab.runners.fake import FakeRunner
from rl_lab.store import queue, runs
from rl_lab.store.experiments import studies
from rl_lab.store.sql.tables import runs as run_rows

S = RunStatus
PLAN = {
    "base": {"algorithm": "toy", "runner": "fake", "env_id": "CartPole-v1"},
    "seeds": [1, 2],
    "start": True,
}
RATES = {"parameters": {"learning_rate": {"values": [0.1, 0.2, 0.3]}}}


class FakeRuns:
    """What studies need of the runs, without processes."""

    def __init__(self, context: Context) -> None:
        self._context = context

    async def place_files(self, run: Run) -> None:
        """Its runs start from nothing, and learn from the environment's reward."""

    async def complete(self, new: NewRun) -> TrainConfig:
        known = FakeRunner.spec.capabilities.model_copy(update={"own_environment": True})
        spec = FakeRunner.spec.model_copy(update={"capabilities": known})
        return train_config(new, spec, [])

    async def check_new(self, config: TrainConfig, consent: str | None, *, start: bool) -> None:
        pass

    async def move(self, run_id: str, move: Move) -> Run:
        to = S.queued if move == "resume" else S.stopped
        return await set_status(self._context, run_id, to)


class FakeQueue:
    training_slots = 2

    def wake(self) -> None:
        pass


async def set_status(context: Context, run_id: str, to: RunStatus, mean: float | None = None) -> Run:
    def work(conn: Any) -> Run:
        run = runs.get(conn, run_id)
        path = {S.queued: (S.starting, S.running), S.running: (), S.starting: (S.running,)}.get(
            run.status, ()
        )
        for state in (*path, to) if to is S.succeeded else (to,):
            changed = runs.change_status(
                conn, run_id, expected=runs.get(conn, run_id).status, to=state, reason=REASON
            )
        if mean is not None:
            summary = run.summary.model_copy(update={"mean_reward": mean})
            runs.update_progress(conn, run_id, run.progress, summary)
        assert changed is not None
        return runs.get(conn, run_id)

    changed = await context.db.write(work)
    context.changes.run_changed(changed)
    return changed


REASON = EndReason(cause="test", message="It broke.")


def run_story(home: Path, story: Callable[[Context, Studies], Awaitable[None]]) -> None:
    async def tell() -> None:
        async with temporary_context(home) as context:
            await story(context, make_studies(context))

    asyncio.run(tell())


def make_studies(context: Context) -> Studies:
    return Studies(context, FakeRuns(context), FakeQueue())  # type: ignore[arg-type]


async def create(made: Studies, **fields: Any) -> Study:
    study = await made.create(NewStudy.model_validate({**PLAN, **fields}))
    await made.planner.advance(study.id)
    return await made.get(study.id)


async def runs_of(context: Context, study: Study) -> list[Run]:
    def work(conn: Any) -> list[Run]:
        ids = conn.execute(select(run_rows.c.id).where(run_rows.c.study_id == study.id)).scalars().all()
        return sorted(runs.list_by_ids(conn, ids), key=lambda run: (run.created_at, run.id))

    return await context.db.read(work)


async def end_all(
    context: Context, study: Study, to: RunStatus = S.succeeded, mean: float | None = 1.0
) -> None:
    for run in await runs_of(context, study):
        if run.status is S.queued:
            await set_status(context, run.id, to, mean)


def test_the_first_seed_of_every_variant_comes_before_any_second_one(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made, sweep=RATES)
        found = await runs_of(context, study)
        assert [(run.variant, run.config.seed) for run in found] == [
            (1, 1),
            (2, 1),
            (3, 1),
            (1, 2),
            (2, 2),
            (3, 2),
        ]  # type: ignore[union-attr]
        assert {run.status for run in found} == {S.queued}

    run_story(home, story)


def test_a_lab_killed_while_it_creates_runs_creates_none_twice_and_none_too_few(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner_module, "BATCH", 2)

    async def story(context: Context, made: Studies) -> None:
        study = await made.create(NewStudy.model_validate({**PLAN, "sweep": RATES}))
        batches = 0
        create_batch = made.planner._create_batch

        async def killed_after_one(*arguments: Any) -> bool:
            nonlocal batches
            batches += 1
            if batches == 2:
                raise asyncio.CancelledError
            return await create_batch(*arguments)

        monkeypatch.setattr(made.planner, "_create_batch", killed_after_one)
        with pytest.raises(asyncio.CancelledError):
            await made.planner.advance(study.id)
        assert len(await runs_of(context, study)) == 2
        again = make_studies(context)
        await asyncio.gather(again.planner.advance(study.id), again.planner.advance(study.id))
        pairs = [(run.variant, run.config.seed) for run in await runs_of(context, study)]  # type: ignore[union-attr]
        assert sorted(pairs) == [(v, s) for v in (1, 2, 3) for s in (1, 2)]

    run_story(home, story)


def test_a_study_has_a_limited_number_of_runs_in_the_queue(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner_module, "MOST_WAITING", 3)

    async def story(context: Context, made: Studies) -> None:
        study = await create(made, seeds=5)
        assert study.counts.queued == 3
        await end_all(context, study)
        await made.planner.advance(study.id)
        assert (await made.get(study.id)).counts.runs == 5

    run_story(home, story)


def test_runs_of_two_studies_wait_by_turns(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        first = await create(made, seeds=[1, 2, 3], name="first")
        await create(made, seeds=[1, 2], name="second")
        waiting = await context.db.read(queue.list_waiting)
        turns = ["first" if row.study_id == first.id else "second" for row in waiting]
        assert turns == ["first", "second", "first", "second", "first"]

    run_story(home, story)


def test_the_study_finishes_with_the_mean_of_each_variant(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made, sweep=RATES)
        for run in await runs_of(context, study):
            await set_status(context, run.id, S.succeeded, 10.0 * (run.variant or 0) + (run.config.seed or 0))  # type: ignore[union-attr]
        await made.planner.advance(study.id)
        study = await made.get(study.id)
        assert (study.status, study.best_variant) == (StudyStatus.finished, 3)
        assert [v.value for v in await made.list_variants(study.id)] == [11.5, 21.5, 31.5]

    run_story(home, story)


def test_runs_deleted_in_between_are_counted_as_missing_and_not_created_again(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made, seeds=[1, 2, 3])
        first, second, _ = await runs_of(context, study)
        await set_status(context, first.id, S.stopped)
        await set_status(context, second.id, S.stopped)
        now = datetime.now(UTC)
        await context.db.write(lambda conn: runs.patch(conn, first.id, deleted_at=now))
        await context.db.write(lambda conn: runs.purge(conn, second.id))
        await made.planner.advance(study.id)
        assert (await made.get(study.id)).counts.missing == 2
        await end_all(context, study)
        await made.planner.advance(study.id)
        study = await made.get(study.id)
        assert (study.status, study.counts.missing, study.counts.runs) == (StudyStatus.finished, 2, 1)

    run_story(home, story)


def test_three_failures_without_a_success_fail_the_study_with_their_reason(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made, seeds=[1, 2, 3, 4])
        for run in (await runs_of(context, study))[:3]:
            await set_status(context, run.id, S.failed)
        await made.planner.advance(study.id)
        study = await made.get(study.id)
        assert study.status is StudyStatus.failed
        assert study.reason is not None and study.reason.message == "All 3 runs so far failed: It broke."
        assert (study.counts.queued, study.counts.ended) == (0, 4)
        assert (await made.list_variants(study.id))[0].status is VariantStatus.failed

    run_story(home, story)


def test_a_budget_of_runs_or_minutes_ends_the_study(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        few = await create(made, sweep=RATES, budget={"runs": 4})
        assert few.counts.runs == 4
        await end_all(context, few)
        await made.planner.advance(few.id)
        assert (await made.get(few.id)).status is StudyStatus.finished
        short = await create(made, seeds=2, budget={"minutes": 1})
        early = datetime.now(UTC) - timedelta(minutes=2)
        await context.db.write(lambda conn: studies.patch(conn, short.id, started_at=early))
        await made.planner.advance(short.id)
        short = await made.get(short.id)
        assert (short.status, short.counts.queued) == (StudyStatus.finished, 0)
        assert short.reason is not None and "1 minutes is used up" in short.reason.message

    run_story(home, story)


def test_a_paused_study_creates_nothing_until_it_resumes(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planner_module, "MOST_WAITING", 1)

    async def story(context: Context, made: Studies) -> None:
        study = await create(made, seeds=[1, 2])
        await made.move(study.id, "pause")
        await end_all(context, study)
        await made.planner.advance(study.id)
        study = await made.get(study.id)
        assert (study.status, study.counts.runs) == (StudyStatus.paused, 1)
        await made.move(study.id, "resume")
        await made.planner.advance(study.id)
        assert (await made.get(study.id)).counts.runs == 2

    run_story(home, story)


def test_a_stopped_study_refuses_wrong_moves_and_resumes_with_what_is_missing(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made)
        study = await made.move(study.id, "stop")
        assert (study.status, study.allowed, study.counts.queued) == (StudyStatus.stopped, ["resume"], 0)
        with pytest.raises(MoveRefused, match="stopped cannot pause; it can resume"):
            await made.move(study.id, "pause")
        study = await made.move(study.id, "resume")
        assert (study.status, study.counts.queued) == (StudyStatus.running, 2)

    run_story(home, story)


def test_more_seeds_continue_a_finished_study_and_a_seed_twice_is_named(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made, sweep=RATES)
        await end_all(context, study)
        await made.planner.advance(study.id)
        with pytest.raises(InvalidInput, match=r"seed 2 already \(variant 1, learning rate 0.1\)"):
            await made.add_seeds(study.id, MoreSeeds(seeds=[9, 2]))
        with pytest.raises(InvalidInput, match="seed 9 is given twice"):
            await made.add_seeds(study.id, MoreSeeds(seeds=[9, 9]))
        study = await made.add_seeds(study.id, MoreSeeds(seeds=[9], variants=[3]))
        assert (study.status, study.ended_at, study.plan.seeds) == (StudyStatus.running, None, [1, 2])
        await made.planner.advance(study.id)
        assert [len(v.run_ids) for v in await made.list_variants(study.id)] == [2, 2, 3]
        study = await made.add_seeds(study.id, MoreSeeds(count=3))
        assert len(set(study.plan.seeds) | {9}) == 6
        assert study.counts.planned == 16

    run_story(home, story)


def test_a_confirmation_trains_the_variant_against_the_base_with_fresh_seeds(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made, sweep=RATES)
        fresh = await made.confirm(study.id, NewConfirmation(variant=2))
        assert [v.label for v in await made.list_variants(fresh.id)] == ["learning rate 0.2", "base"]
        assert len(fresh.plan.seeds) == 5 and not set(fresh.plan.seeds) & {1, 2}
        alone = await made.confirm((await create(made)).id, NewConfirmation(variant=1, seeds=2))
        assert alone.counts.variants == 1

    run_story(home, story)


def test_a_deleted_study_hides_its_runs_and_restore_brings_both_back(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made)
        deleted = await made.delete(study.id)
        assert deleted.deleted_at is not None
        with pytest.raises(Gone):
            await made.get(study.id)
        assert all(run.deleted_at for run in await runs_of(context, study))
        restored = await made.restore(study.id)
        assert (restored.status, restored.counts.runs) == (StudyStatus.stopped, 2)

    run_story(home, story)


def test_a_study_with_running_runs_is_not_deleted(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made)
        await set_status(context, (await runs_of(context, study))[0].id, S.starting)
        with pytest.raises(MoveRefused, match="1 runs of the study"):
            await made.delete(study.id)

    run_story(home, story)


def test_labels_change_and_the_priority_reaches_waiting_runs(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        study = await create(made)
        patch = StudyPatch(name="new", tags=["t"], notes="**n**", priority=5, question="Why?")
        changed = await made.patch(study.id, patch)
        assert (changed.name, changed.tags, changed.notes, changed.plan.question) == (
            "new",
            ["t"],
            "**n**",
            "Why?",
        )
        assert {run.priority for run in await runs_of(context, study)} == {5}

    run_story(home, story)


def test_the_planner_looks_when_a_run_changes_and_publishes_the_study(home: Path) -> None:
    async def story(context: Context, made: Studies) -> None:
        with context.bus.subscribe([STUDIES_TOPIC]) as changes:
            await made.open()
            study = await made.create(NewStudy.model_validate(PLAN))
            while study.counts.runs < 2:
                study = (await changes.take(30))[-1].item
            await end_all(context, study)
            while study.status is not StudyStatus.finished:
                study = (await changes.take(30))[-1].item
            await made.close()

    run_story(home, story)


def test_a_full_disk_delays_the_runs_and_loses_none(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tries = 0

    def full_at_first(*arguments: Any) -> None:
        nonlocal tries
        tries += 1
        if tries == 1:
            raise OSError(errno.ENOSPC, "No space left on device")
        create_folder(*arguments)

    monkeypatch.setattr(planner_module, "create_folder", full_at_first)
    monkeypatch.setattr(background, "RETRY_S", 0.01)

    async def story(context: Context, made: Studies) -> None:
        with context.bus.subscribe([STUDIES_TOPIC]) as changes:
            await made.open()
            study = await made.create(NewStudy.model_validate(PLAN))
            while study.counts.runs < 2:
                study = (await changes.take(30))[-1].item
            await made.close()
        assert (study.status, tries) == (StudyStatus.running, 3)

    run_story(home, story)
