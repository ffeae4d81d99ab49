"""Complete lines of a growing text file."""

from __future__ import annotations

from typing import BinaryIO, NamedTuple

from rl_lab.analysis.adoption.pieces import PIECE_BYTES

MAX_LINE_BYTES = 4 << 20


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
    file.seek(at)
    while data := file.read(PIECE_BYTES):
        found = data.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(data)
    return at
