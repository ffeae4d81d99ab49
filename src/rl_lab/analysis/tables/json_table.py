"""A table as JSON: a list of objects, one per row, as pandas and DuckDB read it. A missing value is null."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson

from rl_lab.analysis.tables.batches import RowBatch, TableColumn, as_list, time_texts

ROWS = 5000
"""Rows that are made at once."""


def write_json(columns: Sequence[TableColumn], batches: Iterable[RowBatch]) -> Iterator[bytes]:
    yield b"["
    before = b"\n"
    for batch in batches:
        for rows in _parts(_rows(columns, batch)):
            yield before + b",\n".join(map(orjson.dumps, rows))
            before = b",\n"
    yield b"\n]\n"


def _rows(columns: Sequence[TableColumn], batch: RowBatch) -> list[dict[str, Any]]:
    found = []
    for name, kind in columns:
        values = batch.columns.get(name)
        if values is None:
            values = [batch.same.get(name)] * batch.length
        found.append(_times(values) if kind == "time" else as_list(values, kind))
    names = [column.name for column in columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*found, strict=True)]


def _times(values: Any) -> list[str | None]:
    return [f"{text.replace(' ', 'T')}Z" if text else None for text in time_texts(values)]


def _parts(rows: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, len(rows), ROWS):
        yield rows[start : start + ROWS]
