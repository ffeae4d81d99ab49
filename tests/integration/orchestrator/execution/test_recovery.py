"""A lab that comes back: live runs are adopted, ended ones finished, dead ones explained."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from sqlalchemy import update
from support.labs import end_all, furnish, make_settings, open_lab, toy, wait_for, wait_for_step
from support.waiting import wait_until_async

from rl_lab.core.errors import LabBusy
from rl_lab.core.runs import Run, RunStatus
from rl_lab.guardian.processes import find_survivors
from rl_lab.orchestrator.execution.launcher import _next_attempt
from rl_lab.orchestrator.lab import Lab
from rl_lab.store import runs
from rl_lab.store.attempts import Attempt
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.sql.tables import attempts


@pytest.fixture(autouse=True)
def _furnished(home: Path) -> None:
    furnish(home)


async def leave_running(
    home: Path, then: Callable[[Lab, Run], Awaitable[None]] | None = None, **params: float
) -> str:
    """A lab that starts a run and goes away; the run goes on."""
    lab = Lab(make_settings(home))
    await lab.start()
    try:
        run = await lab.runs.create(toy(**{"total_timesteps": 10**8, "steps_per_second": 1000, **params}))
        await wait_for_step(lab, run.id, 100)
        if then is not None:
            await then(lab, run)
    except BaseException:
        await end_all(lab)
        raise
    finally:
        await lab.close()
    return run.id


def test_a_live_run_is_adopted_at_once_and_obeys(home: Path) -> None:
    async def story() -> None:
        run_id = await leave_running(home)
        async with open_lab(home) as lab:
            before = await lab.queries.get_run(run_id)
            assert before.status is RunStatus.running
            await wait_for_step(lab, run_id, before.progress.timestep + 100)
            await lab.runs.move(run_id, "stop")
            ended = await wait_for(lab, run_id)
            assert ended.status is RunStatus.stopped
            assert ended.attempt == 1

    asyncio.run(story())


def test_a_run_that_ended_while_nobody_looked_is_finished(home: Path) -> None:
    async def story() -> None:
        run_id = await leave_running(home, total_timesteps=1200)
        attempt = AttemptFolder(home / "runs" / run_id, 1)
        await wait_until_async(attempt.find_exit, "the exit record")
        async with open_lab(home) as lab:
            ended = await wait_for(lab, run_id)
            assert ended.status is RunStatus.succeeded
            assert ended.progress.timestep == 1200
            counters = await lab.queries.counters(run_id)
            assert counters["type:episode"] == 60

    asyncio.run(story())


def test_a_guardian_killed_while_nobody_looked_means_lost_and_no_survivor(home: Path) -> None:
    pids: list[int] = []

    async def note_guardian(lab: Lab, run: Run) -> None:
        pid = lab.execution.supervisor.live[run.id].guardian_pid
        assert pid is not None
        pids.append(pid)

    async def story() -> None:
        run_id = await leave_running(home, note_guardian, fork_children=2)
        os.kill(pids[0], signal.SIGKILL)
        async with open_lab(home) as lab:
            ended = await wait_for(lab, run_id)
            assert ended.status is RunStatus.lost
            assert ended.reason is not None
            assert "guardian was killed" in ended.reason.message
            assert ended.allowed == ["resume"]
            assert find_survivors(run_id, 1) == []

    asyncio.run(story())


def test_another_boot_means_the_power_was_lost(home: Path) -> None:
    async def boot_elsewhere(lab: Lab, run: Run) -> None:
        await lab.context.db.write(
            lambda conn: conn.execute(
                update(attempts).where(attempts.c.run_id == run.id).values(boot_id="another")
            )
        )

    async def story() -> None:
        run_id = await leave_running(home, boot_elsewhere)
        async with open_lab(home) as lab:
            ended = await wait_for(lab, run_id)
            assert ended.status is RunStatus.lost
            assert ended.reason is not None
            assert ended.reason.cause == "power-loss"

    asyncio.run(story())


def test_an_attempt_that_was_ordered_and_never_begun_is_begun(home: Path) -> None:
    async def order_only(lab: Lab) -> str:
        run = await lab.runs.create(toy(start=False, total_timesteps=400))
        queued = await lab.runs._moves._change(run, RunStatus.queued, "Waiting.", "start")
        launcher = lab.execution.launcher
        row = _next_attempt(queued, None)
        attempt = AttemptFolder(home / "runs" / run.id, row.number)
        job = await launcher._job(queued, row, await launcher._inputs_of(queued), {})
        attempt.prepare(job.model_dump(mode="json"), _order(lab, queued, attempt))
        started = await lab.context.db.write(
            lambda conn: lab.execution.supervisor._enter_starting(conn, queued, row)
        )
        assert started is not None
        return run.id

    async def story() -> None:
        lab = Lab(make_settings(home))
        await lab.start()
        await lab.execution.queue.close()
        run_id = await order_only(lab)
        await lab.close()
        async with open_lab(home) as again:
            ended = await wait_for(again, run_id)
            assert ended.status is RunStatus.succeeded
            assert ended.attempt == 1

    asyncio.run(story())


def _order(lab: Lab, run: Run, attempt: AttemptFolder) -> dict[str, object]:
    from rl_lab.orchestrator.execution.guardians import launch_of

    return launch_of(run, attempt, lab.settings)


def test_the_queue_survives_a_restart(home: Path) -> None:
    async def story() -> None:
        lab = Lab(make_settings(home))
        await lab.start()
        await lab.execution.queue.close()
        run = await lab.runs.create(toy(total_timesteps=200))
        assert run.status is RunStatus.queued
        await lab.close()
        async with open_lab(home) as again:
            assert (await wait_for(again, run.id)).status is RunStatus.succeeded

    asyncio.run(story())


def test_a_second_lab_on_the_same_home_is_told_who_has_it(home: Path) -> None:
    async def story() -> None:
        async with open_lab(home) as lab:
            lab.announce("http://127.0.0.1:8642")
            with pytest.raises(LabBusy, match=r"127\.0\.0\.1:8642") as refused:
                await Lab(make_settings(home)).start()
            assert str(os.getpid()) in refused.value.detail

    asyncio.run(story())


def test_the_token_is_made_once_and_private(home: Path) -> None:
    async def story() -> list[str]:
        tokens = []
        for _ in range(2):
            async with open_lab(home) as lab:
                tokens.append(lab.token)
        return tokens

    first, second = asyncio.run(story())
    assert first == second
    assert len(first) >= 32
    assert (home / "token").stat().st_mode & 0o777 == 0o600


def test_a_run_without_any_trace_of_its_attempt_is_explained(home: Path) -> None:
    async def story() -> None:
        lab = Lab(make_settings(home))
        await lab.start()
        await lab.execution.queue.close()
        run = await lab.runs.create(toy(start=False))
        queued = await lab.runs._moves._change(run, RunStatus.queued, "Waiting.", "start")
        row = Attempt(run.id, 1, queued.updated_at)
        await lab.context.db.write(lambda conn: lab.execution.supervisor._enter_starting(conn, queued, row))
        await lab.context.db.write(
            lambda conn: runs.change_status(conn, run.id, expected=RunStatus.starting, to=RunStatus.running)
        )
        await lab.close()
        async with open_lab(home) as again:
            ended = await wait_for(again, run.id)
            assert ended.status in (RunStatus.lost, RunStatus.failed)
            assert ended.reason is not None

    asyncio.run(story())
