"""A table is a list of columns and a stream of batches: so a table of any length is written in constant memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

Kind = Literal["text", "int", "float", "bool", "time"]
"""time: whole milliseconds since 1970, UTC."""


_YEAR_0, _YEAR_9999 = -62_167_219_200_000, 253_402_300_799_999
_WIDTH = len("2026-11-16T09:04:22.123")


class TableColumn(NamedTuple):
    name: str
    kind: Kind


@dataclass(frozen=True, eq=False)
class RowBatch:
    """Rows of one table. A column is in `same` or in `columns`; a missing value is None, in a float array NaN."""

    length: int
    same: Mapping[str, Any] = field(default_factory=dict)
    """Columns with one value for all rows: what a run is, and the metric."""
    columns: Mapping[str, Sequence[Any] | NDArray[Any]] = field(default_factory=dict)


def as_list(values: Sequence[Any] | NDArray[Any], kind: Kind) -> list[Any]:
    """Plain values; what is not a number becomes None."""
    if not isinstance(values, np.ndarray):
        return list(values)
    found: list[Any] = values.tolist()
    if kind == "float" and bool(np.isnan(values).any()):
        return [None if value != value else value for value in found]
    return found


def time_texts(values: Sequence[int | None] | NDArray[np.int64]) -> list[str]:
    """Milliseconds as "2026-11-16 09:04:22.123", in UTC; a missing one is an empty text."""
    if not isinstance(values, np.ndarray):
        known = np.array([0 if value is None else value for value in values], np.int64)
        texts = time_texts(known)
        return ["" if value is None else text for value, text in zip(values, texts, strict=True)]
    written = np.datetime_as_string(values.astype("datetime64[ms]"))
    if bool(((values >= _YEAR_0) & (values <= _YEAR_9999)).all()):
        # A spreadsheet takes a time for a time only without the letter T between date and hour.
        written = written.astype(f"U{_WIDTH}")
        written.view(np.uint32).reshape(-1, _WIDTH)[:, 10] = ord(" ")
    found: list[str] = written.tolist()
    return found
