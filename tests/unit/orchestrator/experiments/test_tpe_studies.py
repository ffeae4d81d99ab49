"""TPE sweeps with the real planner, sampler and store; a training is one transaction that writes its result."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection
from support.contexts import temporary_context

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import EndReason, Progress, Run, RunStatus, Summary
from rl_lab.core.studies.studies import Study, StudyPlan, StudyStatus, Variant, VariantStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments.planner import Planner
from rl_lab.orchestrator.experiments.plans import Plans
from rl_lab.orchestrator.experiments.study_ends import StudyEnds
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store import runs
from rl_lab.store.experiments import studies, variants

RATE = {"learning_rate": {"low": 1e-4, "high": 1e-1, "scale": "log"}}


async def complete(new: NewRun) -> TrainConfig:
    return TrainConfig(env_id="CartPole-v1", algorithm="toy", runner="fake", params=new.params)


async def ignore(_: object) -> None:
    return None


async def no_start(run: Run) -> None:
    """Its runs start from nothing."""


class Bench:
    """One study whose runs end when the test says so."""

    def __init__(self, context: Context, study: Study, slots: int) -> None:
        self.context = context
        self.study_id = study.id
        self.slots = slots
        self.planner = self.restart()

    def restart(self) -> Planner:
        """As after a start of the lab: nothing is left in memory."""
        self.planner = Planner(
            self.context,
            Plans(complete),
            ends=StudyEnds(self.context, ignore),
            wake_queue=lambda: None,
            training_slots=lambda: self.slots,
            place_files=no_start,
        )
        return self.planner

    async def look(self) -> Study:
        await self.planner.advance(self.study_id)
        return await self.context.db.read(lambda conn: studies.get(conn, self.study_id))

    async def found(self) -> list[Variant]:
        return await self.context.db.read(lambda conn: variants.list_all(conn, self.study_id))

    async def waiting(self) -> list[str]:
        return await self.context.db.read(
            lambda conn: studies.list_runs(conn, self.study_id, [RunStatus.queued])
        )

    async def train(self, run_id: str, *, to: RunStatus = RunStatus.succeeded) -> None:
        await self.context.db.write(lambda conn: _train(conn, run_id, to))

    async def train_all(self) -> Study:
        """To the end of the study."""
        while (study := await self.look()).ended_at is None:
            for run_id in await self.waiting():
                await self.train(run_id)
        return study


def _train(conn: Connection, run_id: str, to: RunStatus) -> None:
    run = runs.get(conn, run_id)
    assert isinstance(run.config, TrainConfig)
    state = RunStatus.queued
    for step in (RunStatus.starting, RunStatus.running):
        runs.change_status(conn, run_id, expected=state, to=step)
        state = step
    reward = -abs(math.log10(float(run.config.params.get("learning_rate", 1))) + 3)
    if to is RunStatus.succeeded:
        runs.update_progress(conn, run_id, Progress(fraction=1.0), Summary(mean_reward=reward))
    reason = EndReason(cause="error", message="It crashed.") if to is RunStatus.failed else None
    runs.change_status(conn, run_id, expected=state, to=to, reason=reason)


def told(
    home: Path,
    story: Callable[[Bench], Coroutine[Any, Any, None]],
    *,
    slots: int = 1,
    sweep: dict[str, Any] | None = None,
    **plan: Any,
) -> None:
    async def work() -> None:
        now = datetime.now(UTC)
        made = {"method": "tpe", "points": 8, "seed": 1, "parameters": RATE, **(sweep or {})}
        complete_plan = StudyPlan.model_validate(
            {"base": {"algorithm": "toy", "runner": "fake"}, "sweep": made, "seeds": [1], **plan}
        )
        study = Study(
            id=new_run_id(),
            name="s",
            status=StudyStatus.running,
            plan=complete_plan,
            created_at=now,
            started_at=now,
            updated_at=now,
        )
        async with temporary_context(home) as context:
            await context.db.write(lambda conn: studies.insert(conn, study))
            await story(Bench(context, study, slots))

    asyncio.run(work())


def test_a_point_is_suggested_when_the_one_before_has_a_result(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        for number in range(1, 9):
            await bench.look()
            await bench.look()
            assert len(await bench.found()) == number
            assert len(await bench.waiting()) == 1
            await bench.train((await bench.waiting())[0])
        assert (await bench.look()).status is StudyStatus.finished

    told(tmp_path, story)


def test_all_seeds_of_a_point_end_before_the_next_is_suggested(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.look()
        first, second = await bench.waiting()
        await bench.train(first)
        await bench.look()
        assert len(await bench.found()) == 1
        await bench.train(second)
        await bench.look()
        assert [v.status for v in await bench.found()] == [VariantStatus.finished, VariantStatus.waiting]

    told(tmp_path, story, seeds=[1, 2])


def test_points_fill_the_slots(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.look()
        assert len(await bench.waiting()) == 3

    told(tmp_path, story, slots=3)


def test_a_restart_changes_no_suggestion(tmp_path: Path) -> None:
    settings: list[list[Any]] = []

    async def straight(bench: Bench) -> None:
        await bench.train_all()
        settings.append([v.settings for v in await bench.found()])

    async def restarted(bench: Bench) -> None:
        for _ in range(5):
            await bench.look()
            await bench.train((await bench.waiting())[0])
            bench.restart()
        await bench.train_all()
        settings.append([v.settings for v in await bench.found()])

    told(tmp_path / "one", straight)
    told(tmp_path / "two", restarted)
    assert settings[0] == settings[1]


def test_a_sweep_ends_when_every_combination_was_tried(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        study = await bench.train_all()
        assert study.status is StudyStatus.finished
        assert sorted(v.settings["learning_rate"] for v in await bench.found()) == [0.001, 0.01, 0.1]

    told(tmp_path, story, sweep={"parameters": {"learning_rate": {"values": [0.1, 0.01, 0.001]}}})


def test_three_failures_and_no_success_end_the_sweep_with_the_reason(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        for _ in range(3):
            await bench.look()
            await bench.train((await bench.waiting())[0], to=RunStatus.failed)
        study = await bench.look()
        assert study.status is StudyStatus.failed
        assert study.reason is not None and "It crashed." in study.reason.message
        assert await bench.waiting() == []
        assert [v.status for v in await bench.found()] == [VariantStatus.failed] * 3

    told(tmp_path, story)


def test_the_budget_of_runs_ends_the_sweep(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        study = await bench.train_all()
        assert (study.status, study.counts.succeeded) == (StudyStatus.finished, 5)

    told(tmp_path, story, seeds=[1, 2], budget={"runs": 5})


def test_a_pruned_variant_that_reached_its_end_is_finished(tmp_path: Path) -> None:
    async def story(bench: Bench) -> None:
        await bench.look()
        await bench.context.db.write(
            lambda conn: variants.change(
                conn, bench.study_id, 1, status=VariantStatus.pruned, reason="Too low."
            )
        )
        await bench.look()
        assert (await bench.found())[0].status is VariantStatus.pruned
        await bench.train((await bench.waiting())[0])
        await bench.look()
        first = (await bench.found())[0]
        assert (first.status, first.reason) == (VariantStatus.finished, None)

    told(tmp_path, story)
