"""Values of environments on their way to user code: copied, made plain, counted, stacked."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None)})
BYTES_OF_NUMBER = 8


def plain(value: Any) -> Any:
    """A value without numpy and without types of others, as `marshal` takes it; what it cannot take becomes text."""
    if type(value) in PLAIN:
        return value
    match value:
        case np.ndarray():
            return _plain_array(value)
        case np.generic():
            return _plain_array(np.asarray(value))
        case dict():
            return {_text(key): plain(one) for key, one in value.items()}
        case tuple() | list():
            return [plain(one) for one in value]
        case int():
            return int(value)
        case float():
            return float(value)
        case bytes() | bytearray():
            return bytes(value)
    return _text(value)


def plain_info(info: Mapping[str, Any]) -> dict[str, Any]:
    """Empty where it contains itself: what an environment reports must not end a training."""
    try:
        found: dict[str, Any] = plain(dict(info))
    except RecursionError:
        return {}
    return found


def _plain_array(array: NDArray[Any]) -> Any:
    match array.dtype.kind, array.dtype.itemsize:
        case ("f", size) if size > np.dtype(float).itemsize:
            return array.astype(float).tolist()
        case ("c", size) if size > np.dtype(complex).itemsize:
            return array.astype(complex).tolist()
        case (kind, _) if kind in "biufcSU":
            return array.tolist()
    return plain(array.tolist())


def _text(value: Any) -> str:
    """A plain `str`: one of a subclass, such as an enumeration, has its value."""
    return str.__str__(value if isinstance(value, str) else str(value))


def copied(value: Any) -> Any:
    """Environments and policies may write into the same array at their next step."""
    # Called for every step of a training: the usual cases first.
    if isinstance(value, np.ndarray):
        return value.copy()
    if type(value) in PLAIN or isinstance(value, np.generic):
        return value
    match value:
        case dict():
            return {key: copied(one) for key, one in value.items()}
        case tuple():
            return tuple(copied(one) for one in value)
        case list():
            return [copied(one) for one in value]
    return copy.deepcopy(value)


def nbytes_of(value: Any) -> int:
    """About the memory of a value and of all that is in it."""
    if isinstance(value, np.ndarray):
        return value.nbytes
    match value:
        case dict():
            return sum(map(nbytes_of, value.values()))
        case tuple() | list():
            return sum(map(nbytes_of, value))
        case str() | bytes():
            return len(value)
    return BYTES_OF_NUMBER


def stack_observations(observations: Sequence[Any]) -> Any:
    """Rows for `StepRows.obs`: one array where observations are numbers or arrays of one shape, else plain values."""
    first = observations[0] if len(observations) else 0.0
    if isinstance(first, np.ndarray | np.generic | int | float):
        try:
            return np.asarray(observations)
        except ValueError:  # of different shapes
            pass
    return [plain(one) for one in observations]
