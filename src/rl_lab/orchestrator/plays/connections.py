"""A connection to the worker of a play: messages in, frame messages out."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from rl_lab.portable.frame_protocol import receive_message, with_length


class PlayConnection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, message: dict[str, Any]) -> None:
        """Nothing happens when the worker has gone: its messages end then too."""
        with contextlib.suppress(OSError):
            self._writer.write(with_length(json.dumps(message).encode()))
            await self._writer.drain()

    async def messages(self) -> AsyncIterator[bytes]:
        with contextlib.suppress(EOFError, OSError, ValueError):
            while True:
                yield await receive_message(self._reader)

    async def close(self) -> None:
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


async def connect(socket: Path) -> PlayConnection | None:
    """None while nobody listens there.

    A confined worker makes its socket in a folder that its code can write to: a link there is not followed.
    """
    try:
        found = os.open(socket, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    try:
        if not stat.S_ISSOCK(os.fstat(found).st_mode):
            return None
        return PlayConnection(*await asyncio.open_unix_connection(f"/proc/self/fd/{found}"))
    except (FileNotFoundError, ConnectionRefusedError):
        return None
    finally:
        os.close(found)
