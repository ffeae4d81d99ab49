"""Reads the folder of a dataset's version: columns are memory-mapped and read-only, nothing is ever unpickled."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import (
    ACTIONS,
    EPISODE_COLUMNS,
    EPISODE_ENDS,
    EPISODE_SEEDS,
    INFOS,
    MANIFEST_FILE,
    OBSERVATIONS,
    REWARDS,
    TERMINATIONS,
    TRUNCATIONS,
    WHO,
    DatasetColumn,
    DatasetManifest,
)
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.job_files import read_manifest
from rl_lab.worker.datasets.spaces import Tree, join_tree, leaves

MAX_HEADER_BYTES = 64 << 10
"""Of a `.npy` file; without values it is nothing else."""
SAFE_NAME = re.compile(r"[A-Za-z0-9_%-]+(\.[A-Za-z0-9_%-]+)*")


class OpenDataset:
    """A version whose schema has been checked."""

    def __init__(self, folder: Path, manifest: DatasetManifest, columns: dict[str, np.ndarray]) -> None:
        self.folder = folder
        self.manifest = manifest
        self.columns = columns
        """Every column by its name, memory-mapped and read-only."""

    def __len__(self) -> int:
        return self.manifest.episodes

    def column(self, name: str) -> np.ndarray:
        return self.columns[name]

    @property
    def ends(self) -> np.ndarray:
        return self.columns[EPISODE_ENDS]

    @property
    def seeds(self) -> np.ndarray:
        return self.columns[EPISODE_SEEDS]

    @cached_property
    def starts(self) -> np.ndarray:
        """The first step of each episode."""
        return np.concatenate([np.zeros(1, np.int64), self.ends[:-1]])

    @cached_property
    def lengths(self) -> np.ndarray:
        return np.asarray(self.ends - self.starts)

    @cached_property
    def returns(self) -> np.ndarray:
        """The sum of rewards of each episode."""
        return np.add.reduceat(self.columns[REWARDS], self.starts)

    @property
    def observations(self) -> Tree:
        """All rows: one array, or a dict or tuple of arrays."""
        return join_tree(self.manifest.observation_space, self.columns, OBSERVATIONS)

    @property
    def actions(self) -> Tree:
        return join_tree(self.manifest.action_space, self.columns, ACTIONS)

    def observation_rows(self) -> np.ndarray:
        """For each step, the row of the observation in which it was chosen; the next row is what it led to."""
        return np.arange(self.manifest.transitions) + np.repeat(np.arange(len(self)), self.lengths)

    def episode(self, index: int) -> EpisodeArrays:
        """One episode, as views of the columns."""
        start, end = int(self.starts[index]), int(self.ends[index])
        steps, seen = slice(start, end), slice(start + index, end + index + 1)
        rows = {name: column[self._slice_of(name, steps, seen)] for name, column in self._by_step()}
        infos = {n.removeprefix(f"{INFOS}."): r for n, r in rows.items() if n.startswith(f"{INFOS}.")}
        return EpisodeArrays(
            observations=join_tree(self.manifest.observation_space, rows, OBSERVATIONS),
            actions=join_tree(self.manifest.action_space, rows, ACTIONS),
            rewards=rows[REWARDS],
            terminations=rows[TERMINATIONS],
            truncations=rows[TRUNCATIONS],
            infos=infos,
            who=rows.get(WHO),
        )

    def _by_step(self) -> Iterator[tuple[str, np.ndarray]]:
        return ((name, column) for name, column in self.columns.items() if name not in EPISODE_COLUMNS)

    def _slice_of(self, name: str, steps: slice, seen: slice) -> slice:
        return seen if has_last_row(name) else steps


def has_last_row(name: str) -> bool:
    """Whether a column has one more row per episode than steps: what was seen last."""
    return name.split(".", maxsplit=1)[0] in (OBSERVATIONS, INFOS)


def open_dataset(folder: Path) -> OpenDataset:
    """Open a version and check that its files fit its spaces and each other; checksums are not compared."""
    manifest = read_manifest(folder)
    _check_columns(manifest)
    columns = {column.name: _open_column(folder, column) for column in manifest.columns}
    _check_ends(columns[EPISODE_ENDS], manifest)
    return OpenDataset(folder, manifest, columns)


def _check_columns(manifest: DatasetManifest) -> None:
    """The columns that the spaces need are listed with the right type and number of rows, and no others."""
    listed = {column.name: column for column in manifest.columns}
    rows_seen = manifest.transitions + manifest.episodes
    _check_names(manifest)
    for space, group in ((manifest.observation_space, OBSERVATIONS), (manifest.action_space, ACTIONS)):
        for leaf in leaves(space, group):
            rows = rows_seen if group == OBSERVATIONS else manifest.transitions
            _check_column(listed, leaf.name, [rows, *leaf.shape], leaf.dtype.newbyteorder("<").str)
    for name in (REWARDS, TERMINATIONS, TRUNCATIONS):
        _check_column(listed, name, [manifest.transitions], None)
    for name in EPISODE_COLUMNS:
        _check_column(listed, name, [manifest.episodes], None)
    for name, column in listed.items():
        is_seen = name.startswith(f"{INFOS}.")
        if is_seen or name == WHO:
            rows = rows_seen if is_seen else manifest.transitions
            _check_column(listed, name, [rows, *column.shape[1:]], None)


def _check_names(manifest: DatasetManifest) -> None:
    spaces = ((manifest.observation_space, OBSERVATIONS), (manifest.action_space, ACTIONS))
    known = {leaf.name for space, group in spaces for leaf in leaves(space, group)}
    known |= {REWARDS, TERMINATIONS, TRUNCATIONS, WHO, *EPISODE_COLUMNS}
    for column in manifest.columns:
        is_known = column.name in known or column.name.startswith(f"{INFOS}.")
        if not is_known or not SAFE_NAME.fullmatch(column.name):
            raise InvalidInput(
                f"{MANIFEST_FILE} names a column “{column.name}”, which is not a name of a column."
            )


def _check_column(listed: dict[str, DatasetColumn], name: str, shape: list[int], dtype: str | None) -> None:
    column = listed.get(name)
    if column is None:
        raise InvalidInput(f"The dataset has no column “{name}”.")
    if column.shape != shape:
        raise InvalidInput(f"{name} has the shape {column.shape}; spaces and episodes ask for {shape}.")
    if dtype is not None and column.dtype != dtype:
        raise InvalidInput(f"{name} has {column.dtype} values; its space says {dtype}.")


def _open_column(folder: Path, column: DatasetColumn) -> np.ndarray:
    path = folder / f"{column.name}.npy"
    try:
        size = path.stat().st_size
        # An array without a value cannot be mapped, so its file is read.
        is_empty = 0 in column.shape
        if is_empty and size > MAX_HEADER_BYTES:
            raise InvalidInput(f"The file {path.name} of no values has {size:,} bytes.", next_step=_AGAIN)
        values: np.ndarray[Any, Any] = np.load(path, mmap_mode=None if is_empty else "r", allow_pickle=False)
    except FileNotFoundError as missing:
        raise InvalidInput(f"The file {path.name} is missing.", next_step=_AGAIN) from missing
    except (ValueError, EOFError) as problem:
        raise InvalidInput(f"The file {path.name} is damaged: {problem}.", next_step=_AGAIN) from problem
    if size != column.size or list(values.shape) != column.shape or values.dtype.str != column.dtype:
        raise InvalidInput(
            f"The file {path.name} holds {values.dtype.str} {list(values.shape)} in {size} bytes; "
            f"{MANIFEST_FILE} says {column.dtype} {column.shape} in {column.size}.",
            next_step=_AGAIN,
        )
    # A plain view: indexing a memmap costs several times as much.
    view = values.view(np.ndarray)
    view.flags.writeable = False
    return view


def _check_ends(ends: np.ndarray, manifest: DatasetManifest) -> None:
    is_rising = len(ends) > 0 and ends[0] > 0 and bool((np.diff(ends) > 0).all())
    if not is_rising or ends[-1] != manifest.transitions:
        raise InvalidInput(
            f"{EPISODE_ENDS}.npy does not describe {manifest.episodes} episodes with {manifest.transitions} steps.",
            next_step=_AGAIN,
        )


_AGAIN = "Make or import the dataset again, or put the file back."
