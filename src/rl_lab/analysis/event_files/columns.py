"""A Column is one series of a file: its steps, wall times and values, side by side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Column:
    steps: NDArray[np.int64]
    wall_times: NDArray[np.float64]
    """Seconds since 1970."""
    values: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.steps)


@dataclass(frozen=True)
class Points:
    """Some points of a block, not yet by tag."""

    order: NDArray[np.int64]
    """Which record of the block they came from."""
    steps: NDArray[np.int64]
    wall_times: NDArray[np.float64]
    values: NDArray[np.float64]
    tag: NDArray[np.int64]
    """Index into the tags of the file."""

    def only(self, which: NDArray[np.int64]) -> Points:
        return Points(
            self.order[which], self.steps[which], self.wall_times[which], self.values[which], self.tag[which]
        )


def joined_points(points: list[Points]) -> Points:
    whole, real = np.empty(0, np.int64), np.empty(0, np.float64)
    return Points(
        np.concatenate([whole, *(p.order for p in points)]),
        np.concatenate([whole, *(p.steps for p in points)]),
        np.concatenate([real, *(p.wall_times for p in points)]),
        np.concatenate([real, *(p.values for p in points)]),
        np.concatenate([whole, *(p.tag for p in points)]),
    )


class Tags:
    """The names met so far, each with a number."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}

    def number(self, name: bytes) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


def by_tag(tags: Tags, points: list[Points]) -> dict[str, Column]:
    """Each tag's points in the order of the file; `points` are in that order already."""
    joined = joined_points(points)
    ordered = joined.only(np.argsort(joined.tag, kind="stable"))
    edges = np.searchsorted(ordered.tag, np.arange(len(tags.numbers) + 1))
    columns = {}
    for name, number in tags.numbers.items():
        part = slice(edges[number], edges[number + 1])
        if part.start < part.stop:
            column = Column(ordered.steps[part], ordered.wall_times[part], ordered.values[part])
            columns[name.decode("utf-8", "backslashreplace")] = column
    return columns
