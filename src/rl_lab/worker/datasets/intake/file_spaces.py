"""The spaces of an imported file: as the file says them, as the environment has them, or as the numbers show them."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import ACTIONS, OBSERVATIONS
from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.formats.rows import Array, Columns
from rl_lab.worker.datasets.formats.source import OpenSource, RowKind
from rl_lab.worker.datasets.spaces import SpaceJson, bounds, leaves, space_words


class ColumnRange:
    """Smallest and largest number of a column, and how many are not finite or outside the space."""

    def __init__(self, kind: RowKind, space: SpaceJson | None) -> None:
        self.dtype, self.shape = kind
        self.low: Array | None = None
        self.high: Array | None = None
        self.not_finite = self.outside = 0
        self._limits = _limits(space) if space is not None else None

    def add(self, values: Array) -> None:
        if not values.size:
            return
        low, high = values.min(axis=0), values.max(axis=0)
        if values.dtype.kind == "f" and not (np.isfinite(low).all() and np.isfinite(high).all()):
            is_finite = np.isfinite(values)
            self.not_finite += int(values.size - is_finite.sum())
            low = np.where(is_finite, values, np.inf).min(axis=0)
            high = np.where(is_finite, values, -np.inf).max(axis=0)
        if self._limits is not None and ((low < self._limits[0]).any() or (high > self._limits[1]).any()):
            self.outside += int(((values < self._limits[0]) | (values > self._limits[1])).sum())
        self.low = low if self.low is None else np.minimum(self.low, low)
        self.high = high if self.high is None else np.maximum(self.high, high)


class SpaceFinder:
    """Watches the numbers of one group of columns while they are read."""

    def __init__(self, kinds: dict[str, RowKind], space: SpaceJson | None, name: str) -> None:
        self.name, self.given = name, space
        parts = {leaf.name: leaf.space for leaf in leaves(space, name)} if space is not None else {}
        self.tallies = {column: ColumnRange(kind, parts.get(column)) for column, kind in kinds.items()}

    @property
    def provisional(self) -> SpaceJson:
        """Of the right types and shapes; the limits are known at the end."""
        return self.given or _nested(
            {n: _seen_space(t, self.name) for n, t in self.tallies.items()}, self.name
        )

    def add(self, columns: Columns) -> None:
        for name, tally in self.tallies.items():
            tally.add(columns[name])

    def find(self) -> SpaceJson:
        return self.provisional

    def notes(self) -> list[str]:
        found = []
        not_finite = sum(tally.not_finite for tally in self.tallies.values())
        outside = sum(tally.outside for tally in self.tallies.values())
        if not_finite:
            found.append(f"{self._are(not_finite)} NaN or infinite.")
        if outside:
            found.append(f"{self._are(outside)} outside their space.")
        if self.given is None:
            found.append(
                f"The file does not name the space of its {self.name}: {space_words(self.find())} as the data shows it."
            )
        return found

    def _are(self, count: int) -> str:
        return f"{plural(count, 'number')} of the {self.name} {'is' if count == 1 else 'are'}"


def environment_spaces(env_id: str, env_kwargs: dict[str, Any]) -> tuple[SpaceJson, SpaceJson]:
    from rl_lab.worker.datasets.spaces import space_to_json
    from rl_lab.worker.environments.make import make_environment

    env = make_environment(env_id, env_kwargs)
    try:
        return space_to_json(env.observation_space), space_to_json(env.action_space)
    finally:
        env.close()


def fit_environment(source: OpenSource, env_id: str, spaces: tuple[SpaceJson, SpaceJson]) -> None:
    """Gives the source the environment's spaces, in the number types of the file; InvalidInput when they differ."""
    observation = _fitted(spaces[0], source.observations, OBSERVATIONS, env_id)
    action = _fitted(spaces[1], source.actions, ACTIONS, env_id)
    source.observation_space = source.observation_space or observation
    source.action_space = source.action_space or action


