"""Columns of an episode as the fields of a protocol Trace: float16 values, uint8 probabilities.

Everything that records episodes builds its traces here. Standard library only: captured scripts import it too.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from typing import Any

MAX_TRACE_BYTES = 256 << 10
"""Actions in one line, so that it stays well under the protocol's limit."""


def trace_fields(
    start: int,
    count: int,
    actions: bytes,
    *,
    values: Any = None,
    chosen: Any = None,
    rewards: bytes = b"",
    checksums: bytes = b"",
    extra: Mapping[str, Sequence[float]] | None = None,
) -> dict[str, Any]:
    """The fields of a Trace that are not empty; the emitter writes bytes in base64."""
    fields = {
        "start": start,
        "count": count,
        "actions": actions,
        "rewards": rewards,
        "checksums": checksums,
        "values": _halves(values),
        "chosen": _chances(chosen),
        "extra": {name: _halves(column) for name, column in (extra or {}).items()},
    }
    return {name: value for name, value in fields.items() if value}


def _halves(numbers: Any) -> bytes:
    """float16, cut at its limits."""
    if numbers is None or len(numbers) == 0:
        return b""
    if hasattr(numbers, "clip"):
        return bytes(numbers.clip(-65504, 65504).astype("<f2").tobytes())
    cut = [min(max(n, -65504.0), 65504.0) if n == n else n for n in map(float, numbers)]
    return struct.pack(f"<{len(cut)}e", *cut)


def _chances(numbers: Any) -> bytes:
    """Probabilities as 0 to 255; unknown ones are 0."""
    if numbers is None or len(numbers) == 0:
        return b""
    if hasattr(numbers, "clip"):
        return bytes((numbers.clip(0, 1) * 255 + 0.5).astype("u1").tobytes())
    return bytes(int(min(max(n, 0.0), 1.0) * 255 + 0.5) if n == n else 0 for n in map(float, numbers))
