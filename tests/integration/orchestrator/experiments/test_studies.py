"""Studies in a real lab: from a plan to trained runs and an end."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, open_lab
from support.waiting import wait_until_async

from rl_lab.core.runs import Run, RunStatus
from rl_lab.core.studies.studies import Study, StudyStatus
from rl_lab.orchestrator.experiments.requests import NewStudy
from rl_lab.orchestrator.lab import Lab
from rl_lab.store.run_pages import RunFilter

BASE = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake", "total_timesteps": 200}


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


def plan(**fields: Any) -> NewStudy:
    return NewStudy.model_validate({"base": BASE, "seeds": [3, 7], "start": True, **fields})


async def ended(lab: Lab, study_id: str) -> Study:
    async def find_ended() -> Study | None:
        study = await lab.experiments.studies.get(study_id)
        return study if study.ended_at is not None else None

    return await wait_until_async(find_ended, "the study to end")


async def runs_of(lab: Lab, study_id: str) -> list[Run]:
    wanted = RunFilter(study_id=study_id)
    return (await lab.queries.list_runs(wanted, sort="name", limit=200)).items


def test_a_study_trains_each_variant_with_each_seed_and_finishes(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            studies = lab.experiments.studies
            sweep = {"parameters": {"learning_rate": {"values": [0.1, 0.2]}}}
            study = await studies.create(plan(sweep=sweep, tags=["x"], priority=2))
            assert study.status is StudyStatus.running
            study = await ended(lab, study.id)
            assert study.status is StudyStatus.finished, study.reason
            assert (study.counts.planned, study.counts.succeeded, study.counts.missing) == (4, 4, 0)
            found = await runs_of(lab, study.id)
            assert [run.name for run in found] == [
                "TOY on CartPole-v1 · learning rate 0.1 · seed 3",
                "TOY on CartPole-v1 · learning rate 0.1 · seed 7",
                "TOY on CartPole-v1 · learning rate 0.2 · seed 3",
                "TOY on CartPole-v1 · learning rate 0.2 · seed 7",
            ]
            assert {(run.priority, *run.tags, run.config.evaluate_after) for run in found} == {(2, "x", 0)}  # type: ignore[union-attr]
            variants = await studies.list_variants(study.id)
            assert [v.label for v in variants] == ["learning rate 0.1", "learning rate 0.2"]
            assert all(v.status == "finished" and v.value is not None for v in variants)
            assert study.best_variant in (1, 2)
            await _fails_after_three(lab)

    asyncio.run(story())


async def _fails_after_three(lab: Lab) -> None:
    """In the same lab: a study whose every run fails."""
    crashing = {**BASE, "params": {"crash_at": 50}}
    study = await lab.experiments.studies.create(plan(base=crashing, seeds=12))
    study = await ended(lab, study.id)
    assert study.status is StudyStatus.failed
    assert study.reason is not None and "runs so far failed: " in study.reason.message
    found = [run.status for run in await runs_of(lab, study.id)]
    assert found.count(RunStatus.failed) >= 3
    assert RunStatus.stopped in found and RunStatus.queued not in found
