"""The pruner without processes: when a variant is looked at, and what a killed lab leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from support.contexts import CONFIG, temporary_context

from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.studies.studies import Study, StudyPlan, StudyStatus, Variant, VariantStatus
from rl_lab.core.studies.sweeps import Choices, Sweep
from rl_lab.orchestrator.experiments.pruner import Pruner, find_due
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.store import runs
from rl_lab.store.experiments import studies, variants

NOW = datetime(2026, 1, 1, tzinfo=UTC)
SWEEP = Sweep(parameters={"learning_rate": Choices(values=[0.1, 0.2])}, prune=True)


def training(number: int, fraction: float, status: RunStatus = RunStatus.running) -> Run:
    run = new_run(CONFIG, name=f"variant {number}")
    run.progress.fraction, run.progress.timestep = fraction, int(1000 * fraction)
    return run.model_copy(update={"study_id": "s", "variant": number, "status": status})


def test_a_run_is_due_once_after_each_tenth() -> None:
    early, late = training(1, 0.1), training(2, 0.45)
    (due,) = find_due([early, late], {})
    assert (due.study_id, due.variant, due.run_id, due.step) == ("s", 2, late.id, 450)
    assert find_due([early, late], {late.id: due.check}) == []


def test_a_run_outside_of_a_study_is_never_due() -> None:
    alone = training(1, 0.5).model_copy(update={"study_id": None, "variant": None})
    assert find_due([alone], {}) == []


def test_runs_of_a_pruned_variant_that_a_killed_lab_left_are_stopped(tmp_path: Path) -> None:
    left, queued, ended = (
        training(1, 0.3),
        training(1, 0.0, RunStatus.queued),
        training(1, 0.3, RunStatus.stopped),
    )
    healthy = training(2, 0.3)
    plan = StudyPlan(base={}, sweep=SWEEP, seeds=[1, 2, 3])
    study = Study(
        id="s",
        name="s",
        status=StudyStatus.running,
        plan=plan,
        created_at=NOW,
        started_at=NOW,
        updated_at=NOW,
    )
    found = [
        Variant(
            study_id="s", number=1, label="one", status=VariantStatus.pruned, reason="Too low.", created=3
        ),
        Variant(study_id="s", number=2, label="two", status=VariantStatus.running, created=1),
    ]
    stopped: list[str] = []

    async def stop(run_ids: Sequence[str]) -> None:
        stopped.extend(run_ids)

    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            await context.db.write(lambda conn: studies.insert(conn, study))
            await context.db.write(lambda conn: variants.insert_all(conn, found))
            await context.db.write(lambda conn: runs.insert_all(conn, [left, queued, ended, healthy]))
            pruner = Pruner(context, stop_runs=stop, look_at=lambda _: None)
            await pruner.open()
            await pruner.close()

    asyncio.run(story())
    assert sorted(stopped) == sorted([left.id, queued.id])
