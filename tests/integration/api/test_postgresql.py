"""The whole lab on PostgreSQL: a training from queue to end, adopted runs, pages and events."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.labs import furnish, make_settings, open_lab, toy, wait_for, wait_for_step

from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.lab import Lab
from rl_lab.orchestrator.runs.requests import RunPatch
from rl_lab.store.run_pages import RunFilter


def test_a_training_runs_with_its_rows_in_postgresql(home: Path, empty_postgresql: str) -> None:
    furnish(home)

    async def story() -> None:
        async with open_lab(home, database_url=empty_postgresql) as lab:
            run = await lab.runs.create(toy(name="in PostgreSQL", tags=["first"]))
            ended = await wait_for(lab, run.id)
            assert ended.status is RunStatus.succeeded, ended.reason
            await lab.runs.patch(run.id, RunPatch(tags=["second"]))
            [found] = (await lab.queries.list_runs(RunFilter(q="postgresql second"))).items
            assert (found.id, found.progress.fraction) == (run.id, 1.0)
            said = [event.type for event in await lab.queries.events(run.id)]
            assert said.index("run_starting") < said.index("training_started") < said.index("run_succeeded")
            assert {"config.json", "metrics.json"} <= {a.path for a in await lab.queries.artifacts(run.id)}
            assert (await lab.queries.metrics(run.id))["reward"].total == ended.progress.episodes

    asyncio.run(story())
    assert not (home / "lab.context.db").exists()


def test_a_live_run_is_adopted_from_postgresql(home: Path, empty_postgresql: str) -> None:
    furnish(home)

    async def begin() -> str:
        lab = Lab(make_settings(home, database_url=empty_postgresql))
        await lab.start()
        run = await lab.runs.create(toy(total_timesteps=10**8, steps_per_second=4000))
        await wait_for_step(lab, run.id, 1000)
        await lab.close()
        return run.id

    async def go_on(run_id: str) -> None:
        async with open_lab(home, database_url=empty_postgresql) as lab:
            before = (await lab.queries.get_run(run_id)).progress.timestep
            await wait_for_step(lab, run_id, before + 1000)
            await lab.runs.move(run_id, "stop")
            ended = await wait_for(lab, run_id)
            assert (ended.status, ended.attempt) == (RunStatus.stopped, 1)
            assert "lost" not in await lab.queries.counters(run_id)

    asyncio.run(go_on(asyncio.run(begin())))
