"""A connection to the worker of a play: messages in, frame messages out."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from rl_lab.portable.frame_protocol import receive_message, with_length
from rl_lab.portable.short_paths import short_path


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
    """None while nobody listens there."""
    try:
        with short_path(str(socket)) as address:
            return PlayConnection(*await asyncio.open_unix_connection(address))
    except (FileNotFoundError, ConnectionRefusedError):
        return None
