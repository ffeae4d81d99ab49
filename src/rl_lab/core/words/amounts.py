"""Formats numbers for use in sentences."""

from __future__ import annotations


def plural(count: int, noun: str) -> str:
    """ "1 episode", "5 episodes", "12,000 steps", "2 entries" """
    if count == 1:
        return f"{count:,} {noun}"
    is_changed = noun.endswith("y") and noun[-2] not in "aeiou"
    return f"{count:,} {noun[:-1]}ies" if is_changed else f"{count:,} {noun}s"


def bytes_text(count: float) -> str:
    """ "512 B", "3.1 MB" """
    for unit in ("B", "kB", "MB", "GB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} TB"
