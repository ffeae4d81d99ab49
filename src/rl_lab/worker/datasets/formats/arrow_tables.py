"""Columns of Arrow as arrays of NumPy: numbers, and lists of equal length."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.extras import how_to_install
from rl_lab.worker.datasets.formats.rows import Array
from rl_lab.worker.datasets.formats.source import RowKind, kind_of

MAX_DEPTH = 6


def require_arrow(what: str) -> Any:
    try:
        import pyarrow
    except ModuleNotFoundError:
        raise NotReady(
            f"{what} files need the package pyarrow.",
            cause="missing-package",
            next_step=how_to_install("parquet"),
        ) from None
    return pyarrow


def as_array(column: Any, name: str) -> Array:
    """A column, or a part of one; lists become further dimensions."""
    pa = require_arrow("Parquet")
    values = column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column
    shape = [len(values)]
    for _ in range(MAX_DEPTH):
        if not _is_list(values.type):
            break
        inner = values.flatten()
        length = len(inner) // max(1, len(values))
        if not _is_even(values, length):
            raise InvalidInput(
                f"“{name}” has lists of different lengths, or none at all, in some rows.",
                next_step="Every step needs the same number of values.",
            )
        shape.append(length)
        values = inner
    return _numbers(values, name).reshape(shape)


def is_number(kind: Any) -> bool:
    """Whether a column of this type can be read."""
    pa = require_arrow("Parquet")
    for _ in range(MAX_DEPTH):
        if _is_list(kind):
            kind = kind.value_type
    return bool(pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_floating(kind))


def kinds_of(batch: Any) -> dict[str, RowKind]:
    """Types and shapes of the columns with numbers, as the first rows show them."""
    found = {}
    for name in batch.schema.names:
        if is_number(batch.schema.field(name).type):
            array = as_array(batch.column(name), name)
            found[name] = kind_of(array.dtype, array.shape[1:])
    return found


def _numbers(values: Any, name: str) -> Array:
    if values.null_count:
        if values.type != "float" and values.type != "double":
            raise InvalidInput(
                f"“{name}” has {values.null_count:,} empty cells.",
                next_step="Fill them, or leave these rows out.",
            )
        values = values.fill_null(np.nan)
    return np.asarray(values.to_numpy(zero_copy_only=False))


def _is_list(kind: Any) -> bool:
    pa = require_arrow("Parquet")
    types = pa.types
    return bool(types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind))


def _is_even(values: Any, length: int) -> bool:
    if values.null_count or not len(values):
        return not len(values)
    pa = require_arrow("Parquet")
    if pa.types.is_fixed_size_list(values.type):
        return True
    lengths = np.diff(values.offsets.to_numpy())
    return bool((lengths == length).all())
