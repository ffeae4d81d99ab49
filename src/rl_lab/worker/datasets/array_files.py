"""A column while it is written: a `.npy` file that grows row by row."""

from __future__ import annotations

import hashlib
import os
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import DatasetColumn
from rl_lab.core.errors import InvalidInput

HEADER_BYTES = 256
"""Room for the header, which is written last: only then is the number of rows known."""
BUFFER = 1 << 18


class ArrayFile:
    def __init__(self, folder: Path, name: str, dtype: np.dtype[Any], shape: tuple[int, ...]) -> None:
        self.name, self.dtype, self.shape = name, dtype.newbyteorder("<"), shape
        self.rows = 0
        self._path = folder / f"{name}.npy"
        self._file = self._path.open("xb", buffering=BUFFER)
        self._file.write(bytes(HEADER_BYTES))

    def append(self, rows: Any) -> int:
        """Write rows, and return how many; values are converted where no information of their kind is lost."""
        values = np.asarray(rows)
        if values.dtype != self.dtype:
            values = self._converted(values)
        if values.shape[1:] != self.shape:
            raise InvalidInput(
                f"{self.name}: a row has the shape {list(values.shape[1:])}, its space says {list(self.shape)}."
            )
        self._file.write(np.ascontiguousarray(values).data if values.size else b"")
        self.rows += len(values)
        return len(values)

    def cut(self, rows: int) -> None:
        """Drop everything behind so many rows."""
        self._file.flush()
        end = HEADER_BYTES + rows * prod(self.shape) * self.dtype.itemsize
        self._file.truncate(end)
        self._file.seek(end)
        self.rows = rows

    def close(self) -> DatasetColumn:
        """Complete the file on the disk, and describe it."""
        self._file.flush()
        self._file.seek(0)
        self._file.write(self._header())
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        with self._path.open("rb") as written:
            digest = hashlib.file_digest(written, "sha256").hexdigest()
        return DatasetColumn(
            name=self.name,
            dtype=self.dtype.str,
            shape=[self.rows, *self.shape],
            size=self._path.stat().st_size,
            sha256=digest,
        )

    def abandon(self) -> None:
        self._file.close()

    def _converted(self, values: np.ndarray) -> np.ndarray:
        if not np.can_cast(values.dtype, self.dtype, "same_kind") and not _holds_all(values, self.dtype):
            raise InvalidInput(f"{self.name} has {values.dtype} values, its space says {self.dtype}.")
        return values.astype(self.dtype)

    def _header(self) -> bytes:
        shape = (self.rows, *self.shape)
        text = f"{{'descr': {self.dtype.str!r}, 'fortran_order': False, 'shape': {shape!r}, }}"
        length = HEADER_BYTES - 10
        if len(text) >= length:
            raise InvalidInput(f"{self.name} has too many dimensions to be stored: {len(shape)}.")
        return b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + text.ljust(length - 1).encode() + b"\n"


def _holds_all(values: np.ndarray, dtype: np.dtype[Any]) -> bool:
    """Whether whole numbers (and truth values) of another type are the same in this one."""
    if values.dtype.kind not in "biu" or dtype.kind not in "biu":
        return False
    return bool((values.astype(dtype) == values).all())
