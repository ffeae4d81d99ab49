"""One piece of work for all who ask for the same: it is cancelled when none of them waits any more."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class SharedCalls(Generic[T]):
    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[T]] = {}
        self._waiting: Counter[asyncio.Task[T]] = Counter()

    async def ask(self, key: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of `work`, which is started unless it is under way for another caller."""
        task = self._tasks.get(key)
        if task is None:
            task = self._tasks[key] = asyncio.create_task(work(), name=f"shared-{key}")
        self._waiting[task] += 1
        try:
            return await asyncio.shield(task)
        finally:
            self._waiting[task] -= 1
            if not self._waiting[task]:
                del self._waiting[task]
                task.cancel()  # has no effect on one that is done
                if self._tasks.get(key) is task:
                    del self._tasks[key]

    async def close(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)
