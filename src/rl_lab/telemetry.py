"""For programs that speak the lab's protocol themselves: events go out on stdout, commands come in on stdin.

Standard library only, so that it can be copied. From the first event on, whatever else is printed goes to the log.
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
_heard: list[str] = []
_ears: threading.Thread | None = None


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
    """A finished episode; `timestep` says how many steps the whole run has made."""
    emit("episode", **{"return": reward, "steps": steps, **more})


def stop_requested() -> bool:
    return "stop" in commands()


def commands() -> list[str]:
    """What the lab has asked for so far, oldest first: stop, pause, resume, checkpoint."""
    global _ears
    if _ears is None:
        _ears = threading.Thread(target=_listen, daemon=True)
        _ears.start()
    return list(_heard)


def _listen() -> None:
    for line in sys.stdin:
        try:
            _heard.append(json.loads(line)["cmd"])
        except (ValueError, TypeError, KeyError):
            continue


def _plain(value: Any) -> Any:
    """JSON knows neither NaN nor numpy."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
