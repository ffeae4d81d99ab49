"""NPZ: NumPy's archive of arrays, in D4RL's or OGBench's form. Arrays are streamed, pickles in it are never loaded."""

from __future__ import annotations

import ast
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

import numpy as np

from rl_lab.core.errors import InvalidInput
from rl_lab.core.words.amounts import bytes_text
from rl_lab.worker.datasets.formats.own_marks import describe
from rl_lab.worker.datasets.formats.rows import Columns
from rl_lab.worker.datasets.formats.source import OpenSource, RowKind, kind_of
from rl_lab.worker.datasets.formats.tables import open_table, other_lengths, require_rows

MAX_MEMBERS = 10_000
MAX_RATIO = 1100
"""Deflate makes data at most 1,032 times smaller."""
MAX_HEADER = 65_536
OWN = "rl_lab"
"""Array of bytes in a file that the lab wrote: spaces and environment as JSON."""
AGAIN = "Get the file again and compare its checksum."
READ_ERRORS = (
    OSError,
    EOFError,
    ValueError,
    zipfile.BadZipFile,
    zlib.error,
    RuntimeError,
    NotImplementedError,
)


def open_file(path: Path) -> OpenSource:
    archive = NpzTable(path)
    marks = archive.own_description()
    source = open_table(archive, "NPZ", is_own=marks is not None)
    describe(source, marks)
    return source


