"""A numeric fingerprint: hashes of elementary functions and matrix products of fixed inputs.

Two machines with the same fingerprint round alike; another one is a reason for results that differ in their last
digits. Standard library only; numpy takes part where the program has loaded it.
"""

from __future__ import annotations

import hashlib
import math
import struct
import sys
from contextlib import suppress
from typing import Any

COUNT = 200
FUNCTIONS = ("sin", "cos", "tan", "exp", "log", "tanh", "sqrt")
SIDE = 48
"""Of the multiplied matrices: large enough for the blocked code of BLAS."""


def fingerprint() -> dict[str, str]:
    """One hash per part, so that a difference says where it comes from: C library, numpy, BLAS."""
    found = {"math": _math()}
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        with suppress(Exception):  # numpy is only half imported, or a stand-in of the program's
            found |= {"numpy": _elementary(numpy), "matrix": _products(numpy)}
    return found


def _inputs() -> list[float]:
    """Numbers between 0.001 and 30, the same on every machine: divisions and sums are rounded as IEEE 754 says."""
    return [0.0009765625 + (number * 40503 % 65536) / 2184.0 for number in range(COUNT)]


def _math() -> str:
    values = [getattr(math, name)(x) for name in FUNCTIONS for x in _inputs()]
    values += [math.pow(x, 0.3) for x in _inputs()] + [math.atan2(x, 2.0) for x in _inputs()]
    return _hash(struct.pack(f"<{len(values)}d", *values))


def _elementary(numpy: Any) -> str:
    digest = b""
    for kind in ("float32", "float64"):
        column = numpy.array(_inputs(), kind)
        digest += b"".join(getattr(numpy, name)(column).tobytes() for name in FUNCTIONS)
        digest += column.sum().tobytes()
    return _hash(digest)


def _products(numpy: Any) -> str:
    digest = b""
    for kind in ("float32", "float64"):
        numbers = numpy.resize(numpy.array(_inputs(), kind), (SIDE, SIDE))
        digest += (numbers @ numbers.T).tobytes() + (numbers @ numbers[0]).tobytes()
    return _hash(digest)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:32]
