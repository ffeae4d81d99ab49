"""Columns with one entry per step, which may come late or not at all."""

from __future__ import annotations

from typing import Any

NAN = float("nan")


def put(column: list[Any], index: int, entry: Any, nothing: Any = NAN) -> None:
    """Set the entry of one step; steps before it without an entry get `nothing`."""
    if len(column) == index:
        column.append(entry)
    elif len(column) < index:
        column.extend([nothing] * (index - len(column)))
        column.append(entry)
    else:
        column[index] = entry


def pad(column: list[Any], count: int, nothing: Any) -> None:
    if column and len(column) < count:
        column.extend([nothing] * (count - len(column)))
