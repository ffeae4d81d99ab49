"""Sweeps in a real lab: TPE to its end across a restart, a variant that is stopped early, and what the results show."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.labs import furnish, make_settings, open_lab
from support.waiting import wait_until_async

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runs import RunStatus
from rl_lab.core.studies.studies import Study, StudyStatus, Variant, VariantStatus
from rl_lab.orchestrator.experiments.requests import NewStudy
from rl_lab.orchestrator.lab import Lab
from rl_lab.store import events

BASE = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake", "total_timesteps": 400}


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


def sweep(points: int, **fields: Any) -> NewStudy:
    parameters = {
        "learning_rate": {"low": 1e-4, "high": 1e-1, "scale": "log"},
        "steps_per_second": {"values": [0, 100]},
    }
    made = {"method": "tpe", "points": points, "seed": 1, "prune": True, "parameters": parameters}
    made |= fields.pop("sweep", {})
    return NewStudy.model_validate({"base": BASE, "seeds": [3], "start": True, "sweep": made, **fields})


async def until(lab: Lab, study_id: str, is_so: Any) -> tuple[Study, list[Variant]]:
    studies = lab.experiments.studies

    async def check() -> bool:
        return bool(is_so(await studies.get(study_id), await studies.list_variants(study_id)))

    await wait_until_async(check, "the study")
    return await studies.get(study_id), await studies.list_variants(study_id)


def has_ended(study: Study, _: Sequence[Variant]) -> bool:
    return study.ended_at is not None


def test_a_tpe_sweep_keeps_its_trials_across_a_restart_and_ends(home: Path) -> None:
    base = {**BASE, "total_timesteps": 100}
    only_fast = {"parameters": {"learning_rate": {"low": 1e-4, "high": 1e-1, "scale": "log"}}}

    async def begin() -> tuple[str, dict[int, Any]]:
        lab = Lab(make_settings(home, max_running=2))
        await lab.start()
        try:
            study = await lab.experiments.studies.create(sweep(6, base=base, sweep=only_fast))
            _, found = await until(
                lab, study.id, lambda _, found: sum(v.status == "finished" for v in found) >= 2
            )
            return study.id, {v.number: v.settings for v in found}
        finally:
            await lab.close()

    async def story() -> None:
        study_id, before = await begin()
        async with open_lab(home, max_running=2) as lab:
            study, found = await until(lab, study_id, has_ended)
            assert study.status is StudyStatus.finished, study.reason
            assert [v.number for v in found] == list(range(1, 7))
            assert {v.number: v.settings for v in found[: len(before)]} == before
            assert len({str(v.settings) for v in found}) == 6
            assert (study.counts.runs, study.counts.succeeded) == (6, 6)
            assert all(v.value is not None for v in found)
            views = lab.experiments.sweep_views
            importance = await views.importance(study_id)
            assert importance.parameters == [] and "this study has 6" in importance.text
            assert len((await views.slices(study_id)).slices[0].points) == 6
            with pytest.raises(InvalidInput, match="only learning rate"):
                await views.surface(study_id, None, None)

    asyncio.run(story())


class Planted:
    """Four good points, then a bad one that trains slowly enough to be stopped."""

    def suggest(self, study: Study, variants: Sequence[Variant]) -> dict[str, Any] | None:
        if len(variants) < 4:
            return {"learning_rate": 0.05 + 0.01 * len(variants), "steps_per_second": 0}
        return {"learning_rate": 0.0001, "steps_per_second": 100}


def test_a_variant_below_the_median_is_stopped_with_the_numbers(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            studies = lab.experiments.studies
            studies.planner.suggestions.sampler = Planted()
            study = await studies.create(sweep(5, base={**BASE, "total_timesteps": 1000}))
            study, found = await until(lab, study.id, has_ended)
            assert [v.status for v in found] == [VariantStatus.finished] * 4 + [VariantStatus.pruned]
            reason = found[-1].reason or ""
            assert "is below the median" in reason and "of 4 other variants at that step." in reason
            run_id = found[-1].run_ids[0]
            run = await lab.queries.get_run(run_id)
            assert run.status is RunStatus.stopped and 200 <= run.progress.timestep < 1000
            log = await lab.context.db.read(lambda conn: events.list_page(conn, run_id))
            assert [event.message for event in log if event.type == "variant_pruned"] == [reason]
            assert study.status is StudyStatus.finished
            assert study.best_variant in (1, 2, 3, 4)
            surface = await lab.experiments.sweep_views.surface(study.id, None, None)
            assert sum(point.is_pruned for point in surface.points) == 1
            with pytest.raises(InvalidInput, match="does not vary “gamma”"):
                await lab.experiments.sweep_views.surface(study.id, "gamma", None)
            with pytest.raises(InvalidInput, match="two different"):
                await lab.experiments.sweep_views.surface(study.id, "learning_rate", "learning_rate")

    asyncio.run(story())
