"""The System page of one lab, while another lab of the same machine works too."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.labs import furnish, open_lab, toy, wait_for

from rl_lab.core.runs import RunStatus


def test_each_lab_lists_the_processes_of_its_own_runs_only(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    furnish(mine)
    furnish(other)
    asyncio.run(_compare(mine, other))


async def _compare(mine: Path, other: Path) -> None:
    async with open_lab(mine) as lab, open_lab(other) as neighbour:
        run = await neighbour.runs.create(toy(total_timesteps=10_000_000, steps_per_second=100))
        await wait_for(neighbour, run.id, RunStatus.running)
        assert [one.run_id for one in (await neighbour.machine.system()).runs] == [run.id]
        assert (await lab.machine.system()).runs == []
