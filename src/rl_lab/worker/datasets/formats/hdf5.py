"""HDF5 with one row per step: D4RL and OGBench, and what the lab itself exports as HDF5."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.formats.hdf5_files import Hdf5File, open_hdf5
from rl_lab.worker.datasets.formats.own_marks import describe
from rl_lab.worker.datasets.formats.rows import Columns
from rl_lab.worker.datasets.formats.source import OpenSource, RowKind, kind_of
from rl_lab.worker.datasets.formats.tables import open_table, other_lengths, require_rows

DESCRIPTION = "rl_lab"
"""Attribute of a file that the lab wrote: spaces and environment as JSON."""


def open_file(path: Path) -> OpenSource:
    file = open_hdf5(path)
    source = open_table(Hdf5Table(file), "HDF5")
    describe(source, _own_description(file))
    return source


class Hdf5Table:
    def __init__(self, file: Hdf5File) -> None:
        self._file = file
        found = {name: array for name, array in file.arrays(file.file) if array.shape}
        rows = _rows(found, file.name)
        require_rows(rows, file.name)
        self.unreadable = other_lengths({name: array.shape[0] for name, array in found.items()}, rows)
        self._arrays: dict[str, Any] = {}
        self.kinds: dict[str, RowKind] = {}
        for name, array in found.items():
            if array.shape[0] == rows and (array.dtype.kind in "biuf" or "/" not in name):
                file.check(array, name)
                self._arrays[name] = array
                self.kinds[name] = kind_of(array.dtype, array.shape[1:])
        self.rows = rows

    def read(self, names: Sequence[str], count: int) -> Iterator[Columns]:
        together = max(((self._arrays[name].chunks or (1,))[0] for name in names), default=1)
        step = max(together, count // together * together)
        for start in range(0, self.rows, step):
            part = {}
            for name in names:
                try:
                    part[name] = self._arrays[name][start : start + step]
                except (OSError, RuntimeError, ValueError) as problem:
                    raise self._file.damaged(name, problem) from None
            yield part


def _rows(found: dict[str, Any], file_name: str) -> int:
    for name in ("actions", "action", "observations", "obs", "observation"):
        for path, array in found.items():
            if path.partition("/")[0].lower() == name:
                return int(array.shape[0])
    shown = ", ".join(list(found)[:20]) or "nothing"
    raise InvalidInput(
        f"{file_name} has no observations and actions: it holds {shown}.",
        next_step="Import HDF5 as D4RL, OGBench or Minari write it.",
    )


def _own_description(file: Hdf5File) -> str | None:
    try:
        found = file.file.attrs.get(DESCRIPTION)
    except (OSError, RuntimeError, ValueError):
        return None
    return found if isinstance(found, str) else None