class NpzTable:
    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._zip = zipfile.ZipFile(path)
        except (zipfile.BadZipFile, OSError, ValueError) as problem:
            raise self._damaged("it is not a complete archive", problem) from None
        headers = {name.removesuffix(".npy"): self._header(name) for name in self._members()}
        own = headers.pop(OWN, None)
        self._own = OWN if own is not None and own[0].kind == "u" else None
        self.rows = _rows(headers, path.name)
        require_rows(self.rows, path.name)
        lengths = {name: shape[0] for name, (_, shape, _order) in headers.items() if shape}
        self.unreadable = other_lengths(lengths, self.rows)
        self.kinds: dict[str, RowKind] = {
            name: kind_of(dtype, shape[1:])
            for name, (dtype, shape, _order) in headers.items()
            if shape and shape[0] == self.rows
        }
        self._types = {name: header[0] for name, header in headers.items()}
        for name in self.kinds:
            if headers[name][2] and len(headers[name][1]) > 1:
                raise InvalidInput(
                    f"{path.name}: “{name}” is stored column by column (Fortran order), which cannot be streamed.",
                    next_step="Save it again with numpy.ascontiguousarray.",
                )

    def read(self, names: Sequence[str], count: int) -> Iterator[Columns]:
        with ExitStack() as stack:
            streams = {name: stack.enter_context(self._open(f"{name}.npy")) for name in names}
            for stream in streams.values():
                self._read_header(stream)
            for start in range(0, self.rows, count):
                rows = min(count, self.rows - start)
                yield {name: self._take(stream, name, rows) for name, stream in streams.items()}

    def own_description(self) -> bytes | None:
        """What the lab wrote about a dataset that it exported."""
        if self._own is None:
            return None
        with self._open(f"{self._own}.npy") as stream:
            self._read_header(stream)
            return stream.read(1 << 24)

    def _members(self) -> list[str]:
        found = self._zip.infolist()
        names = [member.filename for member in found]
        if len(found) > MAX_MEMBERS or len(set(names)) != len(names):
            raise InvalidInput(f"{self._path.name} has too many files in it, or two of the same name.")
        for member in found:
            self._check_member(member)
        return [name for name in names if name.endswith(".npy")]

    def _check_member(self, member: zipfile.ZipInfo) -> None:
        if member.flag_bits & 1 or member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise InvalidInput(
                f"{self._path.name}: “{member.filename}” is encrypted or packed in a way that NumPy does not use.",
                next_step="Save it again with numpy.savez.",
            )
        if member.file_size > max(member.compress_size * MAX_RATIO, 1 << 16):
            raise InvalidInput(
                f"{self._path.name}: “{member.filename}” claims to hold {bytes_text(member.file_size)} in "
                f"{bytes_text(member.compress_size)}, which no archive can.",
                next_step="Do not trust this file.",
            )

    def _header(self, name: str) -> tuple[np.dtype[Any], tuple[int, ...], bool]:
        """Type, shape and whether it is in Fortran order; the data behind it has to be as long as it says."""
        with self._open(name) as stream:
            dtype, shape, order, length = self._read_header(stream)
        if dtype.hasobject:
            raise InvalidInput(
                f"{self._path.name}: “{name.removesuffix('.npy')}” holds pickled objects. They are never loaded, "
                "because loading them runs code.",
                next_step="Save plain arrays: convert them to numbers before numpy.savez.",
            )
        expected = length + dtype.itemsize * int(np.prod(shape, dtype=object))
        stored = self._zip.getinfo(name).file_size
        if expected != stored:
            raise InvalidInput(
                f"{self._path.name}: “{name}” says it holds {bytes_text(expected)}, but has {bytes_text(stored)}.",
                next_step=AGAIN,
            )
        return dtype, shape, order

    def _read_header(self, stream: IO[bytes]) -> tuple[np.dtype[Any], tuple[int, ...], bool, int]:
        try:
            magic = stream.read(8)
            if magic[:6] != b"\x93NUMPY" or magic[6] not in (1, 2, 3):
                raise ValueError("it is not an array of NumPy")
            size = int.from_bytes(stream.read(2 if magic[6] == 1 else 4), "little")
            if size > MAX_HEADER:
                raise ValueError("its header is too long")
            given = ast.literal_eval(stream.read(size).decode("latin1" if magic[6] < 3 else "utf-8"))
            shape = tuple(int(length) for length in given["shape"])
            if min(shape, default=0) < 0:
                raise ValueError("a length is negative")
            dtype = np.lib.format.descr_to_dtype(given["descr"])
            return dtype, shape, bool(given["fortran_order"]), size + (10 if magic[6] == 1 else 12)
        except (*READ_ERRORS, SyntaxError, TypeError, KeyError, MemoryError, RecursionError) as problem:
            raise self._damaged("one of its arrays has no readable header", problem) from None

    def _open(self, name: str) -> IO[bytes]:
        try:
            return self._zip.open(name)
        except (*READ_ERRORS, KeyError) as problem:
            raise self._damaged(f"“{name}” cannot be opened", problem) from None

    def _take(self, stream: IO[bytes], name: str, rows: int) -> np.ndarray:
        dtype, shape = self._types[name], self.kinds[name][1]
        size = rows * dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        try:
            data = stream.read(size)
        except READ_ERRORS as problem:
            raise self._damaged(f"“{name}” cannot be unpacked", problem) from None
        if len(data) != size:
            raise self._damaged(f"“{name}” ends too early", None)
        values = np.frombuffer(data, dtype).reshape(rows, *shape)
        return values.astype(dtype.newbyteorder("="), copy=False)

    def _damaged(self, what: str, problem: Exception | None) -> InvalidInput:
        reason = f" ({problem})" if problem is not None and str(problem) else ""
        return InvalidInput(f"{self._path.name} cannot be read as NPZ: {what}{reason}.", next_step=AGAIN)


def _rows(headers: dict[str, Any], file_name: str) -> int:
    for name in ("actions", "action", "observations", "obs", "observation"):
        for path, (_, shape, _order) in headers.items():
            if path.replace(".", "/").partition("/")[0].lower() == name and shape:
                return int(shape[0])
    shown = ", ".join(list(headers)[:20]) or "nothing"
    raise InvalidInput(
        f"{file_name} has no observations and actions: it holds {shown}.",
        next_step="Import NPZ as D4RL or OGBench write it.",
    )
