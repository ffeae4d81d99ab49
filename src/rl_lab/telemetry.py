"""For programs that use the lab's protocol themselves: events are written to stdout, commands are read from stdin.

Standard library only, so that it can be copied. After the first event all other output of the program goes to the log.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from typing import Any, TextIO

_lock = threading.Lock()
_out: TextIO | None = None
_seq = 0
_received: list[str] = []
_listener: threading.Thread | None = None


def emit(type: str, **fields: Any) -> None:
    """One line of the protocol, e.g. emit("metric", name="loss", value=0.3, step=10)."""
    global _out, _seq
    with _lock:
        if _out is None:
            sys.stdout.flush()
            _out = os.fdopen(os.dup(1), "w", encoding="utf-8")
            os.dup2(2, 1)
        line = {"type": type, "seq": _seq, "t": time.time(), **_plain(fields)}
        _out.write(json.dumps(line) + "\n")
        _out.flush()
        _seq += 1


def episode(reward: float, steps: int, **more: Any) -> None:
    """A finished episode; `timestep` is the number of steps of the whole run so far."""
    emit("episode", **{"return": reward, "steps": steps, **more})


def stop_requested() -> bool:
    return "stop" in commands()


def commands() -> list[str]:
    """The commands received so far, oldest first: stop, pause, resume, checkpoint."""
    global _listener
    if _listener is None:
        _listener = threading.Thread(target=_listen, daemon=True)
        _listener.start()
    return list(_received)


def _listen() -> None:
    for line in sys.stdin:
        try:
            _received.append(json.loads(line)["cmd"])
        except (ValueError, TypeError, KeyError):
            continue


def _plain(value: Any) -> Any:
    """A value as JSON can hold it: NaN and infinities as text, numpy arrays as lists."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
