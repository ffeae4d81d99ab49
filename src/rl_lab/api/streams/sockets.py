"""WebSockets that carry pictures: two-credit acknowledgement, wishes in, picture messages out.

A viewer acknowledges each picture after drawing it; at most two are on their way, so a slow viewer sees fewer
pictures, never old ones.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from fastapi import WebSocket, WebSocketDisconnect

from rl_lab.api.http.problems import plain_problem
from rl_lab.core.errors import LabError
from rl_lab.orchestrator.viewing.renderers import Renderer
from rl_lab.worker.rendering.frame_protocol import picture_message

CREDITS = 2
MAX_WISH_BYTES = 4096

Wish = Callable[[dict[str, Any]], Awaitable[None]]


class PictureSocket:
    """One viewer: `gone` once it has left, `credits` for pictures it can still take, `wake` when either changes."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self.credits = CREDITS
        self.gone = asyncio.Event()
        self.wake = asyncio.Event()

    async def take_credit(self) -> None:
        """Waits until one more picture may be sent; returns at once when the viewer has left."""
        while self.credits < 1 and not self.gone.is_set():
            self.wake.clear()
            await self.wake.wait()
        self.credits -= 1

    async def send(self, message: bytes) -> None:
        await self._socket.send_bytes(message)

    async def say(self, header: dict[str, Any]) -> None:
        await self.send(picture_message(header))

    async def listen(self, on_wish: Wish | None = None) -> None:
        """Reads acknowledgements and wishes until the viewer leaves."""
        try:
            while True:
                text = await self._socket.receive_text()
                if text == "ack":
                    self.credits = min(CREDITS, self.credits + 1)
                    self.wake.set()
                elif on_wish is not None and len(text) <= MAX_WISH_BYTES:
                    await self._grant(text, on_wish)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            # KeyError: a binary message, which is not our language.
            self.gone.set()
            self.wake.set()

    async def _grant(self, text: str, on_wish: Wish) -> None:
        try:
            wish = msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            await self.say({"op": "error", "message": "This is not a wish the lab understands."})
            return
        await on_wish(wish)


@contextlib.asynccontextmanager
async def picture_socket(socket: WebSocket, on_wish: Wish | None = None) -> AsyncIterator[PictureSocket]:
    """Accepts, listens in the background, turns errors of the lab into a last message."""
    await socket.accept()
    viewer = PictureSocket(socket)
    listener = asyncio.create_task(viewer.listen(on_wish))
    try:
        yield viewer
    except LabError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            problem = plain_problem(error)
            await viewer.say({"op": "error", "message": error.detail, **problem})
            await socket.close(1011, error.detail[:100])
    except (WebSocketDisconnect, RuntimeError):
        pass  # it left while we were sending
    finally:
        listener.cancel()


async def show(viewer: PictureSocket, renderer: Renderer) -> None:
    """Everything one renderer draws, to one viewer; of pictures only as many as it has credit for."""
    messages = renderer.messages()
    async for message in messages:
        await viewer.take_credit()
        if viewer.gone.is_set():
            break
        await viewer.send(message)


async def show_until_gone(viewer: PictureSocket, renderer: Renderer) -> None:
    """The same, ended at once when the viewer leaves."""
    showing = asyncio.create_task(show(viewer, renderer))
    leaving = asyncio.create_task(viewer.gone.wait())
    try:
        await asyncio.wait({showing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if showing.done():
            showing.result()
    finally:
        for task in (showing, leaving):
            task.cancel()
        await asyncio.gather(showing, leaving, return_exceptions=True)
