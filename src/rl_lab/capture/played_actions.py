"""Stores the actions of a script as bytes: the first one determines the packing, the others must match it exactly.

No action is changed; one that could not be restored exactly raises `Misfit`, and its episode is not recorded.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import index
from typing import Any

from rl_lab.portable.actions import Packing, action_packing, bytes_per_step

Keeper = Callable[[Any], object]


class Misfit(Exception):
    """An action that the packing cannot store."""


def find_packing(space: Any, action: Any) -> Packing | None:
    """How actions like this one are stored; None when they cannot be."""
    packing = action_packing(space)
    if packing is None or packing["kind"] != "box":
        return packing
    try:
        values = _array(action)
    except Misfit:
        return None
    text = values.dtype.newbyteorder("<").str.lstrip("|")
    if values.dtype.kind not in "fiu" or not text[-1].isdigit() or int(text[-1]) > 8:
        return None
    return {"kind": "box", "dtype": text, "shape": list(values.shape)}


def make_keeper(actions: bytearray, packing: Packing) -> Keeper:
    """The cheapest function that appends one action."""
    if packing["kind"] == "discrete":
        if packing["dtype"] == "u1" and packing["start"] == 0:
            return actions.append
        return _discrete_keeper(actions, packing)
    if packing["kind"] == "box":
        return _box_keeper(actions, packing)
    return _whole_keeper(actions, packing)


def _discrete_keeper(actions: bytearray, packing: Packing) -> Keeper:
    start, size = packing["start"], bytes_per_step(packing)
    return lambda action: actions.extend((index(action) - start).to_bytes(size, "little"))


def _box_keeper(actions: bytearray, packing: Packing) -> Keeper:
    import numpy as np

    dtype, shape = np.dtype(packing["dtype"]), tuple(packing["shape"])

    def keep(action: Any) -> None:
        values = _array(action)
        if values.dtype != dtype or values.shape != shape:
            raise Misfit(f"{values.dtype}{values.shape} after {dtype}{shape}")
        actions.extend(values.tobytes())

    return keep


def _whole_keeper(actions: bytearray, packing: Packing) -> Keeper:
    import numpy as np

    shape = tuple(packing["shape"])
    start = np.reshape(packing.get("start", 0), shape if "start" in packing else ())

    def keep(action: Any) -> None:
        values = _array(action)
        if values.shape != shape or values.dtype.kind not in "iub":
            raise Misfit(f"{values.dtype}{values.shape}, expected whole numbers of shape {shape}")
        moved = values.astype(np.int64) - start
        packed = moved.astype(packing["dtype"])
        if not (packed == moved).all():
            raise Misfit("a number outside the action space")
        actions.extend(packed.tobytes())

    return keep


def _array(action: Any) -> Any:
    """The action as a numpy array. Tensors are refused: an environment may compute differently with them."""
    import numpy as np

    if isinstance(action, (np.ndarray, np.generic, float, int, list, tuple)):
        values = np.asarray(action)
        if values.dtype.kind in "fiub":
            return values
    raise Misfit(f"an action of type {type(action).__name__}")
