"""A table as Parquet: typed columns, texts as dictionaries, zstd. Needs pyarrow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from rl_lab.analysis.tables.batches import RowBatch, TableColumn

GROUP = 200_000
"""Rows of a row group: as many as are kept in memory."""


class _ParquetSink:
    """A file for pyarrow; what was written to it is taken out between two groups."""

    closed = False

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._at = 0

    def write(self, data: Any) -> int:
        self._parts.append(bytes(data))
        self._at += len(self._parts[-1])
        return len(self._parts[-1])

    def tell(self) -> int:
        return self._at

    def writable(self) -> bool:
        return True

    def readable(self) -> bool:
        return False

    def seekable(self) -> bool:
        return False

    def flush(self) -> None:
        pass

    def close(self) -> None:
        self.closed = True

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken


def write_parquet(columns: Sequence[TableColumn], batches: Iterable[RowBatch]) -> Iterator[bytes]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([(column.name, _type_of(column)) for column in columns])
    texts = [column.name for column in columns if column.kind == "text"]
    sink = _ParquetSink()
    with pq.ParquetWriter(sink, schema, compression="zstd", use_dictionary=texts) as writer:
        for group in _groups(batches):
            arrays = [_array(column, group) for column in columns]
            writer.write_table(pa.Table.from_arrays(arrays, schema=schema), row_group_size=2 * GROUP)
            yield sink.take()
    yield sink.take()


def _groups(batches: Iterable[RowBatch]) -> Iterator[list[RowBatch]]:
    waiting: list[RowBatch] = []
    for batch in batches:
        if batch.length:
            waiting.append(batch)
        if sum(one.length for one in waiting) >= GROUP:
            yield waiting
            waiting = []
    if waiting:
        yield waiting


def _type_of(column: TableColumn) -> Any:
    import pyarrow as pa

    return {
        "text": pa.dictionary(pa.int32(), pa.string()),
        "int": pa.int64(),
        "float": pa.float64(),
        "bool": pa.bool_(),
        "time": pa.timestamp("ms", tz="UTC"),
    }[column.kind]


def _array(column: TableColumn, group: Sequence[RowBatch]) -> Any:
    """A column of all batches of a group; NaN and None are null."""
    import pyarrow as pa

    name, kind = column
    if kind == "text":
        return _dictionary(name, group)
    parts = []
    for batch in group:
        values = batch.columns.get(name)
        if values is None:
            parts.append(pa.repeat(pa.scalar(batch.same.get(name), _storage(kind)), batch.length))
        else:
            parts.append(pa.array(values, _storage(kind), from_pandas=True))
    return pa.concat_arrays(parts).cast(_type_of(column))


def _storage(kind: str) -> Any:
    import pyarrow as pa

    return {"int": pa.int64(), "time": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}[kind]


def _dictionary(name: str, group: Sequence[RowBatch]) -> Any:
    """Numbers of the distinct texts; a batch of one text costs no text at all."""
    import pyarrow as pa

    known: dict[str, int] = {}
    codes = []
    for batch in group:
        values = batch.columns.get(name)
        if values is None:
            codes.append(np.full(batch.length, _code(known, batch.same.get(name)), np.int32))
        else:
            codes.append(np.array([_code(known, value) for value in values], np.int32))
    joined = np.concatenate(codes)
    indices = pa.array(joined, pa.int32(), mask=joined < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(known), pa.string()))


def _code(known: dict[str, int], value: Any) -> int:
    return -1 if value is None else known.setdefault(str(value), len(known))
