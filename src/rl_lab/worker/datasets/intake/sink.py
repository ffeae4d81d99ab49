"""Writes the rows of a source to a dataset, however its parts cut the episodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import (
    ACTIONS,
    INFOS,
    OBSERVATIONS,
    REWARDS,
    TERMINATIONS,
    TRUNCATIONS,
    WHO,
)
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.episode_arrays import EpisodeArrays
from rl_lab.worker.datasets.formats.rows import Columns, DatasetRows, join_rows
from rl_lab.worker.datasets.spaces import join_tree, leaves
from rl_lab.worker.datasets.writing import DatasetWriter


class DatasetSink:
    def __init__(self, writer: DatasetWriter) -> None:
        self._writer = writer
        spaces = ((writer.observation_space, OBSERVATIONS), (writer.action_space, ACTIONS))
        self._leaves = {leaf.name: leaf for space, name in spaces for leaf in leaves(space, name)}
        self._held: DatasetRows | None = None
        """The last step of an open episode: what it led to comes with the next part."""
        self._is_open = False
        """Whether the writer has steps of an episode that has not ended."""

    def add(self, rows: DatasetRows) -> None:
        if self._held is not None:
            rows, self._held = join_rows([self._held, rows]), None
        if not len(rows):
            return
        lasts = np.flatnonzero(rows.is_last)
        first = 0
        if self._is_open and len(lasts):
            first = int(lasts[0]) + 1
            self._add_piece(rows.take(slice(0, first), slice(0, first + 1)), int(rows.seeds[0]))
        whole = int(lasts[-1]) + 1 if len(lasts) else 0
        done = int(self._is_open and bool(len(lasts)))
        if len(lasts):
            self._is_open = False
        if whole > first:
            self._add_whole(rows.take(slice(first, whole), slice(first + done, whole + len(lasts))))
        if whole < len(rows):
            self._hold(rows.take(slice(whole, len(rows)), slice(whole + len(lasts), None)))

    def finish(self) -> None:
        if self._held is not None or self._is_open:
            raise InvalidInput("The last episode of the file has no end.")

    def _add_whole(self, rows: DatasetRows) -> None:
        ends = np.flatnonzero(rows.is_last) + 1
        self._writer.add_columns(
            self._typed(rows.steps | rows.seen), np.diff(ends, prepend=0), seeds=rows.seeds
        )

    def _hold(self, rows: DatasetRows) -> None:
        """All but the last step of an episode that continues."""
        count = len(rows) - 1
        if count:
            self._add_piece(rows.take(slice(0, count), slice(0, count + 1)), None)
        self._held = rows.take(slice(count, None), slice(count, None))

    def _add_piece(self, rows: DatasetRows, seed: int | None) -> None:
        columns = self._typed(rows.steps | rows.seen)
        infos = {n.removeprefix(f"{INFOS}."): c for n, c in columns.items() if n.startswith(f"{INFOS}.")}
        piece = EpisodeArrays(
            observations=join_tree(self._writer.observation_space, columns, OBSERVATIONS),
            actions=join_tree(self._writer.action_space, columns, ACTIONS),
            rewards=columns[REWARDS],
            terminations=columns[TERMINATIONS],
            truncations=columns[TRUNCATIONS],
            infos=infos,
            who=columns.get(WHO),
        )
        self._writer.add_steps(piece)
        self._is_open = True
        if seed is not None:
            self._writer.end_episode(seed=seed, number=self._writer.episodes)

    def _typed(self, columns: Columns) -> Columns:
        """Numbers in the types of the spaces: choices that a file writes as 1.0 become whole."""
        return {name: self._as_leaf(name, values) for name, values in columns.items()}

    def _as_leaf(self, name: str, values: Any) -> Any:
        leaf = self._leaves.get(name)
        if leaf is None:
            return values
        shaped = values.reshape(len(values), *leaf.shape)
        if shaped.dtype.kind == "f" and leaf.dtype.kind in "iu":
            whole = np.where(np.isfinite(shaped), shaped, 0.5)
            if (whole != np.rint(whole)).any():
                raise InvalidInput(
                    f"The {name} of the file are not all whole numbers, but their space has choices.",
                    next_step="Name the environment that the file was recorded in, or leave it out.",
                )
            return whole.astype(leaf.dtype)
        return shaped
