"""Reads records one at a time, for rare layouts: several values, integers, texts, hyperparameters."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

from rl_lab.analysis.event_files.config import config_of_hparams, config_of_table
from rl_lab.analysis.event_files.tensors import read_tensor
from rl_lab.analysis.event_files.wire import BYTES, EIGHT, FOUR, Field, Malformed, fields, signed

HPARAMS, SCALARS = "hparams", "scalars"
CONFIG_TAGS = ("hyperparameters", "hyperparameters/text_summary", "config", "config/text_summary")
"""Tags of texts that contain a table of names and values; the first one is used by CleanRL."""


@dataclass(frozen=True)
class Point:
    order: int
    step: int
    wall_time: float
    tag: bytes
    value: float


@dataclass
class SingleReads:
    """The results of records that were read one by one."""

    points: list[Point] = field(default_factory=list)
    hparams: dict[str, Any] = field(default_factory=dict)
    table: dict[str, Any] = field(default_factory=dict)
    malformed: int = 0
    """Number of records with a correct checksum whose bytes are not an event."""

    @property
    def config(self) -> dict[str, Any]:
        """Hyperparameters have types and a table is only text, so hyperparameters take precedence."""
        return {**self.table, **self.hparams}


def read_event(data: memoryview, start: int, end: int, order: int, found: SingleReads) -> None:
    """Reads a complete record."""
    wall_time, step, summaries = 0.0, 0, []
    try:
        for part in fields(data, start, end):
            if part.number == 1 and part.kind == EIGHT:
                (wall_time,) = struct.unpack_from("<d", data, part.start)
            elif part.number == 2:
                step = signed(part.value)
            elif part.number == 5 and part.kind == BYTES:
                summaries.append(part)
    except Malformed:
        found.malformed += 1
        return
    for part in summaries:
        read_summary(data, part.start, part.end, Point(order, step, wall_time, b"", 0.0), found)


def read_summary(data: memoryview, start: int, end: int, where: Point, found: SingleReads) -> None:
    """Reads the values of one summary; `where` has the event's step and time."""
    try:
        for part in fields(data, start, end):
            if part.number == 1 and part.kind == BYTES:
                _read_value(data, part, where, found)
    except Malformed:
        found.malformed += 1


def _read_value(data: memoryview, whole: Field, where: Point, found: SingleReads) -> None:
    parts = {part.number: part for part in fields(data, whole.start, whole.end)}
    tag = data[parts[1].start : parts[1].end].tobytes() if 1 in parts else b""
    plugin, content = _plugin(data, parts.get(9))
    if plugin == HPARAMS:
        found.hparams.update(config_of_hparams(data, content))
        return
    value: float | None = None
    if 2 in parts and parts[2].kind == FOUR:
        (value,) = struct.unpack_from("<f", data, parts[2].start)
    elif 8 in parts and parts[8].kind == BYTES:
        tensor = read_tensor(data, parts[8].start, parts[8].end)
        value = tensor.value if plugin in ("", SCALARS) else None
        if tensor.text and tag.decode("utf-8", "replace") in CONFIG_TAGS:
            found.table.update(config_of_table(tensor.text))
    if value is not None:
        found.points.append(Point(where.order, where.step, where.wall_time, tag, value))


def _plugin(data: memoryview, metadata: Field | None) -> tuple[str, tuple[int, int]]:
    """The plugin name of a value, and the position of the plugin's content."""
    name, content = "", (0, 0)
    if metadata is None or metadata.kind != BYTES:
        return name, content
    for outer in fields(data, metadata.start, metadata.end):
        if outer.number != 1 or outer.kind != BYTES:
            continue
        for part in fields(data, outer.start, outer.end):
            if part.number == 1 and part.kind == BYTES:
                name = data[part.start : part.end].tobytes().decode("utf-8", "replace")
            elif part.number == 2 and part.kind == BYTES:
                content = (part.start, part.end)
    return name, content


def scalar_place(data: memoryview, start: int, end: int) -> tuple[int, str] | None:
    """The position of the number in these fields of a value, and its numpy type; None if it is not a scalar."""
    try:
        parts = {part.number: part for part in fields(data, start, end)}
        tensor, plugin = parts.get(8), _plugin(data, parts.get(9))[0]
        if plugin not in ("", SCALARS) or 2 in parts or tensor is None or tensor.kind != BYTES:
            return None
        read = read_tensor(data, tensor.start, tensor.end)
    except Malformed:
        return None
    return None if read.place is None else (read.place - start, read.numpy_type)
