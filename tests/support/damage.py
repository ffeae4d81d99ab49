"""Damages a file as a bad disk does."""

from __future__ import annotations

from pathlib import Path


def flip_bit(path: Path) -> None:
    """In its last byte; the size stays."""
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
