"""Reads the scalars of an event file, from the start or from where an earlier read ended."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from rl_lab.analysis.event_files.columns import BlockPoints, Column, Tags, by_tag
from rl_lab.analysis.event_files.events import BlockReader
from rl_lab.analysis.event_files.records import Block, ReadPosition, blocks
from rl_lab.analysis.event_files.single import SingleReads
from rl_lab.core.words.amounts import plural

Source = str | os.PathLike[str] | BinaryIO
"""A path, or a file opened for reading bytes."""
NOT_ONE = "This is not a TensorBoard event file: it does not start with a record."


@dataclass(frozen=True)
class Scalars:
    columns: dict[str, Column]
    """By tag, in order of first occurrence; points in the order of the file."""
    offset: int
    """The end of the last complete record; pass it as `start` when the file has grown."""
    config: dict[str, Any] = field(default_factory=dict)
    """Hyperparameters found in this read."""
    first_wall_time: float | None = None
    """Wall time of the first record read; a writer writes the first record when its run starts."""
    problems: list[str] = field(default_factory=list)
    """Sentences about damaged parts; the readable parts are still returned."""
    is_complete: bool = True
    """False if `limit` ended the read."""

    @property
    def points(self) -> int:
        return sum(len(column) for column in self.columns.values())


def is_event_file(path: str | os.PathLike[str]) -> bool:
    """Decided by the file name, like TensorBoard does."""
    return "tfevents" in Path(path).name


def read_scalars(source: Source, *, start: int = 0, limit: int | None = None) -> Scalars:
    """All scalars from byte `start` on; stops at the end of a record after about `limit` bytes.

    Every checksum is verified. A damaged record is skipped and reported in `problems`; a damaged length ends the
    read, because later records cannot be found. An incomplete record at the end is left for the next read. A missing
    file raises OSError.
    """
    if isinstance(source, (str, os.PathLike)):
        with Path(source).open("rb") as file:
            return read_scalars(file, start=start, limit=limit)
    position, found, tags = ReadPosition(start), SingleReads(), Tags()
    points: list[BlockPoints] = []
    first: float | None = None
    for block in blocks(source, position, limit):
        if first is None:
            first = _first_wall_time(block)
        points.append(BlockReader(block, tags, found).read())
    return Scalars(
        columns=by_tag(tags, points),
        offset=position.offset,
        config=found.config,
        first_wall_time=first,
        problems=_problems(position, found),
        is_complete=limit is None or position.offset - start < limit,
    )


def _first_wall_time(block: Block) -> float | None:
    if not len(block.start):
        return None
    at = int(block.start[0])
    if block.end[0] - at < 9 or block.data[at] != 0x09:
        return None
    return float(np.frombuffer(block.data[at + 1 : at + 9].tobytes(), "<f8")[0])


def _problems(position: ReadPosition, found: SingleReads) -> list[str]:
    problems = []
    if position.is_lost and position.offset == 0:
        problems.append(NOT_ONE)
    elif position.is_lost:
        problems.append(
            f"The file is damaged at byte {position.offset:,}: a length has a wrong checksum, "
            "so nothing after it could be read."
        )
    if position.damaged:
        problems.append(f"Skipped {plural(position.damaged, 'record')} with a wrong checksum.")
    if position.too_large:
        problems.append(f"Skipped {plural(position.too_large, 'record')} too large to contain scalars.")
    if found.malformed:
        problems.append(
            f"Skipped {plural(found.malformed, 'record')} that cannot be decoded as a TensorBoard event."
        )
    return problems
