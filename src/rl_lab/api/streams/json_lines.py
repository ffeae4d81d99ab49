"""A response of JSON lines that are sent while they are made; the work ends when the reader leaves."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from pydantic import BaseModel
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from rl_lab.api.streams.feeds import Hub

MEDIA_TYPE = "application/x-ndjson"


class JsonLines(StreamingResponse):
    """Sends each message as one line, until they end, the reader disconnects or the lab closes."""

    def __init__(self, hub: Hub, messages: AsyncGenerator[BaseModel, None]) -> None:
        super().__init__(
            (), media_type=MEDIA_TYPE, headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        )
        self._hub = hub
        self._messages = messages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        work = asyncio.create_task(self._send_all(send))
        watches = [asyncio.create_task(_leaves(receive)), asyncio.create_task(self._closes())]
        try:
            await asyncio.wait({work, *watches}, return_when=asyncio.FIRST_COMPLETED)
            if work.done():
                work.result()
        finally:
            for task in (work, *watches):
                task.cancel()
            await asyncio.gather(work, *watches, return_exceptions=True)

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async with aclosing(self._messages) as messages:
            async for message in messages:
                line = message.model_dump_json().encode() + b"\n"
                await send({"type": "http.response.body", "body": line, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _closes(self) -> None:
        with self._hub.viewer() as changed:
            while not self._hub.closing:
                await changed.wait()
                changed.clear()


async def _leaves(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
