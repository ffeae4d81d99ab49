"""The Janitor calls the housekeeping tasks in turn: deletions, archives, pruning, the size limit."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy.exc import SQLAlchemyError

from rl_lab.core.errors import LabError
from rl_lab.orchestrator.background import BackgroundLoop

log = logging.getLogger(__name__)

MAX_WAIT_S = 60.0
MIN_WAIT_S = 0.2

Task = Callable[[], Awaitable[float | None]]
"""Does what is due; returns the seconds until it is to be called again, or None when any time will do."""


class Janitor:
    def __init__(self, first: Sequence[Task], tasks: Sequence[Task]) -> None:
        """`first` is done once at the start: it cleans up after a lab that was killed."""
        self._first = first
        self._tasks = tasks
        self._sweeping = asyncio.Lock()
        self._loop = BackgroundLoop("janitor", self.sweep)

    def open(self) -> None:
        self._loop.open()

    async def close(self) -> None:
        await self._loop.close()

    def wake(self) -> None:
        self._loop.wake()

    async def sweep(self) -> float:
        """One round; returns the seconds until the next is due."""
        async with self._sweeping:
            first, self._first = self._first, ()
            if first:
                await _go_round(first)
            return await _go_round(self._tasks)


async def _go_round(tasks: Sequence[Task]) -> float:
    waits = [MAX_WAIT_S]
    for task in tasks:
        try:
            wait = await task()
        except (SQLAlchemyError, LabError, OSError) as error:
            log.warning("a housekeeping task failed and is tried again later: %s", error)
            continue
        except Exception:
            # The edge: an error in one task must not keep the others from running.
            log.exception("a housekeeping task failed")
            continue
        if wait is not None:
            waits.append(wait)
    return max(MIN_WAIT_S, min(waits))
