"""The worker's emitter: events are checked against `core/protocol/events.py` and encoded by msgspec.

Writing blocks when the guardian cannot keep up, and raises when it is gone: nothing is dropped here.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import msgspec

from rl_lab.core.protocol.events import EVENT_TYPES, Event
from rl_lab.portable.emitter import Emitter, to_plain


class Telemetry(Emitter):
    def __init__(self, fd: int) -> None:
        self._encoder = msgspec.json.Encoder(enc_hook=to_plain)
        super().__init__(fd)

    def maker(self, type: str) -> Callable[..., Event]:
        return EVENT_TYPES[type]

    def write_raw(self, data: bytes) -> None:
        """Bytes as they are, in order with the lines; for the fake runner, which can write broken lines."""
        with self._lock:
            self._buffer += data
            self._write()

    def _append(self, event: Any, now: float) -> None:
        event.seq = self._seq
        event.t = now
        self._seq += 1
        self._encoder.encode_into(event, self._buffer, -1)
        self._buffer += b"\n"

    def _write(self) -> None:
        buffer = self._buffer
        while buffer:
            done = os.write(self._fd, buffer)
            del buffer[:done]
