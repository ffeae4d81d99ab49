"""What readers give and writers take: parts of a dataset, as arrays by the name of their column.

`FileSteps` are rows as most files have them: one per step. `DatasetRows` are the same in the layout of the lab, in
which each episode has one observation more than steps (`core/datasets/manifest.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.datasets.manifest import REWARDS

Array = NDArray[Any]
Columns = dict[str, Array]
"""Arrays by the name of their column: `observations`, `observations.goal`, `infos.speed`."""
PART_BYTES = 16 << 20
"""About how much a reader gives at once."""


@dataclass
class FileSteps:
    """Steps one behind the other; an episode may continue in the next part."""

    observations: Columns
    actions: Columns
    rewards: Array
    terminated: Array
    ended: Array
    """Whether the row is the last one of its episode."""
    only_seen: Array | None = None
    """Whether the row holds an observation only, as the last row of an episode. None: so it is where an episode was
    truncated and the observation after its last step is not in the file."""
    episodes: Array | None = None
    """A number per row, which changes where an episode begins."""
    following: Columns | None = None
    """The observation after each step, where the file has it; under the names of `observations`."""
    infos: Columns = field(default_factory=dict)
    truncated: Array | None = None
    """As the file says it; a last step that is not terminated is truncated in any case."""
    seeds: Array | None = None
    who: Array | None = None

    def __len__(self) -> int:
        return len(self.rewards)

    def take(self, rows: slice) -> FileSteps:
        return FileSteps(**{f.name: _take(getattr(self, f.name), rows) for f in fields(self)})


@dataclass
class DatasetRows:
    """A part of a dataset in the lab's layout."""

    steps: Columns
    """Actions, rewards, terminations, truncations: one row per step."""
    seen: Columns
    """Observations and infos: one row per step, and one more where an episode ends."""
    is_last: Array
    """One per step: whether its episode ends with it."""
    seeds: Array
    """One per episode that ends here; -1 where it is not known."""

    def __len__(self) -> int:
        return len(self.steps[REWARDS])

    def take(self, steps: slice, seen: slice) -> DatasetRows:
        """Some of the steps with their observations."""
        is_last = self.is_last[steps]
        before = int(self.is_last[: steps.start or 0].sum())
        return DatasetRows(
            steps={name: column[steps] for name, column in self.steps.items()},
            seen={name: column[seen] for name, column in self.seen.items()},
            is_last=is_last,
            seeds=self.seeds[before : before + int(is_last.sum())],
        )


def join_steps(parts: Sequence[FileSteps]) -> FileSteps:
    names = [f.name for f in fields(FileSteps)]
    return FileSteps(**{name: _join([getattr(part, name) for part in parts]) for name in names})


def join_rows(parts: Sequence[DatasetRows]) -> DatasetRows:
    names = [f.name for f in fields(DatasetRows)]
    return DatasetRows(**{name: _join([getattr(part, name) for part in parts]) for name in names})


def rows_per_part(row_bytes: int, multiple: int = 1) -> int:
    """How many rows to read at once, as a multiple of what the file stores together."""
    rows = max(1, PART_BYTES // max(1, row_bytes))
    return max(multiple, rows // multiple * multiple)


def _take(value: Any, rows: slice) -> Any:
    if value is None:
        return None
    return {name: array[rows] for name, array in value.items()} if isinstance(value, dict) else value[rows]


def _join(parts: Sequence[Any]) -> Any:
    first = parts[0]
    if first is None or len(parts) == 1:
        return first
    if isinstance(first, dict):
        return {name: np.concatenate([part[name] for part in parts]) for name in first}
    return np.concatenate(parts)
