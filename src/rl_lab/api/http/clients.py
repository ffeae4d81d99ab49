"""The client of a request that takes long: work for it ends when it has left."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from rl_lab.core.errors import ClientLeft

T = TypeVar("T")


class Client:
    def __init__(self, request: Request) -> None:
        self._request = request

    async def waits_for(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, which is cancelled when the client closes the connection.

        For requests that wait for a worker process. `work` must be safe to cancel at any time.
        """
        task, leaving = asyncio.create_task(work), asyncio.create_task(self._leaves())
        try:
            await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
            raise ClientLeft("The client closed the connection, so the work for it was ended.")
        finally:
            for one in (task, leaving):
                one.cancel()
            await asyncio.gather(task, leaving, return_exceptions=True)

    async def _leaves(self) -> None:
        while (await self._request.receive())["type"] != "http.disconnect":
            pass
