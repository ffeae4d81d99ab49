"""Lines is the telemetry of a foreign interpreter: the same methods as `worker/telemetry.py`, standard library only.

Lines are gathered for at most 50 ms or 32 KiB; what the lab acts on leaves at once. In a forked child all of it is
silent: only the script's first process speaks to the lab.
"""

from __future__ import annotations

import json
import math
import os
import threading
import time
from collections.abc import Iterable, Mapping
from typing import Any

Event = dict[str, Any]

FLUSH_BYTES = 32 << 10
FLUSH_S = 0.05
MAX_LINE_BYTES = 1 << 20


class Events:
    """Makers of events as plain dicts, called like the classes of `core.events`; what is empty is left out."""

    @staticmethod
    def Episode(*, return_: float | None = None, **fields: Any) -> Event:
        event = _event("episode", fields)
        if return_ is not None:
            event["return"] = return_
        return event

    @staticmethod
    def Steps(**fields: Any) -> Event:
        return _event("steps", fields)

    @staticmethod
    def Trace(**fields: Any) -> Event:
        return {name: value for name, value in fields.items() if value}


class Lines:
    """Thread-safe; `seq` follows the order of the lines."""

    events = Events

    def __init__(self, fd: int, seq: int = 0) -> None:
        self._fd = fd
        self._seq = seq
        self._buffer = bytearray()
        self._lock = threading.Lock()
        self._encode = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=_plain).encode
        self._waiting = threading.Event()
        self._closed = False
        self.is_silent = False
        threading.Thread(target=self._flush_now_and_then, name="rl-lab lines", daemon=True).start()
        os.register_at_fork(after_in_child=self._fall_silent)

    @property
    def is_busy(self) -> bool:
        """A signal handler must not speak now: the line it interrupted would wait for itself."""
        return self._lock.locked()

    def emit(self, event: Event, *, at_once: bool = False) -> None:
        if self.is_silent:
            return
        with self._lock:
            self._append(event, time.time())
            if at_once or len(self._buffer) >= FLUSH_BYTES:
                self._write()
        # Not for urgent lines: a signal handler may send one while this very flag is being set.
        if not at_once and not self._waiting.is_set():
            self._waiting.set()

    def emit_many(self, batch: Iterable[Event]) -> None:
        """Several events of the same moment, cheaper than one by one."""
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

    def config(self, **fields: Any) -> None:
        self.emit(_event("config", fields), at_once=True)

    def episode(self, **fields: Any) -> None:
        """Fields of `core.events.Episode`; the return is `return_`."""
        self.emit(Events.Episode(**fields))

    def steps(self, **fields: Any) -> None:
        self.emit(Events.Steps(**fields))

    def metrics(self, values: Mapping[str, float], step: int) -> None:
        numbers = {name: value if math.isfinite(value) else str(value) for name, value in values.items()}
        self.emit({"type": "metric", "values": numbers, "step": step})

    def checkpoint(self, **fields: Any) -> None:
        self.emit(_event("checkpoint", fields), at_once=True)

    def artifact(self, **fields: Any) -> None:
        self.emit(_event("artifact", fields), at_once=True)

    def log(self, level: str, message: str, code: str = "log") -> None:
        self.emit({"type": "log", "level": level, "message": message, "code": code}, at_once=True)

    def status(
        self, state: str, timestep: int | None = None, total: int | None = None, message: str = ""
    ) -> None:
        fields = {"state": state, "timestep": timestep, "total": total, "message": message}
        self.emit(_event("status", fields), at_once=True)

    def finished(self, outcome: str, **fields: Any) -> None:
        self.emit(_event("finished", {"outcome": outcome, **fields}), at_once=True)

    def flush(self) -> None:
        with self._lock:
            self._write()

    def close(self) -> None:
        self.flush()
        self._closed = True
        self._waiting.set()

    def _append(self, event: Event, now: float) -> None:
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
            self.is_silent = True  # nobody reads any more: the script's work goes on all the same
            buffer.clear()

    def _flush_now_and_then(self) -> None:
        # The script may think for seconds after its last event: someone else must send what waits.
        while not self._closed:
            self._waiting.wait()
            time.sleep(FLUSH_S)
            self._waiting.clear()
            self.flush()

    def _fall_silent(self) -> None:
        self.is_silent = True
        self._lock = threading.Lock()  # it may have been held by a thread that is not in this process
        self._buffer.clear()


def _event(kind: str, fields: Mapping[str, Any]) -> Event:
    """An event without what is None or empty; False and 0 say something."""
    event: Event = {"type": kind}
    for name, value in fields.items():
        if value or value == 0:
            event[name] = value
    return event


def _plain(value: Any) -> Any:
    """What json does not know: numpy's and torch's scalars as numbers, everything else as text."""
    try:
        return value.item()
    except Exception:
        return str(value)


def _without_nan(value: Any, depth: int = 0) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if depth > 20:
        return str(value)[:200]
    if isinstance(value, dict):
        return {str(key): _without_nan(entry, depth + 1) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_without_nan(entry, depth + 1) for entry in value]
    return value


def _too_long(event: Event, size: int) -> Event:
    message = f"A {event['type']} line of {size:,} bytes was left out: lines may have {MAX_LINE_BYTES:,}."
    return {"type": "log", "level": "warning", "code": "line-too-long", "message": message}
