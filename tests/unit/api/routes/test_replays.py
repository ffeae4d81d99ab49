"""Commands of a replay's viewer on their way to the renderer."""

from __future__ import annotations

import asyncio
from typing import Any

from rl_lab.api.streams.replay_sockets import _forward


async def forwarded(*commands: dict[str, Any]) -> list[dict[str, Any]]:
    """What the renderer receives when all of `commands` wait at once."""
    waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    sent: list[dict[str, Any]] = []
    done = asyncio.Event()

    async def send(command: dict[str, Any]) -> None:
        sent.append(command)
        if command["op"] == commands[-1]["op"]:
            done.set()

    for command in commands:
        waiting.put_nowait(command)
    task = asyncio.create_task(_forward(waiting, send))
    await asyncio.wait_for(done.wait(), 10)
    task.cancel()
    return sent


def test_a_seek_before_another_command_is_not_lost() -> None:
    sent = asyncio.run(forwarded({"op": "seek", "step": 3}, {"op": "play"}))
    assert sent == [{"op": "seek", "step": 3}, {"op": "play"}]


def test_of_seeks_in_a_row_only_the_last_is_drawn() -> None:
    sent = asyncio.run(forwarded({"op": "seek", "step": 1}, {"op": "seek", "step": 2}, {"op": "pause"}))
    assert sent == [{"op": "seek", "step": 2}, {"op": "pause"}]
