"""The state of a learner as tensors and JSON: arrays go into a flat table under their path, the rest stays."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def split_state(state: dict[str, Any], prefix: str, tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    """Moves arrays into `tensors` under their path; the rest is returned as JSON."""
    left: dict[str, Any] = {}
    for name, value in state.items():
        if isinstance(value, np.ndarray):
            tensors[prefix + name] = np.ascontiguousarray(value)
        else:
            left[name] = split_state(value, f"{prefix}{name}/", tensors) if isinstance(value, dict) else value
    return left


def join_state(numbers: dict[str, Any], tensors: dict[str, NDArray[Any]]) -> dict[str, Any]:
    for path, value in tensors.items():
        *folders, name = path.split("/")
        target = numbers
        for folder in folders:
            target = target.setdefault(folder, {})
        target[name] = value
    return numbers


def to_plain(value: Any) -> Any:
    """For `json.dumps`."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be stored in a checkpoint")
