"""One group of Minari's HDF5: the arrays of an episode, checked before they are read."""

from __future__ import annotations

import io
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import INFOS
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.formats.column_names import safe_key
from rl_lab.worker.datasets.formats.hdf5_files import Hdf5File
from rl_lab.worker.datasets.formats.rows import Array
from rl_lab.worker.datasets.formats.source import RowKind, kind_of
from rl_lab.worker.datasets.spaces import SpaceJson, leaves, split_tree

MAX_JPEG_BYTES = 64 << 20


@dataclass(frozen=True)
class StoredColumn:
    """An array that every episode has."""

    name: str
    """Of the lab's column."""
    path: tuple[str, ...]
    """In the episode's group."""
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    is_jpeg: bool = False
    is_optional: bool = False

    @property
    def kind(self) -> RowKind:
        return kind_of(self.dtype, self.shape)


class EpisodeGroup:
    def __init__(self, file: Hdf5File, group: Any, name: str) -> None:
        self._file, self._group, self.name = file, group, name

    def has(self, name: str) -> bool:
        return name in self._group

    @property
    def seed(self) -> int:
        """-1 where it is not known."""
        found = self._group.attrs.get("seed")
        is_seed = isinstance(found, int | np.integer) and 0 <= int(found) < 2**63
        return int(found) if is_seed else -1

    @property
    def has_options(self) -> bool:
        return any(key.startswith("options") for key in self._group.attrs)

    def length(self, name: str) -> int:
        return len(self._find((name,)))

    def numbers(self, name: str, length: int) -> Array:
        """A whole array with one number per step."""
        array = self._find((name,))
        self._file.check(array, f"{self.name}/{name}")
        self._require_rows(array, name, length)
        if prod(array.shape) != length:
            raise InvalidInput(f"{self.name}: “{name}” has more than one number per step.")
        return np.asarray(self._get(array, slice(0, length), name)).reshape(length)

    def array(self, column: StoredColumn, length: int) -> Any:
        """Checked, not read; None for an optional one that this episode does not have."""
        if column.is_optional and not self._has(column.path):
            return None
        array, path = self._find(column.path), "/".join(column.path)
        if column.is_jpeg:
            self._file.check_storage(array, f"{self.name}/{path}")
        else:
            self._file.check(array, f"{self.name}/{path}")
            if array.shape[1:] != column.shape:
                raise InvalidInput(
                    f"{self.name}: “{path}” has rows of the shape {list(array.shape[1:])}, not {list(column.shape)}.",
                    next_step="All episodes of a dataset need the same spaces.",
                )
        self._require_rows(array, path, length)
        return array

    def read(self, array: Any, column: StoredColumn, start: int, end: int) -> Array:
        if array is None:
            fill = np.nan if column.dtype.kind == "f" else 0
            return np.full((end - start, *column.shape), fill, column.dtype)
        values = self._get(array, slice(start, end), "/".join(column.path))
        if column.is_jpeg:
            return np.stack([_picture(bytes(one), column.shape) for one in values])
        return np.asarray(values)

    def _get(self, array: Any, rows: slice, name: str) -> Any:
        try:
            return array[rows]
        except (OSError, RuntimeError, ValueError) as problem:
            raise self._file.damaged(f"{self.name}/{name}", problem) from None

    def _has(self, path: tuple[str, ...]) -> bool:
        group = self._group
        for name in path:
            if not hasattr(group, "keys"):
                return False
            group = self._file.find(group, name)
            if group is None:
                return False
        return True

    def _find(self, path: tuple[str, ...]) -> Any:
        import h5py

        found = self._group
        for name in path:
            found = self._file.find(found, name) if isinstance(found, h5py.Group) else None
        if not isinstance(found, h5py.Dataset):
            raise InvalidInput(
                f"{self.name} has no array “{'/'.join(path)}”, which its space asks for.",
                next_step="The dataset is not complete, or was written by another tool.",
            )
        return found

    def _require_rows(self, array: Any, path: str, length: int) -> None:
        if len(array) != length:
            raise InvalidInput(
                f"{self.name}: “{path}” has {len(array):,} rows where its rewards ask for {length:,}.",
                next_step="The dataset is not complete: get it again.",
            )

    def info_arrays(self) -> dict[str, Any]:
        """Arrays of the group `infos`, by their path in it; unchecked."""
        import h5py

        group = self._file.find(self._group, INFOS)
        return dict(self._file.arrays(group)) if isinstance(group, h5py.Group) else {}

    def stored(self, path: tuple[str, ...]) -> Any:
        return self._find(path)


def columns_of(group: EpisodeGroup, space: SpaceJson, name: str) -> list[StoredColumn]:
    """Where each part of a space is stored, as the first episode shows it."""
    paths = split_tree(space, _paths(space, (name,)), name)
    found = []
    for leaf in leaves(space, name):
        array, path = group.stored(paths[leaf.name]), paths[leaf.name]
        is_jpeg = leaf.dtype == np.uint8 and len(leaf.shape) in (2, 3) and len(array.shape) < 3
        dtype = array.dtype if not is_jpeg and array.dtype.kind in "biuf" else leaf.dtype
        found.append(StoredColumn(leaf.name, path, np.dtype(dtype), leaf.shape, is_jpeg))
    return found


def info_columns(group: EpisodeGroup) -> tuple[list[StoredColumn], list[str]]:
    """The numbers of `infos` that come once per observation; and what was left out."""
    rows = group.length("rewards") + 1
    found, left_out = [], []
    for path, array in group.info_arrays().items():
        if array.shape and array.shape[0] == rows and array.dtype.kind in "biuf":
            name = f"{INFOS}." + ".".join(map(safe_key, path.split("/")))
            place = (INFOS, *path.split("/"))
            found.append(StoredColumn(name, place, array.dtype, array.shape[1:], is_optional=True))
        else:
            left_out.append(path)
    shown = ", ".join(left_out[:8])
    return found, [
        f"Infos that are not numbers of each observation were left out: {shown}."
    ] if left_out else []


def _paths(space: SpaceJson, path: tuple[str, ...]) -> Any:
    """The same tree as the space has, with the place of each array in the file."""
    if space["type"] == "Dict":
        return {key: _paths(part, (*path, key)) for key, part in space["spaces"].items()}
    if space["type"] == "Tuple":
        return tuple(_paths(part, (*path, f"_index_{n}")) for n, part in enumerate(space["spaces"]))
    return path


def _picture(data: bytes, shape: tuple[int, ...]) -> Array:
    from PIL import Image

    if len(data) > MAX_JPEG_BYTES:
        raise InvalidInput("A picture of the dataset is too large.")
    try:
        with Image.open(io.BytesIO(data), formats=["JPEG"]) as image:
            if (image.height, image.width) != shape[:2]:
                raise InvalidInput(
                    f"A picture has {image.width} × {image.height} pixels; its space says {shape[1]} × {shape[0]}."
                )
            return np.asarray(image, np.uint8).reshape(shape)
    except (OSError, ValueError, SyntaxError) as problem:
        raise InvalidInput(f"A picture of the dataset cannot be read: {problem}.") from None
