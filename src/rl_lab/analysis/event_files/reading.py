"""Reads the scalars of an event file, from its beginning or from where an earlier reading ended."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rl_lab.analysis.event_files.columns import Column, Points, Tags, by_tag
from rl_lab.analysis.event_files.events import BlockReader
from rl_lab.analysis.event_files.records import Block, Progress, blocks
from rl_lab.analysis.event_files.single import Found
from rl_lab.core.wording import plural

Source = str | os.PathLike[str] | BinaryIO
"""A path, or a file opened to read bytes."""
NOT_ONE = "This is not a TensorBoard event file: it does not begin with a record."


@dataclass(frozen=True)
class Scalars:
    columns: dict[str, Column]
    """By tag, in the order the tags first occur; points in the order of the file."""
    offset: int
    """Behind the last whole record: give it as `start` when the file has grown."""
    config: dict[str, Any] = field(default_factory=dict)
    """Hyperparameters found in what was read."""
    first_wall_time: float | None = None
    """Of the first record read; a file's first record is written when its run begins."""
    problems: list[str] = field(default_factory=list)
    """What was wrong, in words; what could be read is here all the same."""
    is_complete: bool = True
    """False when `limit` ended the reading."""

    @property
    def points(self) -> int:
        return sum(len(column) for column in self.columns.values())


def is_event_file(path: str | os.PathLike[str]) -> bool:
    """By name, as TensorBoard decides it."""
    return "tfevents" in Path(path).name


def read_scalars(source: Source, *, start: int = 0, limit: int | None = None) -> Scalars:
    """Every scalar from byte `start` on; after about `limit` bytes it stops at a record's end.

    Every checksum is checked. A damaged record is left out and told; damage to a length ends the reading, for no
    record behind it can be found. Half a record at the end is left for the next reading. Missing files raise OSError.
    """
    if isinstance(source, (str, os.PathLike)):
        with Path(source).open("rb") as file:
            return read_scalars(file, start=start, limit=limit)
    progress, found, tags = Progress(start), Found(), Tags()
    points: list[Points] = []
    first: float | None = None
    for block in blocks(source, progress, limit):
        if first is None:
            first = _first_wall_time(block)
        points.append(BlockReader(block, tags, found).read())
    return Scalars(
        columns=by_tag(tags, points),
        offset=progress.offset,
        config=found.config,
        first_wall_time=first,
        problems=_problems(progress, found),
        is_complete=limit is None or progress.offset - start < limit,
    )


def _first_wall_time(block: Block) -> float | None:
    if not len(block.start):
        return None
    at = int(block.start[0])
    if block.end[0] - at < 9 or block.data[at] != 0x09:
        return None
    return float(np.frombuffer(block.data[at + 1 : at + 9].tobytes(), "<f8")[0])


def _problems(progress: Progress, found: Found) -> list[str]:
    said = []
    if progress.is_lost and progress.offset == 0:
        said.append(NOT_ONE)
    elif progress.is_lost:
        said.append(
            f"The file is damaged at byte {progress.offset:,}: a length has a wrong checksum, "
            "so nothing behind it could be read."
        )
    if progress.damaged:
        said.append(f"{plural(progress.damaged, 'record')} with a wrong checksum left out.")
    if progress.too_large:
        said.append(f"{plural(progress.too_large, 'record')} too large to hold scalars stepped over.")
    if found.malformed:
        said.append(
            f"{plural(found.malformed, 'record')} that TensorBoard's format does not explain left out."
        )
    return said
