"""A value of any space as JSON. NumPy is imported where it is needed: a script's Python may lack it."""

from __future__ import annotations

from typing import Any

MAX_SHOWN_VALUES = 64


def shown(value: Any) -> Any:
    """A value of any space as JSON; large arrays as their shape and range."""
    if isinstance(value, dict):
        return {str(k): shown(v) for k, v in value.items()}
    if isinstance(value, (tuple, list)):
        return [shown(v) for v in value]
    if isinstance(value, (str, bool, int, type(None))):
        return value
    import numpy as np

    array = np.asarray(value)
    if array.dtype == object:
        return str(value)
    if array.size > MAX_SHOWN_VALUES:
        low, high = float(array.min()), float(array.max())
        return {"shape": list(array.shape), "min": low, "max": high, "mean": float(array.mean())}
    return array.tolist() if array.ndim else array.item()