def _fitted(space: SpaceJson, columns: dict[str, RowKind], name: str, env_id: str) -> SpaceJson:
    wanted = {leaf.name: leaf for leaf in leaves(space, name)}
    is_same = wanted.keys() == columns.keys() and all(
        _holds(columns[column], leaf.shape, leaf.space["type"]) for column, leaf in wanted.items()
    )
    if not is_same:
        raise InvalidInput(
            f"The file does not fit {env_id}: its {name} are {_kinds_words(columns, name)}, the environment has "
            f"{space_words(space)}. Nothing was imported.",
            next_step="Name the environment that the file was recorded in, or leave it out.",
        )
    for column, leaf in wanted.items():
        columns[column] = (columns[column][0], leaf.shape)
    return _with_types(space, {leaf.name: columns[leaf.name][0] for leaf in wanted.values()}, name)


def _holds(kind: RowKind, shape: tuple[int, ...], type_: str) -> bool:
    """Whole numbers may be written as floats, and one number as a row of one."""
    is_shape = kind[1] == shape or (np.prod(kind[1]) == 1 and np.prod(shape) == 1)
    return bool(is_shape and (type_ != "Box" or kind[0].kind == "f" or kind[1] != ()))


def _with_types(space: SpaceJson, dtypes: dict[str, np.dtype[Any]], name: str) -> SpaceJson:
    if space["type"] == "Box":
        dtype = dtypes[name]
        if np.dtype(space["dtype"]).kind == dtype.kind:
            return {**space, "dtype": dtype.name}
        return space
    if space["type"] == "Dict":
        return {
            **space,
            "spaces": {k: _with_types(p, dtypes, f"{name}.{k}") for k, p in space["spaces"].items()},
        }
    if space["type"] == "Tuple":
        return {
            **space,
            "spaces": [_with_types(p, dtypes, f"{name}.{n}") for n, p in enumerate(space["spaces"])],
        }
    return space


def _kinds_words(columns: dict[str, RowKind], name: str) -> str:
    words = []
    for column, (dtype, shape) in columns.items():
        part = column.removeprefix(name).lstrip(".")
        shown = f"{dtype.name} {list(shape)}" if shape else f"{dtype.name}"
        words.append(f"{part}: {shown}" if part else shown)
    return ", ".join(words)


def _limits(space: SpaceJson) -> tuple[Any, Any] | None:
    if space["type"] == "Box":
        return bounds(space)
    if space["type"] == "Discrete":
        start = space.get("start", 0)
        return start, start + space["n"] - 1
    if space["type"] == "MultiDiscrete":
        start = np.array(space.get("start", 0))
        return start, start + np.array(space["nvec"]) - 1
    return 0, 1


def _nested(parts: dict[str, SpaceJson], name: str) -> SpaceJson:
    if name in parts:
        return parts[name]
    below: dict[str, dict[str, SpaceJson]] = {}
    for column, space in parts.items():
        key = column.removeprefix(f"{name}.").partition(".")[0]
        below.setdefault(key, {})[column] = space
    return {"type": "Dict", "spaces": {key: _nested(found, f"{name}.{key}") for key, found in below.items()}}


def _seen_space(tally: ColumnRange, name: str) -> SpaceJson:
    dtype, shape = tally.dtype, tally.shape
    low = tally.low if tally.low is not None else np.zeros(shape, dtype)
    high = tally.high if tally.high is not None else np.zeros(shape, dtype)
    if dtype.kind in "iu" and shape == ():
        start = min(0, int(low))
        return {"type": "Discrete", "n": int(high) - start + 1, "start": start, "dtype": dtype.name}
    box = {"type": "Box", "shape": list(shape), "dtype": dtype.name}
    if dtype.kind in "iu":
        if name == ACTIONS and int(low.min()) >= 0 and len(shape) == 1:
            nvec = (high.astype(np.int64) + 1).tolist()
            return {"type": "MultiDiscrete", "nvec": nvec, "start": [0] * len(nvec), "dtype": dtype.name}
        limits = np.iinfo(dtype)
        return {**box, "low": int(limits.min), "high": int(limits.max)}
    if name == ACTIONS:
        return {**box, **_action_limits(low, high)}
    return {**box, "low": None, "high": None}


def _action_limits(low: Array, high: Array) -> dict[str, Any]:
    """-1 to 1 where that holds all actions, as most environments have it; else what was seen."""
    if not np.isfinite([low, high]).all() or (low.min() >= -1 and high.max() <= 1):
        return {"low": -1.0, "high": 1.0}
    return {"low": low.reshape(-1).tolist(), "high": high.reshape(-1).tolist()}
