"""A Room is a part of the lab that is opened and closed with it."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Protocol, TypeVar


class Room(Protocol):
    async def open(self) -> None: ...

    async def close(self) -> None: ...


R = TypeVar("R", bound=Room)


async def open_room(stack: AsyncExitStack, room: R) -> R:
    """Opens a room; it is closed with the stack."""
    await room.open()
    stack.push_async_callback(room.close)
    return room
