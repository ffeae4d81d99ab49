"""The Janitor goes round: deleted runs, retention, the lab's limit, archives. What each does is in its own file."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import LabError

log = logging.getLogger(__name__)

MAX_WAIT_S = 60.0
MIN_WAIT_S = 0.2

Task = Callable[[], Awaitable[float | None]]
"""Does what is due; seconds until it wants to be called again, None when it has no wish."""


class Janitor:
    def __init__(self, first: Sequence[Task], tasks: Sequence[Task]) -> None:
        """`first` are done once at the start: what a lab that was killed left behind."""
        self._first = first
        self._tasks = tasks
        self._woken = asyncio.Event()
        self._sweeping = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._serve(), name="janitor")

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def wake(self) -> None:
        self._woken.set()

    async def sweep(self) -> float:
        """One round; seconds until the next is due."""
        async with self._sweeping:
            return await _go_round(self._tasks)

    async def _serve(self) -> None:
        async with self._sweeping:
            await _go_round(self._first)
        while True:
            self._woken.clear()
            wait = await self.sweep()
            try:
                await asyncio.wait_for(self._woken.wait(), wait)
            except TimeoutError:
                continue


async def _go_round(tasks: Sequence[Task]) -> float:
    waits = [MAX_WAIT_S]
    for task in tasks:
        try:
            wait = await task()
        except (SQLAlchemyError, LabError, OSError) as error:
            log.warning("the janitor waits: %s", error)
            continue
        except Exception:
            # The edge: whatever is wrong with one task, the others and the next round go on.
            log.exception("the janitor left something undone")
            continue
        if wait is not None:
            waits.append(wait)
    return max(MIN_WAIT_S, min(waits))
