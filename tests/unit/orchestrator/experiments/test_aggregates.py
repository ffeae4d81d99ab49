"""Statistics of a study: kept curves, states of seeds, and answers that are computed once."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Progress, Run, RunStatus, Summary
from rl_lab.core.studies.comparisons import ComparisonQuestion, CurveQuestion
from rl_lab.core.studies.studies import Study, StudyPlan, Variant
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.experiments.aggregates import Aggregates
from rl_lab.orchestrator.runs import seed_curves
from rl_lab.orchestrator.runs.creation import create_folder
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store import run_curves, runs
from rl_lab.store.experiments import studies, variants
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import TelemetryDb
from rl_lab.store.telemetry.batch import Batch, Position

NOW = datetime(2026, 1, 1, tzinfo=UTC)
STUDY = "study0000000"


class Catalogue:
    async def environment(self, env_id: str) -> Any:
        return SimpleNamespace(reward_threshold=475.0)


def _run(number: int, variant: int, status: RunStatus, final: float | None) -> Run:
    config = TrainConfig(
        algorithm="toy", env_id="CartPole-v1", runner="fake", seed=number, params={"learning_rate": variant}
    )
    return Run(
        id=f"run{number:09d}",
        name=f"run {number}",
        status=status,
        config=config,
        study_id=STUDY,
        variant=variant,
        attempt=1,
        progress=Progress(timestep=2000, total_timesteps=2000),
        summary=Summary(mean_reward=final, best_mean_reward=final),
        created_at=NOW,
        updated_at=NOW,
    )


def _write(home: Path, run: Run, episodes: int, value: float) -> None:
    steps = 10 * np.arange(1, episodes + 1)
    points = SimpleNamespace(steps=steps, times=1e9 + steps, values=np.full(episodes, value))
    writer = TelemetryDb(RunFolder(home, run.id).telemetry, waits_for_disk=False)
    writer.apply(Batch(Position(1, 1, 1), points={"reward": cast(Any, points)}))
    writer.close()


async def _fill(context: Context) -> list[Run]:
    plan = StudyPlan(base={"env_id": "CartPole-v1"}, seeds=list(range(6)))
    study = Study(id=STUDY, name="study", plan=plan, created_at=NOW, updated_at=NOW)
    known = [Variant(study_id=STUDY, number=n, label=f"rate {n}", seeds=plan.seeds) for n in (1, 2)]
    first = [_run(n, 1, RunStatus.succeeded, 100.0 + n) for n in range(5)]
    second = [_run(10 + n, 2, RunStatus.succeeded, 480.0 + n) for n in range(4)]
    second += [_run(14, 2, RunStatus.failed, 484.0), _run(15, 2, RunStatus.running, 9.0)]
    await context.db.write(lambda conn: studies.insert(conn, study))
    await context.db.write(lambda conn: variants.insert_all(conn, known))
    for run in (*first, *second):
        create_folder(context.home, run)
        _write(context.home, run, 100 if run.id.endswith("14") else 200, run.summary.mean_reward or 0.0)
    await context.db.write(lambda conn: runs.insert_all(conn, [*first, *second]))
    return [*first, *second]


def test_a_study_is_compared_by_its_variants_and_every_seed_is_accounted_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            made = await _fill(context)
            queries = RunQueries(context, cast(Any, Catalogue()))
            aggregates = Aggregates(context, queries)
            found = await aggregates.compare_study(STUDY, ComparisonQuestion(step=500))
            first, second = found.groups
            assert (found.reference, found.measure) == ("rate 1", "at_step")
            assert first.notes == ["1 of 6 planned seeds has no run: not created yet, or deleted."]
            assert second.statistics["final"].seeds == 5
            assert second.statistics["area"].mean == pytest.approx(482.0)
            assert second.counts.model_dump() | {"total": 6} == {
                "total": 6,
                "ended_early": 1,
                "failed": 1,
                "training": 1,
                "without_values": 0,
                "not_finite": 0,
            }
            assert second.notes[0] == (
                "1 of 6 seeds ended early (the first at step 1,000 of 2,000); its last value is used."
            )
            assert "failed or was stopped (seed 14)" in second.notes[1]
            assert second.notes[2] == "1 of 6 seeds has not ended; it is left out until then."
            [verdict] = found.verdicts
            assert verdict.outcome == "better" and verdict.sentence.startswith("rate 2 is better than rate 1")
            assert second.threshold_times is not None and second.threshold_times.reached == 5
            await _curves_are_kept(context, aggregates, made, monkeypatch)
            with pytest.raises(InvalidInput, match="none of the groups"):
                await aggregates.compare_study(STUDY, ComparisonQuestion(reference="rate 9"))
            with pytest.raises(InvalidInput, match="needs a step"):
                await aggregates.compare([made[0].id], ComparisonQuestion(measure="at_step"))
            with pytest.raises(NotFound):
                await aggregates.compare_study("x" * 12, ComparisonQuestion())

    asyncio.run(story())


def test_groups_with_a_wrapper_of_the_user_say_that_their_returns_cannot_be_checked(tmp_path: Path) -> None:
    wrapped = {"wrappers": [{"id": "custom", "code": "hold@v1"}]}
    plan = StudyPlan(base={"env_id": "CartPole-v1"}, seeds=[1])
    study = Study(id=STUDY, name="study", plan=plan, created_at=NOW, updated_at=NOW)
    settings: list[dict[str, Any]] = [{}, {"env.wrappers": wrapped["wrappers"]}]
    known = [
        Variant(study_id=STUDY, number=n, label=f"variant {n}", seeds=[1], settings=one)
        for n, one in enumerate(settings, 1)
    ]
    plain, other = (_run(n, n, RunStatus.succeeded, 1.0) for n in (1, 2))
    other.config = cast(TrainConfig, other.config).model_copy(update={"env_kwargs": wrapped})

    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            await context.db.write(lambda conn: studies.insert(conn, study))
            await context.db.write(lambda conn: variants.insert_all(conn, known))
            for run in (plain, other):
                create_folder(context.home, run)
                _write(context.home, run, 10, 1.0)
            await context.db.write(lambda conn: runs.insert_all(conn, [plain, other]))
            aggregates = Aggregates(context, RunQueries(context, cast(Any, Catalogue())))
            question = ComparisonQuestion()
            for found in (
                await aggregates.compare_study(STUDY, question),
                await aggregates.compare([plain.id, other.id], question),
            ):
                noted = ["cannot check" in " ".join(group.notes) for group in found.groups]
                assert noted == [False, True]

    asyncio.run(story())


async def _curves_are_kept(
    context: Context, aggregates: Aggregates, made: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next question reads no file: ended runs are in lab.db, the one that trains is in memory."""
    stored = await context.db.read(lambda conn: run_curves.find_all(conn, [run.id for run in made]))
    assert set(stored) == {run.id for run in made if run.status is not RunStatus.running}

    async def opened(*_: object) -> None:
        raise AssertionError("a file was read again")

    monkeypatch.setattr(seed_curves.SeedCurves, "_open", opened)
    curves = await aggregates.study_curves(STUDY, CurveQuestion(points=20))
    one, other = curves.groups
    assert set(one.seeds) == {5} and set(other.seeds) == {6}
    assert one.value == pytest.approx([102.0] * len(one.step))
    assert all(low is not None and low < 102 for low in one.low)
    assert other.least == pytest.approx([9.0] * len(other.step)) and curves.threshold == 475.0
    assert await aggregates.study_curves(STUDY, CurveQuestion(points=20)) is curves


def test_the_curve_of_a_run_is_stored_when_it_ends_and_read_again_when_it_was_resumed(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = (await _fill(context))[0]
            curves = RunQueries(context, cast(Any, Catalogue())).seed_curves
            await curves.keep(run)
            [row] = [seed_curves.seed_row(run)]
            assert (await curves.find_all([row]))[run.id].value[-1] == 100.0
            RunFolder(context.home, run.id).telemetry.unlink()
            assert len((await curves.find_all([row]))[run.id]) == 200
            assert len((await curves.find_all([row._replace(version=row.version + 1)]))[run.id]) == 0

    asyncio.run(story())
