"""Spaces as Minari writes them into metadata.json, from and to those of the lab."""

from __future__ import annotations

import json
import warnings
from typing import Any

import numpy as np

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.spaces import SpaceJson, bounds, space_to_json

MAX_DEPTH = 16


def read_space(written: Any, name: str) -> tuple[SpaceJson, list[str]]:
    """The space, and the paths of texts in it, which a dataset cannot store; InvalidInput when it is none."""
    texts: list[str] = []
    try:
        given = json.loads(written) if isinstance(written, str) else written
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _read(given, name, texts)
    except (ValueError, TypeError, KeyError, AssertionError, RecursionError, OverflowError) as problem:
        raise InvalidInput(f"metadata.json has no readable space of {name} ({str(problem)[:200]}).") from None
    if found is None:
        raise InvalidInput(f"The {name} of this dataset are texts, which a dataset of the lab cannot store.")
    return found, texts


def write_space(space: SpaceJson) -> dict[str, Any]:
    kind = space["type"]
    if kind == "Dict":
        return {"type": kind, "subspaces": {key: write_space(part) for key, part in space["spaces"].items()}}
    if kind == "Tuple":
        return {"type": kind, "subspaces": [write_space(part) for part in space["spaces"]]}
    if kind == "MultiBinary":
        shape = space["shape"]
        return {"type": kind, "n": shape[0] if len(shape) == 1 else shape}
    if kind == "Discrete":
        return {"type": kind, "dtype": "int64", "start": space.get("start", 0), "n": space["n"]}
    if kind == "MultiDiscrete":
        nvec = np.array(space["nvec"])
        start = space.get("start", np.zeros_like(nvec).tolist())
        return {"type": kind, "dtype": space.get("dtype", "int64"), "nvec": space["nvec"], "start": start}
    low, high = bounds(space)
    return {
        "type": kind,
        "dtype": space["dtype"],
        "shape": space["shape"],
        "low": low.tolist(),
        "high": high.tolist(),
    }


def _read(given: dict[str, Any], path: str, texts: list[str], depth: int = 0) -> SpaceJson | None:
    """None for a text."""
    from gymnasium import spaces

    if depth > MAX_DEPTH:
        raise ValueError("too deep")
    kind = given["type"]
    if kind == "Text":
        texts.append(path)
        return None
    if kind in ("Dict", "Tuple"):
        return _read_parts(given, path, texts, depth)
    if kind == "Box":
        dtype = np.dtype(given["dtype"])
        low, high = np.array(given["low"], dtype), np.array(given["high"], dtype)
        return space_to_json(spaces.Box(low, high, tuple(given["shape"]), dtype=dtype.type))
    if kind == "Discrete":
        return space_to_json(spaces.Discrete(int(given["n"]), start=int(given.get("start", 0))))
    if kind == "MultiDiscrete":
        nvec, dtype = np.array(given["nvec"]), np.dtype(given.get("dtype", "int64"))
        return space_to_json(spaces.MultiDiscrete(nvec, dtype=dtype.type, start=given.get("start")))
    if kind == "MultiBinary":
        return space_to_json(spaces.MultiBinary(given["n"]))
    raise ValueError(f"a space of type {kind}")


def _read_parts(given: dict[str, Any], path: str, texts: list[str], depth: int) -> SpaceJson | None:
    parts = given["subspaces"]
    if isinstance(parts, dict):
        found = {key: _read(part, f"{path}/{key}", texts, depth + 1) for key, part in parts.items()}
        kept = {key: part for key, part in found.items() if part is not None}
        return {"type": "Dict", "spaces": kept} if kept else None
    read = [_read(part, f"{path}/_index_{n}", texts, depth + 1) for n, part in enumerate(parts)]
    if any(part is None for part in read):
        raise ValueError("a tuple with a text in it cannot be stored")
    return {"type": "Tuple", "spaces": read}
