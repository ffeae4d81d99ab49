"""Converts objects of a script to JSON data: its arguments, its logged values, the versions of its libraries."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

MAX_ENTRIES = 300
MAX_DEPTH = 4
MAX_CHARS = 1000
LIBRARIES = (
    "numpy",
    "gymnasium",
    "gym",
    "torch",
    "jax",
    "stable_baselines3",
    "tensorflow",
    "envpool",
    "ale_py",
    "tyro",
)


def plain_arguments(arguments: Any) -> dict[str, Any]:
    """The fields of a dataclass, a namespace or a mapping; empty for anything else."""
    fields = _fields(arguments)
    if fields is None:
        return {}
    return {str(name): plain(value) for name, value in list(fields.items())[:MAX_ENTRIES]}


def plain(value: Any, depth: int = 0) -> Any:
    if value is None or isinstance(value, (bool, int, float)):
        return value
    if isinstance(value, str):
        return value[:MAX_CHARS]
    if depth < MAX_DEPTH:
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(entry, depth + 1) for entry in list(value)[:MAX_ENTRIES]]
        fields = _fields(value)
        if fields is not None:
            return {str(k): plain(v, depth + 1) for k, v in list(fields.items())[:MAX_ENTRIES]}
    return _text(value)


def number_of(value: Any) -> float | None:
    """A logged value as a float: a number, or a tensor or array of one element; None for anything else."""
    try:
        # item() first: numpy refuses float() of an array, torch warns about tensors that require a gradient.
        plain_value = value.item() if hasattr(value, "item") else value
        return None if isinstance(plain_value, (str, bytes)) else float(plain_value)
    except Exception:
        return None


def loaded_versions() -> dict[str, str]:
    """Versions of the libraries the script has imported so far; nothing is imported for this."""
    versions = {"python": sys.version.split()[0]}
    for name in LIBRARIES:
        version = getattr(sys.modules.get(name), "__version__", None)
        if version is not None:
            versions[name] = str(version)
    return versions


def _fields(value: Any) -> Mapping[Any, Any] | None:
    if isinstance(value, Mapping):
        return value
    names = getattr(type(value), "__dataclass_fields__", None)
    if names is not None:
        return {name: getattr(value, name, None) for name in names}
    if type(value).__name__ == "Namespace":
        return dict(vars(value))
    return None


def _text(value: Any) -> str:
    """Classes and functions by their name, everything else by str()."""
    name = getattr(value, "__qualname__", None)
    try:
        return str(name or value)[:MAX_CHARS]
    except Exception:
        return f"<{type(value).__name__}>"
