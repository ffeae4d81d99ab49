"""The way from a player to the worker of a play."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import APIRouter, WebSocket
from pydantic import TypeAdapter, ValidationError

from rl_lab.api.deps import PlaysDep
from rl_lab.api.streams.sockets import FrameSocket, frame_socket
from rl_lab.core.plays.messages import PlayMessage, SetPolicy
from rl_lab.orchestrator.plays.service import OpenPlay
from rl_lab.portable.frame_protocol import LENGTH

router = APIRouter(prefix="/api", tags=["plays"])

MESSAGES: TypeAdapter[PlayMessage] = TypeAdapter(PlayMessage)
MAX_MESSAGE_BYTES = 64 << 10
QUIET_S = 2.0
"""A page that has not drawn a frame for so long is in the background, or gone: no key stays held."""


@router.websocket("/plays/{run_id}/socket")
async def play(*, socket: WebSocket, run_id: str, plays: PlaysDep) -> None:
    """Frames with a `PlayHeader` out, messages of `core/plays/messages.py` in; each frame is acknowledged by `ack`.

    The first connection plays, others watch; a message {"op":"role"} says which. After a lost connection the same
    play continues with the next one.
    """
    opening: asyncio.Future[OpenPlay] = asyncio.get_running_loop().create_future()

    async def on_command(command: dict[str, Any]) -> None:
        await _pass_on(await opening, command)

    async with frame_socket(socket, on_command, max_bytes=MAX_MESSAGE_BYTES) as viewer:
        async with plays.open(run_id) as opened:
            opening.set_result(opened)
            await _show_until_gone(viewer, opened)
        if not viewer.gone.is_set():
            await viewer.send_header({"op": "ended", "message": "The play has ended."})
            await socket.close()


async def _pass_on(play: OpenPlay, command: dict[str, Any]) -> None:
    try:
        message = MESSAGES.validate_python(command)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(str(part) for part in first["loc"][1:]) or "op"
        problem = {"message": f"This message was not understood: {place}: {first['msg']}.", "next_step": ""}
        n = command.get("n")
        await play.refuse(problem, n if isinstance(n, int) and 0 <= n < 2**53 else 0)
        return
    if isinstance(message, SetPolicy):
        await play.change_policy(message)
    else:
        await play.send(message.model_dump(mode="json"))


async def _show_until_gone(viewer: FrameSocket, play: OpenPlay) -> None:
    newest = _Newest()
    tasks = [
        asyncio.create_task(_read(play, newest)),
        asyncio.create_task(_write(viewer, play, newest)),
        asyncio.create_task(viewer.gone.wait()),
    ]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Newest:
    """Frames that were not sent yet are replaced by newer ones; messages without a picture are all kept."""

    def __init__(self) -> None:
        self.notes: list[bytes] = []
        self.frame = b""
        self.changed = asyncio.Event()
        self.is_over = False

    def put(self, message: bytes) -> None:
        (size,) = LENGTH.unpack_from(message)
        if message[LENGTH.size : LENGTH.size + size].startswith(b'{"op":'):
            self.notes.append(message)
        else:
            self.frame = message
        self.changed.set()

    def take(self) -> bytes:
        if self.notes:
            return self.notes.pop(0)
        frame, self.frame = self.frame, b""
        return frame


async def _read(play: OpenPlay, newest: _Newest) -> None:
    async for message in play.connection.messages():
        newest.put(message)
    newest.is_over = True
    newest.changed.set()
    await asyncio.Event().wait()


async def _write(viewer: FrameSocket, play: OpenPlay, newest: _Newest) -> None:
    while not (newest.is_over and not newest.notes and not newest.frame):
        await newest.changed.wait()
        newest.changed.clear()
        while newest.notes or newest.frame:
            await _take_credit(viewer, play)
            if viewer.gone.is_set():
                return
            message = newest.take()
            if message:
                await viewer.send(message)


async def _take_credit(viewer: FrameSocket, play: OpenPlay) -> None:
    try:
        await asyncio.wait_for(viewer.take_credit(), QUIET_S)
    except TimeoutError:
        await play.send({"op": "quiet"})
        await viewer.take_credit()
