"""The worker's side of the protocol: events become lines on one file descriptor.

Lines are gathered for at most 50 ms or 32 KiB; what the lab acts on (status, checkpoints, logs, the end)
leaves at once. Writing blocks when the guardian cannot keep up: nothing is ever dropped here.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec

from rl_lab.core.protocol import events
from rl_lab.core.protocol.lines import as_number

FLUSH_BYTES = 32 << 10
FLUSH_S = 0.05


class Telemetry:
    """Thread-safe; `seq` follows the order of the lines."""

    events = events
    """The classes of what is sent; recorders make events through it, so that other telemetries may have plain ones."""

    def __init__(self, fd: int) -> None:
        self._fd = fd
        self._seq = 0
        self._buffer = bytearray()
        self._lock = threading.Lock()
        self._encoder = msgspec.json.Encoder()
        self._waiting = threading.Event()
        self._closed = False
        threading.Thread(target=self._flush_now_and_then, name="telemetry", daemon=True).start()

    def emit(self, event: events.Event, *, at_once: bool = False) -> None:
        with self._lock:
            self._append(event, time.time())
            if at_once or len(self._buffer) >= FLUSH_BYTES:
                self._write()
        if not self._waiting.is_set():
            self._waiting.set()

    def emit_many(self, batch: Iterable[events.Event]) -> None:
        """Several events of the same moment, cheaper than one by one."""
        now = time.time()
        with self._lock:
            for event in batch:
                self._append(event, now)
                if len(self._buffer) >= FLUSH_BYTES:
                    self._write()
        if not self._waiting.is_set():
            self._waiting.set()

    def config(self, **fields: Any) -> None:
        self.emit(events.Config(**fields), at_once=True)

    def episode(self, **fields: Any) -> None:
        """Fields of `core.events.Episode`; the return is `return_`."""
        self.emit(events.Episode(**fields))

    def steps(self, **fields: Any) -> None:
        self.emit(events.Steps(**fields))

    def metrics(self, values: Mapping[str, float], step: int) -> None:
        """Values of one moment under the names of `core.metrics`."""
        numbers = {name: as_number(float(value)) for name, value in values.items()}
        self.emit(events.Metric(values=numbers, step=int(step)))

    def checkpoint(self, **fields: Any) -> None:
        self.emit(events.Checkpoint(**fields), at_once=True)

    def artifact(self, **fields: Any) -> None:
        self.emit(events.Artifact(**fields), at_once=True)

    def log(
        self, level: Literal["debug", "info", "warning", "error"], message: str, code: str = "log"
    ) -> None:
        self.emit(events.Log(level=level, message=message, code=code), at_once=True)

    def status(
        self,
        state: Literal["hello", "progress", "paused", "resumed", "stopping"],
        timestep: int | None = None,
        total: int | None = None,
        message: str = "",
    ) -> None:
        self.emit(events.Status(state=state, timestep=timestep, total=total, message=message), at_once=True)

    def finished(self, outcome: Literal["succeeded", "failed", "stopped"], **fields: Any) -> None:
        self.emit(events.Finished(outcome=outcome, **fields), at_once=True)

    def write_raw(self, data: bytes) -> None:
        """Bytes as they are, in order with the lines; for runners that are told to misbehave."""
        with self._lock:
            self._buffer += data
            self._write()

    def flush(self) -> None:
        with self._lock:
            self._write()

    def close(self) -> None:
        self.flush()
        self._closed = True
        self._waiting.set()

    def _append(self, event: events.Event, now: float) -> None:
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

    def _flush_now_and_then(self) -> None:
        # The learner may think for seconds after its last event: someone else must send what waits.
        while not self._closed:
            self._waiting.wait()
            time.sleep(FLUSH_S)
            self._waiting.clear()
            try:
                self.flush()
            except OSError:
                return  # nobody reads any more; the learner meets the same error at its next event
