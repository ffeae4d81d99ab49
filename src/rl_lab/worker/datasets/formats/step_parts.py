"""A dataset as rows of steps, a part at a time: what writers of tables need."""

from __future__ import annotations

from collections.abc import Callable, Iterator

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
from rl_lab.worker.datasets.formats.rows import Array, rows_per_part
from rl_lab.worker.datasets.reading import OpenDataset

Report = Callable[[float], None]
"""Called with the share that is done; raises when the job is stopped."""


class StepParts:
    """Columns by the name that a table gives them: those of the dataset, `following` and facts about the episode."""

    def __init__(self, dataset: OpenDataset) -> None:
        self._dataset = dataset
        columns = dataset.columns
        self.observations = _named(columns, OBSERVATIONS)
        self.actions = _named(columns, ACTIONS)
        self.infos = _named(columns, INFOS)
        self.has_who = WHO in columns
        self.steps = dataset.manifest.transitions
        seen = sum(_row_bytes(columns[name]) for name in (*self.observations, *self.infos))
        self.count = rows_per_part(2 * seen + sum(_row_bytes(columns[name]) for name in self.actions))

    def ranges(self) -> Iterator[tuple[int, int]]:
        for start in range(0, self.steps, self.count):
            yield start, min(self.steps, start + self.count)

    def before(self, name: str, start: int, end: int) -> Array:
        """The rows of observations or infos in which the steps were chosen."""
        return self._seen(name, start, end, 0)

    def after(self, name: str, start: int, end: int) -> Array:
        """What the steps led to."""
        return self._seen(name, start, end, 1)

    def step(self, name: str, start: int, end: int) -> Array:
        return self._dataset.columns[name][start:end]

    def terminated(self, start: int, end: int) -> Array:
        return self.step(TERMINATIONS, start, end).astype(bool)

    def truncated(self, start: int, end: int) -> Array:
        """The last step of an episode is one of the two in every file."""
        is_last = np.zeros(end - start, bool)
        ends = self._dataset.ends - 1
        is_last[ends[np.searchsorted(ends, start) : np.searchsorted(ends, end)] - start] = True
        return self.step(TRUNCATIONS, start, end).astype(bool) | (is_last & ~self.terminated(start, end))

    def rewards(self, start: int, end: int) -> Array:
        return self.step(REWARDS, start, end)

    def episodes(self, start: int, end: int) -> Array:
        """The number of each step's episode."""
        return np.searchsorted(self._dataset.ends, np.arange(start, end), side="right")

    def numbers(self, start: int, end: int) -> Array:
        """The number of each step in its episode."""
        return np.asarray(np.arange(start, end) - self._dataset.starts[self.episodes(start, end)])

    def seeds(self, start: int, end: int) -> Array:
        return np.asarray(self._dataset.seeds[self.episodes(start, end)])

    def _seen(self, name: str, start: int, end: int, offset: int) -> Array:
        rows = np.arange(start, end) + self.episodes(start, end) + offset
        first = int(rows[0])
        found: Array = self._dataset.columns[name][first : int(rows[-1]) + 1][rows - first]
        return found


def _named(columns: dict[str, Array], top: str) -> list[str]:
    return [name for name in columns if name == top or name.startswith(f"{top}.")]


def _row_bytes(column: Array) -> int:
    return int(column.dtype.itemsize * np.prod(column.shape[1:], dtype=np.int64))
