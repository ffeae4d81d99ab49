"""A replay on a socket: commands from the viewer, frames to it.

Commands are JSON: {"op":"seek","step":n}, play (speed 0.25–16), pause, speed, step (by ±n). A command may carry a
rising number `n`; frames and states return the last one carried out as `heard`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any

from fastapi import WebSocket

from rl_lab.api.streams.sockets import frame_socket, show_until_gone
from rl_lab.orchestrator.viewing.renderers import Renderer

COMMANDS = frozenset({"play", "pause", "speed", "seek", "step"})
Open = Callable[[], AbstractAsyncContextManager[Renderer]]


async def replay_on(socket: WebSocket, open_renderer: Open) -> None:
    commands: asyncio.Queue[dict[str, Any]] = asyncio.Queue(maxsize=256)

    async def on_command(command: dict[str, Any]) -> None:
        if command.get("op") in COMMANDS and not commands.full():
            commands.put_nowait(command)

    async with frame_socket(socket, on_command) as viewer, open_renderer() as renderer:
        forward = asyncio.create_task(_forward(commands, renderer.send))
        try:
            await show_until_gone(viewer, renderer)
        finally:
            forward.cancel()


async def _forward(commands: asyncio.Queue[dict[str, Any]], send: Any) -> None:
    """Of seeks that wait one after another only the last is worth drawing."""
    while True:
        command = await commands.get()
        while not commands.empty():
            later = commands.get_nowait()
            if (command["op"], later["op"]) != ("seek", "seek"):
                await send(_plain(command))
            command = later
        await send(_plain(command))


def _plain(command: dict[str, Any]) -> dict[str, Any]:
    """Only what a player reads, as numbers."""
    kept: dict[str, Any] = {"op": command["op"]}
    for name in ("step", "by", "speed", "n"):
        value = command.get(name)
        if isinstance(value, (int, float)) and abs(value) < 2**53:
            kept[name] = value
    if kept["op"] == "seek":
        kept.setdefault("step", 0)
    return kept
