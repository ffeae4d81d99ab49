"""A Column is one series of a file: arrays of its steps, wall times and values."""

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
class BlockPoints:
    """BlockPoints of a block, not yet grouped by tag."""

    order: NDArray[np.int64]
    """Index of the record in the block."""
    steps: NDArray[np.int64]
    wall_times: NDArray[np.float64]
    values: NDArray[np.float64]
    tag: NDArray[np.int64]
    """Index into the tags of the file."""

    def only(self, which: NDArray[np.int64]) -> BlockPoints:
        return BlockPoints(
            self.order[which], self.steps[which], self.wall_times[which], self.values[which], self.tag[which]
        )


def joined_points(points: list[BlockPoints]) -> BlockPoints:
    whole, real = np.empty(0, np.int64), np.empty(0, np.float64)
    return BlockPoints(
        np.concatenate([whole, *(p.order for p in points)]),
        np.concatenate([whole, *(p.steps for p in points)]),
        np.concatenate([real, *(p.wall_times for p in points)]),
        np.concatenate([real, *(p.values for p in points)]),
        np.concatenate([whole, *(p.tag for p in points)]),
    )


class Tags:
    """The tag names seen so far, each with a number."""

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}

    def number(self, name: bytes) -> int:
        return self.numbers.setdefault(name, len(self.numbers))


def by_tag(tags: Tags, points: list[BlockPoints]) -> dict[str, Column]:
    """The points of each tag in the order of the file; `points` must be in that order."""
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
