"""The JournalReader reads the journal of one attempt: numbered segments, whole lines only."""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from rl_lab.core.protocol.lines import Parsed, decoder, parse_line
from rl_lab.store.telemetry.batch import Position

CHUNK_BYTES = 128 << 10
"""Parsed at once, without another thread running in between; about 1,500 lines, 1 ms."""
MAX_UNBROKEN_BYTES = 4 << 20
"""The guardian cuts lines at MAX_LINE_BYTES; more than this without a newline is not a journal."""


class JournalReader:
    """Continues at a position; keeps the segment open between two reads."""

    def __init__(self, folder: Path, position: Position) -> None:
        self._folder = folder
        self._fd = -1
        self.position = position

    def read(self, limit: int = CHUNK_BYTES) -> bytes:
        """The next whole lines, up to about `limit` bytes; empty when there are none yet."""
        while True:
            if self._fd < 0 and not self._open():
                return b""
            # Checked before the read: if the next segment exists now, this one does not grow any more.
            has_next = self._path(self.position.segment + 1).exists()
            lines = self._whole_lines(limit)
            if lines:
                self.position = self.position._replace(offset=self.position.offset + len(lines))
                return lines
            if not has_next:
                return b""
            self.close()
            self.position = self.position._replace(segment=self.position.segment + 1, offset=0)

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


def first_position(folder: Path, attempt: int) -> Position:
    """Where to start reading a journal of which nothing is stored: at the oldest segment that still exists."""
    numbers = [int(p.stem) for p in folder.glob("*.jsonl") if p.stem.isdigit()]
    return Position(attempt, min(numbers, default=1), 0)


def parse_lines(data: bytes) -> list[Parsed | None]:
    """One entry per line of `data`; None for a blank one. All are decoded at once when every line is an event."""
    try:
        events: list[Parsed | None] = list(decoder.decode_lines(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        events = []
    # A line may hold two objects or half of one; then the number of events differs from that of lines.
    if len(events) == data.count(b"\n"):
        return events
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [parse_line(line) if line.strip() else None for line in lines]
