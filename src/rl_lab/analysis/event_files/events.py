"""Converts many records to points at once: nearly all records of a file have one of a few layouts.

Records with other layouts (several kinds of fields, texts, hyperparameters) are read one by one with `single`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.event_files.columns import BlockPoints, Tags, joined_points
from rl_lab.analysis.event_files.records import Block
from rl_lab.analysis.event_files.single import Point, SingleReads, read_event, read_summary, scalar_place
from rl_lab.analysis.event_files.wire import gather, lengths, varints

WALL_TIME, STEP, SUMMARY, VALUE, TAG, SIMPLE = 0x09, 0x10, 0x2A, 0x0A, 0x0A, 0x15
FEW = 8
"""Fewer summaries than this are read faster one by one."""
WIDEST = 512
"""Maximum bytes of a value after its tag for the vectorised comparison."""
LAYOUTS = 16
"""Number of tensor layouts tried per width before the rest is read one by one."""

Bytes = NDArray[np.uint8]
Places = NDArray[np.int64]
Which = NDArray[np.bool_] | Places


@dataclass(frozen=True)
class Rows:
    """Summaries that are read in parallel; `at` is the position of the next value of each."""

    order: Places
    at: Places
    end: Places
    wall_times: NDArray[np.float64]
    steps: Places

    def only(self, which: Which) -> Rows:
        return Rows(
            self.order[which], self.at[which], self.end[which], self.wall_times[which], self.steps[which]
        )


class BlockReader:
    """Reads one block; records that cannot be read in parallel go to `found`."""

    def __init__(self, block: Block, tags: Tags, found: SingleReads) -> None:
        self.block, self.tags, self.found = block, tags, found
        self.data, self.bytes = block.data, block.data.data
        self.points: list[BlockPoints] = []

    def read(self) -> BlockPoints:
        """The points in the order of the records."""
        already = len(self.found.points)
        rows = self._events()
        while len(rows.order) >= FEW:
            rows = self._values(rows)
        self._one_by_one(rows)
        self._take_singles(self.found.points[already:])
        del self.found.points[already:]
        return _in_order(self.points)

    def _events(self) -> Rows:
        """Events with a wall time, an optional step and a summary; all other events are read one by one."""
        data, start, end = self.data, self.block.start, self.block.end
        long_enough = np.flatnonzero(end - start >= 11)
        at = start[long_enough] + 9
        has_step = data.take(at) == STEP
        steps, behind = varints(data, at + 1)
        at = np.where(has_step, behind, at)
        length, behind = lengths(data, at + 1)
        is_usual = (
            (data.take(start[long_enough]) == WALL_TIME)
            & (data.take(np.minimum(at, end[long_enough])) == SUMMARY)
            & (behind + length == end[long_enough])
        )
        order = long_enough[is_usual]
        unusual = np.ones(len(start), np.bool_)
        unusual[order] = False
        for number in np.flatnonzero(unusual).tolist():
            read_event(self.bytes, int(start[number]), int(end[number]), number, self.found)
        times = gather(data, start[order] + 1, 8).view("<f8").reshape(-1)
        signed = np.where(has_step, steps, np.uint64(0))[is_usual].view(np.int64)
        return Rows(order, behind[is_usual], end[order], times, signed)

    def _values(self, rows: Rows) -> Rows:
        """Reads the next value of every summary; returns the summaries that have more values."""
        data = self.data
        length, at = lengths(data, rows.at + 1)
        value_end = at + length
        tag_length, tag = lengths(data, np.minimum(at + 1, rows.end))
        tail = tag + tag_length
        is_usual = (
            (data.take(rows.at) == VALUE)
            & (value_end <= rows.end)
            & (tail <= value_end)
            & (data.take(np.minimum(at, rows.end)) == TAG)
        )
        self._one_by_one(rows.only(~is_usual))
        rows, value_end, tag, tail = rows.only(is_usual), value_end[is_usual], tag[is_usual], tail[is_usual]
        is_simple = (value_end - tail == 5) & (data.take(tail) == SIMPLE)
        numbers = gather(data, tail[is_simple] + 1, 4).view("<f4").reshape(-1).astype(np.float64)
        self._keep(rows.only(is_simple), tag[is_simple], tail[is_simple], numbers)
        self._tensors(rows.only(~is_simple), tag[~is_simple], tail[~is_simple], value_end[~is_simple])
        again = Rows(rows.order, value_end, rows.end, rows.wall_times, rows.steps)
        return again.only(value_end < rows.end)

    def _tensors(self, rows: Rows, tag: Places, tail: Places, end: Places) -> None:
        """Reads values together that have the same width and differ only in the bytes of their number."""
        width = end - tail
        left = np.zeros(len(tail), np.bool_)
        for size in np.unique(width).tolist():
            group = np.flatnonzero(width == size)
            for _ in range(LAYOUTS):
                if len(group) < FEW or size > WIDEST:
                    break
                group = self._tensors_alike(rows, tag, tail, group, size)
            left[group] = True
        single = Rows(rows.order, rows.at, end, rows.wall_times, rows.steps)
        self._one_by_one(single.only(left))

    def _tensors_alike(self, rows: Rows, tag: Places, tail: Places, group: Places, size: int) -> Places:
        """Reads the values with the same layout as the first; returns the others."""
        first = int(tail[group[0]])
        place = scalar_place(self.bytes, first, first + size)
        if place is None:
            one = rows.only(group[:1])
            self._one_by_one(Rows(one.order, one.at, tail[group[:1]] + size, one.wall_times, one.steps))
            return group[1:]
        at, kind = place[0], np.dtype(place[1])
        matrix = gather(self.data, tail[group], size)
        fixed = np.r_[0:at, at + kind.itemsize : size]
        is_alike = (matrix[:, fixed] == matrix[0, fixed]).all(axis=1)
        numbers = np.ascontiguousarray(matrix[is_alike, at : at + kind.itemsize]).view(kind).reshape(-1)
        which = group[is_alike]
        self._keep(rows.only(which), tag[which], tail[which], numbers.astype(np.float64))
        others: Places = group[~is_alike]
        return others

    def _one_by_one(self, rows: Rows) -> None:
        columns = (rows.order, rows.at, rows.end, rows.wall_times, rows.steps)
        for order, at, end, time, step in zip(*(c.tolist() for c in columns), strict=True):
            read_summary(self.bytes, at, end, Point(order, step, time, b"", 0.0), self.found)

    def _keep(self, rows: Rows, tag: Places, tag_end: Places, values: NDArray[np.float64]) -> None:
        if len(values):
            numbers = self._tag_numbers(tag, tag_end - tag)
            self.points.append(BlockPoints(rows.order, rows.steps, rows.wall_times, values, numbers))

    def _tag_numbers(self, start: Places, length: Places) -> Places:
        """The tag number of each value; tags of the same length are distinguished by their bytes."""
        numbers = np.empty(len(start), np.int64)
        for size in np.unique(length).tolist():
            group = np.flatnonzero(length == size)
            names = gather(self.data, start[group], size) if size else np.empty((len(group), 0), np.uint8)
            firsts, which = _distinct(names)
            known = [self.tags.number(names[first].tobytes()) for first in firsts.tolist()]
            numbers[group] = np.array(known, np.int64)[which]
        return numbers

    def _take_singles(self, points: list[Point]) -> None:
        if points:
            self.points.append(
                BlockPoints(
                    np.array([p.order for p in points], np.int64),
                    np.array([p.step for p in points], np.int64),
                    np.array([p.wall_time for p in points], np.float64),
                    np.array([p.value for p in points], np.float64),
                    np.array([self.tags.number(p.tag) for p in points], np.int64),
                )
            )


def _distinct(names: Bytes) -> tuple[Places, Places]:
    """The first index of each distinct row, and for each row the number of its distinct row.

    Rows are compared by a hash of their bytes, and the result is verified once, because hashes may collide.
    """
    width = -(-names.shape[1] // 8) * 8
    padded = np.zeros((len(names), max(8, width)), np.uint8)
    padded[:, : names.shape[1]] = names
    words = padded.view("<u8")
    hashes = words[:, 0].copy()
    for column in range(1, words.shape[1]):
        hashes = (hashes ^ (hashes >> np.uint64(29))) * np.uint64(0x9E3779B97F4A7C15) + words[:, column]
    _, firsts, which = np.unique(hashes, return_index=True, return_inverse=True)
    if not np.array_equal(padded[firsts[which]], padded):
        _, firsts, which = np.unique(padded, axis=0, return_index=True, return_inverse=True)
    return firsts, which.reshape(-1)


def _in_order(points: list[BlockPoints]) -> BlockPoints:
    joined = points[0] if len(points) == 1 else joined_points(points)
    order = np.argsort(joined.order, kind="stable")
    return joined.only(order)
