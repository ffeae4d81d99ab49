"""A table as CSV: UTF-8 with the mark that Excel needs, numbers that read back exactly, no text that is a formula.

Every float has a point or an exponent, so that a program which guesses types from the first rows never takes a column
of floats for whole numbers.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.tables.batches import Kind, RowBatch, TableColumn, time_texts
from rl_lab.core.words.csv_text import defused

MARK = b"\xef\xbb\xbf"
"""Excel reads a file without it in the system's old encoding."""
END = "\r\n"
_BOOLS = {True: "true", False: "false", None: ""}


def write_csv(columns: Sequence[TableColumn], batches: Iterable[RowBatch]) -> Iterator[bytes]:
    yield MARK + ",".join(_quoted(defused(column.name)) for column in columns).encode() + END.encode()
    for batch in batches:
        if batch.length:
            yield _rows(columns, batch).encode()


def _rows(columns: Sequence[TableColumn], batch: RowBatch) -> str:
    """One pattern for all rows: only the columns that differ are put in, row by row."""
    pattern, differing = [], []
    for name, kind in columns:
        if name in batch.columns:
            pattern.append("%s")
            differing.append(_texts(batch.columns[name], kind))
        else:
            pattern.append(_texts([batch.same.get(name)], kind)[0].replace("%", "%%"))
    line = ",".join(pattern) + END
    if not differing:
        return (line % ()) * batch.length
    return "".join(map(line.__mod__, zip(*differing, strict=True)))


def _texts(values: Sequence[Any] | NDArray[Any], kind: Kind) -> list[str]:
    if kind == "time":
        return time_texts(values)
    if kind == "float":
        return _float_texts(values)
    if kind == "text":
        return ["" if value is None else _quoted(defused(str(value))) for value in values]
    found = values.tolist() if isinstance(values, np.ndarray) else values
    if kind == "bool":
        return [_BOOLS[None if value is None else bool(value)] for value in found]
    return ["" if value is None else str(value) for value in found]


def _float_texts(values: Sequence[Any] | NDArray[Any]) -> list[str]:
    """The shortest texts that read back as the same numbers."""
    if isinstance(values, np.ndarray):
        texts = list(map(repr, values.tolist()))
        for place in np.flatnonzero(np.isnan(values)).tolist():
            texts[place] = ""
        return texts
    return ["" if value is None or value != value else repr(float(value)) for value in values]


def _quoted(text: str) -> str:
    """As the csv module quotes: only where it is needed."""
    if not any(mark in text for mark in ',"\r\n') and text == text.strip():
        return text
    line = io.StringIO()
    csv.writer(line, lineterminator="", quoting=csv.QUOTE_ALL).writerow([text])
    return line.getvalue()
