"""An HDF5 file of somebody else: hands out only plain arrays that are stored in the file itself.

Refused: links out of the file and soft links, virtual arrays, arrays in other files, references and other objects,
filters that would be loaded from somewhere, and arrays that claim to be far larger than what is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

from rl_lab.core.errors import InvalidInput, NotReady
from rl_lab.core.extras import how_to_install
from rl_lab.core.words.amounts import bytes_text

FILTERS = {1, 2, 3, 4, 5, 6, 32000}
"""deflate, shuffle, fletcher32, szip, nbit, scaleoffset, lzf: those that h5py contains."""
MAX_RATIO = 1100
"""Deflate makes data at most 1,032 times smaller."""
SMALL_BYTES = 1 << 16
"""An array of this size may be stored as nothing at all."""
MAX_CHUNK_BYTES = 256 << 20
"""A chunk is unpacked whole."""
MAX_NAMES = 10_000
"""Of a group that is listed."""
MAX_DEPTH = 8


def open_hdf5(path: Path) -> Hdf5File:
    return open_hdf5_in(path, path.name, path.stat().st_size)


def open_hdf5_in(place: Path | BinaryIO, name: str, size: int) -> Hdf5File:
    """A file, or a part of one."""
    try:
        import h5py
    except ModuleNotFoundError:
        raise NotReady(
            "HDF5 files need the package h5py.", cause="missing-package", next_step=how_to_install("datasets")
        ) from None
    try:
        file = h5py.File(place, "r", locking="best-effort")
    except OSError as problem:
        raise InvalidInput(
            f"{name} cannot be read as HDF5: it is damaged or not complete ({_reason(problem)}).",
            next_step="Get the file again and compare its checksum.",
        ) from None
    return Hdf5File(file, name, size)


class Hdf5File:
    def __init__(self, file: Any, name: str, size: int) -> None:
        self.file, self.name, self._size = file, name, size

    def close(self) -> None:
        self.file.close()

    def list(self, group: Any) -> Iterator[str]:
        """The names in a group."""
        if len(group) > MAX_NAMES:
            raise InvalidInput(
                f"{self.name} has {len(group):,} entries in {group.name}; {MAX_NAMES:,} are read."
            )
        yield from group

    def find(self, group: Any, name: str) -> Any:
        """What is stored in a group under a name; None when there is nothing."""
        import h5py

        # The interface below h5py's usual one: files of Minari have millions of small arrays.
        links, written = group.id.links, name.encode()
        # A path would be followed through links in its middle.
        if "/" in name or name in ("", ".", "..") or not links.exists(written):
            return None
        kind = links.get_info(written).type
        if kind != h5py.h5l.TYPE_HARD:
            where = "another file" if kind == h5py.h5l.TYPE_EXTERNAL else "another place"
            raise InvalidInput(
                f"{self.name}: “{name}” is a link to {where}, which is not followed. Nothing was imported.",
                next_step="Write the data into one file without links (h5copy, or copy it with h5py).",
            )
        try:
            found = h5py.h5o.open(group.id, written)
        except (KeyError, OSError, RuntimeError, ValueError) as problem:
            raise self.damaged(name, problem) from None
        if isinstance(found, h5py.h5d.DatasetID):
            return h5py.Dataset(found)
        return h5py.Group(found) if isinstance(found, h5py.h5g.GroupID) else found

    def arrays(self, group: Any, prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
        """All arrays in a group and below it, by their path; unchecked."""
        import h5py

        if depth > MAX_DEPTH:
            raise InvalidInput(f"{self.name} has groups within groups, {MAX_DEPTH} deep or in a circle.")
        for name in self.list(group):
            found = self.find(group, name)
            if isinstance(found, h5py.Group):
                yield from self.arrays(found, f"{prefix}{name}/", depth + 1)
            elif isinstance(found, h5py.Dataset):
                yield prefix + name, found

    def check(self, array: Any, name: str) -> None:
        """InvalidInput for anything but numbers that are stored in this file."""
        if array.dtype.kind not in "biuf":
            raise self._refused(
                name, f"it holds {_kind_words(array.dtype)}, not numbers", "Convert it to numbers."
            )
        self.check_storage(array, name)

    def check_storage(self, array: Any, name: str) -> None:
        import h5py

        try:
            plist = array.id.get_create_plist()
            layout = plist.get_layout()
            is_chunked = layout == h5py.h5d.CHUNKED
            filters = {plist.get_filter(n)[0] for n in range(plist.get_nfilters())} if is_chunked else set()
            is_elsewhere = layout == h5py.h5d.VIRTUAL or plist.get_external_count() > 0
            stored = array.id.get_storage_size()
            chunk = prod(plist.get_chunk()) if is_chunked else 0
        except (OSError, RuntimeError, ValueError) as problem:
            raise self.damaged(name, problem) from None
        if is_elsewhere:
            raise self._refused(name, "its data is in other files", "Copy it into one file with h5repack.")
        if filters - FILTERS:
            raise self._refused(
                name,
                f"it is packed with a filter that is not read ({min(filters - FILTERS)})",
                "Write it again with gzip, for example with h5repack.",
            )
        self._check_size(array, name, stored, chunk)

    def damaged(self, name: str, problem: Exception) -> InvalidInput:
        return InvalidInput(
            f"{self.name}: “{name}” cannot be read, the file is damaged ({_reason(problem)}).",
            next_step="Get the file again and compare its checksum.",
        )

    def _check_size(self, array: Any, name: str, stored: int, chunk_values: int) -> None:
        shape, itemsize = array.shape, array.dtype.itemsize
        if not shape:
            raise self._refused(name, "it is not an array", "Import a file with arrays of steps.")
        declared, chunk = prod(shape) * itemsize, chunk_values * itemsize
        is_hollow = declared > max(stored * MAX_RATIO, SMALL_BYTES)
        if stored > self._size or is_hollow or (not chunk and declared > self._size):
            raise self._refused(
                name,
                f"it claims to hold {bytes_text(declared)}, but {bytes_text(stored)} of a file of "
                f"{bytes_text(self._size)} are stored for it",
                "Get the file again; this one is not complete, or made to fill the disk.",
            )
        if chunk > MAX_CHUNK_BYTES:
            raise self._refused(
                name,
                f"it is stored in pieces of {bytes_text(chunk)}; up to {bytes_text(MAX_CHUNK_BYTES)} are read",
                "Write it again in smaller pieces, for example with h5repack.",
            )

    def _refused(self, name: str, why: str, next_step: str) -> InvalidInput:
        return InvalidInput(f"{self.name}: “{name}” is not read: {why}.", next_step=next_step)


def _kind_words(dtype: Any) -> str:
    import h5py

    if h5py.check_ref_dtype(dtype) is not None:
        return "references"
    return {"O": "objects or texts", "V": "records", "S": "texts", "c": "complex numbers"}.get(
        dtype.kind, str(dtype)
    )


def _reason(problem: Exception) -> str:
    words = str(problem).strip().strip("'\"").splitlines()
    return (words[0] if words else type(problem).__name__)[:200]
