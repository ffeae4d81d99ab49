"""A background loop works when it is woken, survives errors, and can be closed."""

from __future__ import annotations

import asyncio

import pytest

from rl_lab.orchestrator import background
from rl_lab.orchestrator.background import BackgroundLoop, BackgroundTasks, undivided


class Rounds:
    """Counts rounds; the test waits for them."""

    def __init__(self, *errors: Exception) -> None:
        self.count = 0
        self._errors = list(errors)
        self._done = asyncio.Condition()

    async def work(self) -> float | None:
        async with self._done:
            self.count += 1
            self._done.notify_all()
        if self._errors:
            raise self._errors.pop(0)
        return None

    async def reached(self, count: int) -> None:
        async with asyncio.timeout(10), self._done:
            await self._done.wait_for(lambda: self.count >= count)


def test_it_works_once_when_opened_and_again_when_woken() -> None:
    async def story() -> None:
        rounds = Rounds()
        loop = BackgroundLoop("test", rounds.work)
        loop.open()
        await rounds.reached(1)
        loop.wake()
        await rounds.reached(2)
        await loop.close()
        loop.wake()
        await asyncio.sleep(0)
        assert rounds.count == 2

    asyncio.run(story())


def test_a_wake_during_a_round_causes_another_round() -> None:
    async def story() -> None:
        rounds = Rounds()

        async def work() -> None:
            if rounds.count == 0:
                loop.wake()
            await rounds.work()

        loop = BackgroundLoop("test", work)
        loop.open()
        await rounds.reached(2)
        await loop.close()

    asyncio.run(story())


def test_an_error_ends_the_round_but_not_the_loop(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(background, "RETRY_S", 0.0)

    async def story() -> None:
        rounds = Rounds(OSError("the disk is full"), KeyError("a mistake"))
        loop = BackgroundLoop("test", rounds.work)
        loop.open()
        await rounds.reached(3)
        await loop.close()

    asyncio.run(story())


def test_waiting_for_tasks_includes_those_that_they_start() -> None:
    async def story() -> None:
        tasks, done = BackgroundTasks(), []

        async def second() -> None:
            done.append("second")

        async def first() -> None:
            await asyncio.sleep(0)
            tasks.start(second())
            done.append("first")

        tasks.start(first())
        await tasks.wait()
        assert done == ["first", "second"]

    asyncio.run(story())


def test_undivided_work_ends_before_its_cancelled_caller() -> None:
    async def story() -> list[str]:
        done: list[str] = []
        begun, may_end = asyncio.Event(), asyncio.Event()

        async def work() -> None:
            begun.set()
            await may_end.wait()
            done.append("work")

        caller = asyncio.create_task(undivided(work()))
        await begun.wait()
        caller.cancel()
        await asyncio.sleep(0)
        may_end.set()
        with pytest.raises(asyncio.CancelledError):
            await caller
        return done

    assert asyncio.run(story()) == ["work"]
