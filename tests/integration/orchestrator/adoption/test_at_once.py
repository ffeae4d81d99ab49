"""The same folders asked for at the same moment: one adoption, no run twice, counts that are true."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.labs import furnish, open_lab
from support.waiting import wait_until_async

from rl_lab.core.adoption import AdoptRequest, AdoptResult
from rl_lab.orchestrator.lab import Lab

RUNS = 12


@pytest.fixture
def source(home: Path, tmp_path: Path) -> Path:
    furnish(home)
    for number in range(RUNS):
        folder = tmp_path / "source" / "inner" / f"run{number}"
        folder.mkdir(parents=True)
        lines = ["time/total_timesteps,rollout/ep_rew_mean", *(f"{i * 100},{i}" for i in range(50))]
        (folder / "progress.csv").write_text("\n".join(lines))
    return tmp_path / "source"


async def done(lab: Lab, adoption_id: str) -> AdoptResult:
    await wait_until_async(lambda: lab.adoptions.result(adoption_id).is_done, "the adoption")
    return lab.adoptions.result(adoption_id)


def test_a_folder_asked_for_twice_at_once_is_adopted_once(home: Path, source: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            wanted = AdoptRequest(folder=str(source))
            first, second = await asyncio.gather(lab.adoptions.adopt(wanted), lab.adoptions.adopt(wanted))
            assert first.id == second.id
            assert (await done(lab, first.id)).adopted == RUNS
            assert (await lab.queries.list_runs()).total == RUNS

    asyncio.run(story())


def test_of_overlapping_folders_adopted_at_once_each_run_is_counted_once(home: Path, source: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            folders = (source, source / "inner")
            begun = [lab.adoptions.adopt(AdoptRequest(folder=str(folder))) for folder in folders]
            results = [await done(lab, result.id) for result in await asyncio.gather(*begun)]
            assert sum(result.adopted for result in results) == RUNS
            for result in results:
                for run_id in result.run_ids:
                    assert (await lab.queries.get_run(run_id)).source is not None
            assert len(list((home / "runs").iterdir())) == (await lab.queries.list_runs()).total == RUNS

    asyncio.run(story())
