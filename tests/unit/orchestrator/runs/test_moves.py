"""Moves without a lab: a database, and a supervisor that only notes what it is sent."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from support.contexts import add_run, change, get, messages, temporary_context

from rl_lab.core.errors import MoveRefused, NotReady
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.runs.moves import Moves

RUNNING = (RunStatus.queued, RunStatus.starting, RunStatus.running)


class Fakes:
    """Everything around the moves."""

    def __init__(self, context: Context) -> None:
        self.sent: list[str] = []
        self.noted: list[RunStatus] = []
        self.checked = 0
        self.woken = 0
        self.refusal: NotReady | None = None
        self.moves = Moves(
            context,
            self,
            check=self._check,
            require_resumable=self._check,
            queue=self,
            stop_following=self._stop_following,
        )

    def control(self, run_id: str, control: str) -> None:
        self.sent.append(control)

    def note_status(self, run: Run) -> None:
        self.noted.append(run.status)

    async def _check(self, run: Run) -> None:
        self.checked += 1
        if self.refusal is not None:
            raise self.refusal

    def wake(self) -> None:
        self.woken += 1

    def describe_wait(self, conn: object, run: Run) -> str:
        return "Waits for a slot."

    async def _stop_following(self, run: Run) -> Run:
        return run


def story(home: Path, test: Callable[[Context, Fakes], Awaitable[None]]) -> None:
    async def run() -> None:
        async with temporary_context(home) as context:
            await test(context, Fakes(context))

    asyncio.run(run())


def test_a_start_is_checked_once_and_wakes_the_queue(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context)
        assert (await fakes.moves.move(run.id, "start")).status is RunStatus.queued
        assert (fakes.checked, fakes.woken) == (1, 1)

    story(tmp_path, test)


def test_a_refused_start_changes_nothing(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context)
        fakes.refusal = NotReady("No space.")
        with pytest.raises(NotReady):
            await fakes.moves.move(run.id, "start")
        assert (await get(context, run.id)).status is RunStatus.created
        assert fakes.woken == 0

    story(tmp_path, test)


def test_a_run_in_the_queue_is_stopped_at_once(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context, RunStatus.queued)
        assert (await fakes.moves.move(run.id, "stop")).status is RunStatus.stopped
        assert (await messages(context, run.id))[-1] == "Taken out of the queue."

    story(tmp_path, test)


def test_a_live_run_is_asked_to_stop_and_then_killed(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context, *RUNNING)
        assert (await fakes.moves.move(run.id, "stop")).status is RunStatus.stopping
        await fakes.moves.move(run.id, "stop", force=True)
        assert fakes.sent == ["stop", "kill"]
        assert fakes.noted == [RunStatus.stopping]

    story(tmp_path, test)


def test_a_pause_is_a_request_until_the_worker_reports_it(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context, *RUNNING)
        paused = await fakes.moves.move(run.id, "pause")
        assert (paused.status, paused.paused_wanted) == (RunStatus.running, True)
        assert fakes.sent == ["pause"]

    story(tmp_path, test)


def test_a_move_that_comes_second_is_checked_against_the_new_state(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        seen = await add_run(context, RunStatus.queued)
        await change(context, seen, RunStatus.starting)
        assert (await fakes.moves.stop(seen)).status is RunStatus.stopping

    story(tmp_path, test)


def test_an_ended_run_cannot_be_stopped(tmp_path: Path) -> None:
    async def test(context: Context, fakes: Fakes) -> None:
        run = await add_run(context, RunStatus.queued, RunStatus.stopped)
        with pytest.raises(MoveRefused) as refused:
            await fakes.moves.move(run.id, "stop")
        assert refused.value.allowed == run.allowed

    story(tmp_path, test)
