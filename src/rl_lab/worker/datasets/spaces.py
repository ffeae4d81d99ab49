"""Spaces of observations and actions as JSON, and their leaves: the arrays that one step consists of.

    {"type": "Box", "shape": [4], "dtype": "float32", "low": [-4.8, null, …], "high": 1.0}    null: no bound
    {"type": "Discrete", "n": 2, "start": 0, "dtype": "int64"}
    {"type": "MultiDiscrete", "nvec": [3, 2], "start": [0, 0], "dtype": "int64"}
    {"type": "MultiBinary", "shape": [5]}
    {"type": "Dict", "spaces": {…}}, {"type": "Tuple", "spaces": […]}

Gymnasium is imported only to build a space: the server uses all the rest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rl_lab.core.errors import InvalidInput

SpaceJson = dict[str, Any]
Tree = Any
"""An array, or a dict or tuple of trees: the shape of a Gymnasium space."""


@dataclass(frozen=True)
class Leaf:
    """One array of a space."""

    name: str
    """Of its column: `observations`, `observations.achieved_goal`, `actions.0`."""
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    """Of one row."""
    space: SpaceJson


def space_to_json(space: Any) -> SpaceJson:
    """A Gymnasium space as plain data; recognised by its class name. A dict that already is one stays as it is."""
    if isinstance(space, dict) and "type" in space:
        return space
    kind = type(space).__name__
    write = _WRITTEN.get(kind)
    if write is None:
        raise InvalidInput(
            f"A dataset cannot store a {kind} space: it has no fixed number of values.",
            next_step="Wrap the environment so that observations and actions are Box, Discrete, MultiDiscrete, "
            "MultiBinary, or a Dict or Tuple of these.",
        )
    return {"type": kind, **write(space)}


def space_from_json(given: SpaceJson) -> Any:
    """The Gymnasium space."""
    from gymnasium import spaces

    kind = given["type"]
    if kind == "Box":
        dtype, shape = np.dtype(given["dtype"]), tuple(given["shape"])
        low, high = bounds(given)
        return spaces.Box(low, high, shape, dtype=dtype.type)
    if kind == "Discrete":
        return spaces.Discrete(given["n"], start=given.get("start", 0))
    if kind == "MultiDiscrete":
        dtype = np.dtype(given.get("dtype", "int64"))
        start = given.get("start")
        return spaces.MultiDiscrete(np.array(given["nvec"]), dtype=dtype.type, start=start)
    if kind == "MultiBinary":
        shape = given["shape"]
        return spaces.MultiBinary(shape[0] if len(shape) == 1 else shape)
    parts = given["spaces"]
    if kind == "Dict":
        return spaces.Dict({key: space_from_json(part) for key, part in parts.items()})
    return spaces.Tuple([space_from_json(part) for part in parts])


def bounds(box: SpaceJson) -> tuple[np.ndarray, np.ndarray]:
    """The lowest and highest values of a Box, in its dtype and shape."""
    dtype, shape = np.dtype(box["dtype"]), tuple(box["shape"])
    return _bound(box["low"], dtype, shape, -math.inf), _bound(box["high"], dtype, shape, math.inf)


def leaves(space: SpaceJson, name: str) -> list[Leaf]:
    """The arrays of a space, under the names of their columns."""
    return list(_leaves(space, name))


def split_tree(space: SpaceJson, tree: Tree, name: str) -> dict[str, Any]:
    """The arrays of a tree by the names of their columns."""
    kind = space["type"]
    if kind not in ("Dict", "Tuple"):
        return {name: tree}
    found: dict[str, Any] = {}
    for key, part in _parts(space):
        try:
            below = tree[key]
        except (KeyError, IndexError, TypeError) as problem:
            raise InvalidInput(f"{name} has no “{key}”, which its space names.") from problem
        found |= split_tree(part, below, f"{name}.{_file_part(key)}")
    return found


def join_tree(space: SpaceJson, columns: dict[str, Any], name: str) -> Tree:
    """The tree whose arrays are given by the names of their columns."""
    kind = space["type"]
    if kind not in ("Dict", "Tuple"):
        return columns[name]
    parts = {key: join_tree(part, columns, f"{name}.{_file_part(key)}") for key, part in _parts(space)}
    return parts if kind == "Dict" else tuple(parts.values())


def space_difference(one: SpaceJson, other: SpaceJson) -> str | None:
    """What differs between two spaces, as a phrase; None when they are the same."""
    if one == other:
        return None
    if one.get("type") != other.get("type"):
        return f"{space_words(one)} against {space_words(other)}"
    for field in ("shape", "dtype", "n", "start", "nvec", "low", "high"):
        if one.get(field) != other.get(field):
            return f"{field} {one.get(field)} against {other.get(field)}"
    mine, theirs = dict(_parts(one)), dict(_parts(other))
    if mine.keys() != theirs.keys():
        return f"parts {sorted(map(str, mine))} against {sorted(map(str, theirs))}"
    for key, part in mine.items():
        found = space_difference(part, theirs[key])
        if found is not None:
            return f"in “{key}”: {found}"
    return None


def space_words(space: SpaceJson) -> str:
    """Short: "Box(4) float32", "Discrete(2)"."""
    kind = space["type"]
    if kind == "Discrete":
        return f"Discrete({space['n']})"
    if kind in ("Dict", "Tuple"):
        return f"{kind}({', '.join(f'{key}: {space_words(part)}' for key, part in _parts(space))})"
    inside = space["nvec"] if kind == "MultiDiscrete" else ", ".join(map(str, space["shape"]))
    return f"{kind}({inside})" + (f" {space['dtype']}" if kind == "Box" else "")


def _leaves(space: SpaceJson, name: str) -> Iterator[Leaf]:
    try:
        yield from _read_leaves(space, name)
    except (KeyError, TypeError, ValueError) as problem:
        raise InvalidInput(
            f"The space of {name} is not one that the lab has written: {problem}."
        ) from problem


def _read_leaves(space: SpaceJson, name: str) -> Iterator[Leaf]:
    kind = space["type"]
    if kind in ("Dict", "Tuple"):
        for key, part in _parts(space):
            yield from _leaves(part, f"{name}.{_file_part(key)}")
    elif kind == "Discrete":
        yield Leaf(name, _number_type(space.get("dtype", "int64")), (), space)
    elif kind == "MultiDiscrete":
        shape = np.shape(space["nvec"])
        yield Leaf(name, _number_type(space.get("dtype", "int64")), shape, space)
    elif kind == "MultiBinary":
        yield Leaf(name, np.dtype(np.int8), _shape(space["shape"]), space)
    elif kind == "Box":
        yield Leaf(name, _number_type(space["dtype"]), _shape(space["shape"]), space)
    else:
        raise ValueError(f"a dataset cannot store a {kind} space")


def _number_type(written: str) -> np.dtype[Any]:
    dtype = np.dtype(written)
    if dtype.kind not in "biuf":
        raise ValueError(f"{written} is not a type of numbers")
    return dtype


def _shape(given: Any) -> tuple[int, ...]:
    sizes = (given,) if isinstance(given, int) else given
    shape = tuple(int(size) for size in sizes)
    if any(size < 0 for size in shape):
        raise ValueError(f"{given} is not a shape")
    return shape


def _parts(space: SpaceJson) -> list[tuple[Any, SpaceJson]]:
    parts = space.get("spaces") or {}
    return list(parts.items()) if isinstance(parts, dict) else list(enumerate(parts))


def _file_part(key: Any) -> str:
    """A key of a Dict as part of a file name: all but letters, digits, - and _ is written as in a URL."""
    if not str(key):
        raise InvalidInput("A Dict space has a part without a name, which a dataset cannot store.")
    return re.sub(r"[^A-Za-z0-9_-]", lambda c: "".join(f"%{b:02X}" for b in c[0].encode()), str(key))


def _bound(given: Any, dtype: np.dtype[Any], shape: tuple[int, ...], infinite: float) -> np.ndarray:
    if given is None:
        given = infinite
    elif isinstance(given, list):
        given = [infinite if value is None else value for value in given]
    values = np.asarray(given)
    return (
        np.broadcast_to(values, shape).astype(dtype)
        if values.ndim == 0
        else values.reshape(shape).astype(dtype)
    )


def _written_bound(values: np.ndarray) -> Any:
    """One number when all are equal; null where there is no bound."""
    flat = values.reshape(-1)
    if flat.size and (flat == flat[0]).all():
        return _plain(flat[0])
    return [_plain(value) for value in flat]


def _plain(value: Any) -> Any:
    number = value.item()
    return None if isinstance(number, float) and not math.isfinite(number) else number


_WRITTEN: dict[str, Any] = {
    "Box": lambda s: {
        "shape": list(s.shape),
        "dtype": s.dtype.name,
        "low": _written_bound(s.low),
        "high": _written_bound(s.high),
    },
    "Discrete": lambda s: {"n": int(s.n), "start": int(s.start), "dtype": np.dtype(s.dtype).name},
    "MultiDiscrete": lambda s: {
        "nvec": s.nvec.tolist(),
        "start": s.start.tolist(),
        "dtype": np.dtype(s.dtype).name,
    },
    "MultiBinary": lambda s: {"shape": list(s.shape)},
    "Dict": lambda s: {"spaces": {key: space_to_json(part) for key, part in s.spaces.items()}},
    "Tuple": lambda s: {"spaces": [space_to_json(part) for part in s.spaces]},
}
