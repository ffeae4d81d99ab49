"""Complete lines of a growing text file. Holes of a sparse file are skipped, and a line without an end is given up."""

from __future__ import annotations

import errno
import os
from typing import BinaryIO, NamedTuple

from rl_lab.analysis.adoption.pieces import PIECE_BYTES

MAX_LINE_BYTES = 4 << 20
MAX_SKIPPED_BYTES = 64 << 20
"""How far the end of a too long line is looked for; after that the rest of the file is left out."""


class LineBatch(NamedTuple):
    lines: list[bytes]
    offset: int
    """Just after the last complete line."""
    is_complete: bool
    rest: int
    """Bytes after it that are not a complete line yet."""
    too_long: int = 0
    """Lines longer than MAX_LINE_BYTES, which are skipped."""


def read_lines(file: BinaryIO, start: int) -> LineBatch:
    """The complete lines of one piece of the file from `start` on; a partial last line is left for the next call."""
    file.seek(start)
    data = file.read(PIECE_BYTES)
    is_complete = len(data) < PIECE_BYTES
    end = data.rfind(b"\n") + 1
    if end == 0 and len(data) >= MAX_LINE_BYTES:
        return LineBatch([], _line_end(file, start + len(data)), is_complete, 0, 1)
    lines = [line.rstrip(b"\r") for line in data[:end].split(b"\n")[:-1]]
    return LineBatch(lines, start + end, is_complete, len(data) - end)


def _line_end(file: BinaryIO, at: int) -> int:
    """Where the next line begins, or the end of the file."""
    skipped = 0
    while skipped < MAX_SKIPPED_BYTES:
        at = next_data(file, at)
        file.seek(at)
        data = file.read(PIECE_BYTES)
        if not data:
            return at
        found = data.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(data)
        skipped += len(data)
    return max(at, file.seek(0, os.SEEK_END))


def next_data(file: BinaryIO, at: int) -> int:
    """The first byte from `at` on that is stored; a hole of a sparse file reads as NUL bytes, which are no text."""
    try:
        return os.lseek(file.fileno(), at, os.SEEK_DATA)
    except OSError as error:
        # ENXIO: nothing but a hole follows. Files in memory have no descriptor, some file systems no holes.
        return max(at, file.seek(0, os.SEEK_END)) if error.errno == errno.ENXIO else at
