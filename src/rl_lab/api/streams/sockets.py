"""WebSockets for frames: frame messages out, acknowledgements and commands in.

A viewer acknowledges each frame after drawing it; at most two are unacknowledged, so a slow viewer gets fewer
frames, never old ones.
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
from rl_lab.portable.frame_protocol import frame_message

CREDITS = 2
MAX_COMMAND_BYTES = 4096

OnCommand = Callable[[dict[str, Any]], Awaitable[None]]


class FrameSocket:
    """One viewer: `gone` once disconnected, `credits` for frames it can still take, `wake` when either changes."""

    def __init__(self, socket: WebSocket, max_bytes: int = MAX_COMMAND_BYTES) -> None:
        self._socket = socket
        self._max_bytes = max_bytes
        self.credits = CREDITS
        self.gone = asyncio.Event()
        self.wake = asyncio.Event()

    async def take_credit(self) -> None:
        """Waits until one more frame may be sent; returns at once when the viewer has disconnected."""
        while self.credits < 1 and not self.gone.is_set():
            self.wake.clear()
            await self.wake.wait()
        self.credits -= 1

    async def send(self, message: bytes) -> None:
        await self._socket.send_bytes(message)

    async def send_header(self, header: dict[str, Any]) -> None:
        await self.send(frame_message(header))

    async def listen(self, on_command: OnCommand | None = None) -> None:
        """Reads acknowledgements and commands until the viewer disconnects."""
        try:
            while True:
                text = await self._socket.receive_text()
                if text == "ack":
                    self.credits = min(CREDITS, self.credits + 1)
                    self.wake.set()
                elif on_command is not None and len(text) <= self._max_bytes:
                    await self._handle(text, on_command)
        except (WebSocketDisconnect, RuntimeError, KeyError):
            # KeyError: a binary message, which no viewer sends.
            self.gone.set()
            self.wake.set()

    async def _handle(self, text: str, on_command: OnCommand) -> None:
        try:
            command = msgspec.json.decode(text, type=dict[str, Any])
        except (msgspec.DecodeError, RecursionError):
            await self.send_header(
                {"op": "error", "message": "This is not a command: it must be a JSON object."}
            )
            return
        await on_command(command)


@contextlib.asynccontextmanager
async def frame_socket(
    socket: WebSocket, on_command: OnCommand | None = None, *, max_bytes: int = MAX_COMMAND_BYTES
) -> AsyncIterator[FrameSocket]:
    """Accepts, listens in the background, sends an error of the lab as the final message."""
    await socket.accept()
    viewer = FrameSocket(socket, max_bytes)
    listener = asyncio.create_task(viewer.listen(on_command))
    try:
        yield viewer
    except LabError as error:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            problem = plain_problem(error)
            await viewer.send_header({"op": "error", "message": error.detail, **problem})
            await socket.close(1011, error.detail[:100])
    except (WebSocketDisconnect, RuntimeError):
        pass  # it disconnected while we were sending
    finally:
        listener.cancel()


async def show(viewer: FrameSocket, renderer: Renderer) -> None:
    """Sends every message of a renderer to one viewer, each as soon as it has credit."""
    messages = renderer.messages()
    async for message in messages:
        await viewer.take_credit()
        if viewer.gone.is_set():
            break
        await viewer.send(message)


async def show_until_gone(viewer: FrameSocket, renderer: Renderer) -> None:
    """The same, cancelled when the viewer disconnects."""
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
