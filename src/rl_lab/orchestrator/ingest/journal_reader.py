"""The journal of one attempt as a reader sees it: numbered segments, whole lines only."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

import msgspec

from rl_lab.core.protocol.lines import Parsed, decoder, parse_line

CHUNK_BYTES = 128 << 10
"""Parsed in one go without letting another thread run; about 1,500 lines, 1 ms."""
MAX_UNBROKEN_BYTES = 4 << 20
"""The guardian cuts lines at 1 MiB; more than this without a newline is not a journal."""


class Position(NamedTuple):
    segment: int = 1
    offset: int = 0


class Journal:
    """Reads on from a position; keeps the segment open between two reads."""

    def __init__(self, folder: Path, position: Position) -> None:
        self._folder = folder
        self._fd = -1
        self.position = position

    def read(self, limit: int = CHUNK_BYTES) -> bytes:
        """The next whole lines, up to about `limit` bytes; empty when there are none yet."""
        while True:
            if self._fd < 0 and not self._open():
                return b""
            # Asked before the read: a segment that exists now means that ours will not grow any more.
            has_next = self._path(self.position.segment + 1).exists()
            lines = self._whole_lines(limit)
            if lines:
                self.position = Position(self.position.segment, self.position.offset + len(lines))
                return lines
            if not has_next:
                return b""
            self.close()
            self.position = Position(self.position.segment + 1, 0)

    def drop_read_segments(self) -> None:
        """Deletes segments before the current one: all their lines are stored."""
        number = self.position.segment - 1
        while number >= 1 and self._path(number).exists():
            self._path(number).unlink(missing_ok=True)
            number -= 1

    def close(self) -> None:
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _open(self) -> bool:
        try:
            self._fd = os.open(self._path(self.position.segment), os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return False
        return True

    def _whole_lines(self, limit: int) -> bytes:
        offset = self.position.offset
        while True:
            data = os.pread(self._fd, limit, offset)
            end = data.rfind(b"\n") + 1
            if end or len(data) < limit:
                return data[:end]
            if limit >= MAX_UNBROKEN_BYTES:
                return data
            limit *= 4

    def _path(self, segment: int) -> Path:
        return self._folder / f"{segment:06d}.jsonl"


def first_place(folder: Path) -> Position:
    """Where a journal begins of which nothing is stored: at the oldest segment that is still there."""
    numbers = [int(p.stem) for p in folder.glob("*.jsonl") if p.stem.isdigit()]
    return Position(min(numbers, default=1), 0)


def parse_lines(data: bytes) -> list[Parsed | None]:
    """One entry per line of `data`; None for a blank one. All at once when every line is an event."""
    try:
        events: list[Parsed | None] = list(decoder.decode_lines(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        events = []
    # A line may hold two objects or half of one; then the fast way counts differently and is not trusted.
    if len(events) == data.count(b"\n"):
        return events
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [parse_line(line) if line.strip() else None for line in lines]
