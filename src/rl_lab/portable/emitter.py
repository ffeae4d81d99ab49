"""The Emitter writes protocol events as lines to one file descriptor. Standard library only: captured scripts use it.

Lines are collected for at most 50 ms or 32 KiB; events the lab acts on (`URGENT`) are written at once. A forked child
writes nothing: only the first process reports to the lab. `worker/telemetry.py` is the lab's own, faster version.
"""

from __future__ import annotations

import json
import os
import threading
import time
from binascii import b2a_base64
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from math import isfinite
from typing import Any, Literal

from rl_lab.core.bounds import MAX_LINE_BYTES

Event = dict[str, Any]
Level = Literal["debug", "info", "warning", "error"]

FLUSH_BYTES = 32 << 10
FLUSH_S = 0.05
URGENT = frozenset({"config", "checkpoint", "artifact", "log", "status", "finished"})


class Emitter:
    """Thread-safe; `seq` follows the order of the lines."""

    def __init__(self, fd: int, seq: int = 0) -> None:
        self._fd = fd
        self._seq = seq
        self._buffer = bytearray()
        self._lock = threading.Lock()
        self._encode = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=to_plain).encode
        self._waiting = threading.Event()
        self._closed = False
        self._metric_event, self._status_event = self.maker("metric"), self.maker("status")
        self.is_silent = False
        """Nothing is written any more: this is a forked child, or the reader is gone."""
        threading.Thread(target=self._flush_regularly, name="rl-lab emitter", daemon=True).start()
        os.register_at_fork(after_in_child=self._silence_child)

    @property
    def is_busy(self) -> bool:
        """Whether a line is being written: a signal handler must not emit now, it would wait for itself."""
        return self._lock.locked()

    def maker(self, type: str) -> Callable[..., Any]:
        """A function that makes events of this type from their fields, for `emit` and `emit_many`."""
        return partial(_make_event, type)

    def emit(self, event: Any, *, at_once: bool = False) -> None:
        if self.is_silent:
            return
        with self._lock:
            self._append(event, time.time())
            if at_once or len(self._buffer) >= FLUSH_BYTES:
                self._write()
        # Not for urgent lines: a signal handler may send one while this very flag is being set.
        if not at_once and not self._waiting.is_set():
            self._waiting.set()

    def emit_many(self, batch: Iterable[Any]) -> None:
        """Several events with the same time; cheaper than one by one."""
        if self.is_silent:
            return
        now = time.time()
        with self._lock:
            for event in batch:
                self._append(event, now)
                if len(self._buffer) >= FLUSH_BYTES:
                    self._write()
        if not self._waiting.is_set():
            self._waiting.set()

    def send(self, type: str, /, **fields: Any) -> None:
        """One event of any type in `core/protocol/events.py`; the field `return` is passed as `return_`."""
        self.emit(self.maker(type)(**fields), at_once=type in URGENT)

    def config(self, **fields: Any) -> None:
        self.send("config", **fields)

    def episode(self, **fields: Any) -> None:
        self.send("episode", **fields)

    def metrics(
        self, values: Mapping[str, float], step: int, sources: Mapping[str, str] | None = None
    ) -> None:
        """Values of one training step, under the names in `core/protocol/metrics.py`; `sources` of new ones."""
        numbers = {name: value if isfinite(value) else str(float(value)) for name, value in values.items()}
        self.emit(self._metric_event(values=numbers, step=step, sources=sources or {}))

    def checkpoint(self, **fields: Any) -> None:
        self.send("checkpoint", **fields)

    def artifact(self, **fields: Any) -> None:
        self.send("artifact", **fields)

    def log(self, level: Level, message: str, code: str = "log") -> None:
        self.send("log", level=level, message=message, code=code)

    def status(
        self,
        state: Literal["hello", "progress", "paused", "resumed", "stopping"],
        timestep: int | None = None,
        total: int | None = None,
        message: str = "",
        unit: str = "",
    ) -> None:
        counted = {"unit": unit} if unit else {}
        event = self._status_event(state=state, timestep=timestep, total=total, message=message, **counted)
        self.emit(event, at_once=True)

    def finished(self, outcome: Literal["succeeded", "failed", "stopped"], **fields: Any) -> None:
        self.send("finished", outcome=outcome, **fields)

    def flush(self) -> None:
        with self._lock:
            self._write()

    def close(self) -> None:
        self.flush()
        self._closed = True
        self._waiting.set()

    def _append(self, event: Any, now: float) -> None:
        event["seq"] = self._seq
        event["t"] = now
        try:
            line = self._encode(event)
        except (ValueError, RecursionError):
            line = self._encode(_without_nan(event))
        if len(line) >= MAX_LINE_BYTES:
            line = self._encode({**_too_long(event, len(line)), "seq": self._seq, "t": now})
        self._seq += 1
        self._buffer += line.encode("ascii")
        self._buffer += b"\n"

    def _write(self) -> None:
        buffer = self._buffer
        try:
            while buffer and not self.is_silent:
                done = os.write(self._fd, buffer)
                del buffer[:done]
        except OSError:
            self.is_silent = True  # the reader is gone; the script continues all the same
            buffer.clear()

    def _flush_regularly(self) -> None:
        # The next event may be seconds away: lines that wait in the buffer are written by this thread.
        while not self._closed:
            self._waiting.wait()
            time.sleep(FLUSH_S)
            self._waiting.clear()
            try:
                self.flush()
            except OSError:
                return  # a worker's reader is gone; the learner gets the same error at its next event

    def _silence_child(self) -> None:
        self.is_silent = True
        self._lock = threading.Lock()  # it may have been held by a thread that does not exist in this process
        self._buffer.clear()


def to_plain(value: Any) -> Any:
    """Values JSON has no type for: bytes in base64, scalars of numpy and torch as numbers, the rest as text."""
    if isinstance(value, bytes):
        return b2a_base64(value, newline=False).decode("ascii")
    try:
        return value.item()
    except Exception:
        return str(value)


def _make_event(type: str, /, **fields: Any) -> Event:
    """An event without fields that are None or empty; False and 0 are kept."""
    event: Event = {"type": type}
    for name, value in fields.items():
        if value or value == 0:
            event["return" if name == "return_" else name] = value
    return event


def _without_nan(value: Any, depth: int = 0) -> Any:
    if isinstance(value, float) and not isfinite(value):
        return str(value)
    if depth > 20:
        return str(value)[:200]
    if isinstance(value, dict):
        return {str(key): _without_nan(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(entry, depth + 1) for entry in value]
    return value


def _too_long(event: Event, size: int) -> Event:
    message = (
        f"A line of type {event['type']} with {size:,} bytes was left out; the limit is {MAX_LINE_BYTES:,}."
    )
    return {"type": "log", "level": "warning", "code": "line-too-long", "message": message}
