"""Whole lines of a growing text file."""

from __future__ import annotations

from typing import BinaryIO, NamedTuple

from rl_lab.analysis.adoption.pieces import PIECE_BYTES

MAX_LINE_BYTES = 4 << 20


class Lines(NamedTuple):
    lines: list[bytes]
    offset: int
    """Behind the last whole line."""
    is_complete: bool
    rest: int
    """Bytes behind it that are no whole line yet."""
    too_long: int = 0
    """Lines beyond MAX_LINE_BYTES, stepped over."""


def read_lines(file: BinaryIO, start: int) -> Lines:
    """Up to a piece of whole lines from `start` on; half a line at the end is left for the next time."""
    file.seek(start)
    data = file.read(PIECE_BYTES)
    is_complete = len(data) < PIECE_BYTES
    end = data.rfind(b"\n") + 1
    if end == 0 and len(data) >= MAX_LINE_BYTES:
        return Lines([], _line_end(file, start + len(data)), is_complete, 0, 1)
    lines = [line.rstrip(b"\r") for line in data[:end].split(b"\n")[:-1]]
    return Lines(lines, start + end, is_complete, len(data) - end)


def _line_end(file: BinaryIO, at: int) -> int:
    """Where the next line begins, or the end of the file."""
    file.seek(at)
    while data := file.read(PIECE_BYTES):
        found = data.find(b"\n")
        if found >= 0:
            return at + found + 1
        at += len(data)
    return at
