"""Work in the background of the event loop: a loop that is woken, tasks that are started and forgotten, and what is
done to its end."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

from sqlalchemy.exc import SQLAlchemyError

log = logging.getLogger(__name__)
T = TypeVar("T")

Work = Callable[[], Awaitable[float | None]]
"""One round of work; returns the seconds until the next round, or None to wait until the loop is woken."""
RETRY_S = 1.0


class BackgroundLoop:
    """Calls `work` again and again: after the time it asked for, or at once when woken meanwhile."""

    def __init__(self, name: str, work: Work) -> None:
        self._name = name
        self._work = work
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._serve(), name=self._name)

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def finish(self, limit_s: float) -> None:
        """Closes it after a last round, which may take this long."""
        await self.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._round()

    def wake(self) -> None:
        self._woken.set()

    async def _serve(self) -> None:
        while True:
            # Cleared before the work: what happens during the round causes another one.
            self._woken.clear()
            wait_s = await self._round()
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._woken.wait()

    async def _round(self) -> float | None:
        try:
            return await self._work()
        except (SQLAlchemyError, OSError) as error:
            log.warning("%s: trying again in %.0f s: %s", self._name, RETRY_S, error)
        except Exception:
            # The edge: an error in one round must not end the loop.
            log.exception("%s: a round failed, trying again in %.0f s", self._name, RETRY_S)
        return RETRY_S


class BackgroundTasks:
    """Tasks nobody waits for until the lab closes."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def start(self, work: Coroutine[Any, Any, Any]) -> None:
        task = asyncio.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)

    async def wait(self) -> None:
        """Until all of them are done, those included that they start; an error of one is logged by asyncio."""
        while self._running:
            await asyncio.gather(*self._running, return_exceptions=True)


async def undivided(work: Coroutine[Any, Any, T]) -> T:
    """Done to its end also when the caller is cancelled, as requests are when the lab closes.

    For what moves files and writes their rows: a thread that does this cannot be cancelled.
    """
    task = asyncio.create_task(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
