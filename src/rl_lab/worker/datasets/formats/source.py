"""What every reader of a format offers: what the file says about itself, and its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import ScoreReference
from rl_lab.worker.datasets.formats.layout import LaidOut
from rl_lab.worker.datasets.formats.rows import DatasetRows, FileSteps
from rl_lab.worker.datasets.spaces import SpaceJson

RowKind = tuple[np.dtype[Any], tuple[int, ...]]
"""Type and shape of one row."""


@dataclass
class OpenSource:
    """A file that was opened and found readable; nothing but its description has been read."""

    form: str
    """What was recognised: “HDF5 in D4RL's form”."""
    total: int
    """How many rows or episodes there are, for the progress."""
    unit: str
    """What `total` counts: step or episode."""
    bytes_needed: int
    """About what the dataset will take on the disk."""
    observations: dict[str, RowKind]
    """Columns of the observations."""
    actions: dict[str, RowKind]
    parts: Callable[[], Iterable[FileSteps]] | None = None
    rows: Callable[[], Iterable[DatasetRows]] | None = None
    """One of the two; each gives everything once, from the beginning."""
    infos: dict[str, RowKind] = field(default_factory=dict)
    """By key, without `infos.` in front."""
    has_who: bool = False
    env_id: str = ""
    env_kwargs: dict[str, Any] = field(default_factory=dict)
    observation_space: SpaceJson | None = None
    """None: the file does not say it."""
    action_space: SpaceJson | None = None
    source: str = ""
    licence: str = ""
    reference: ScoreReference | None = None
    notes: list[str] = field(default_factory=list)

    def read(self) -> Iterator[DatasetRows]:
        """All rows; adds to the notes what had to be repaired."""
        if self.rows is not None:
            yield from self.rows()
            return
        assert self.parts is not None
        laid_out = LaidOut(self.parts())
        yield from laid_out
        self.notes += laid_out.repairs()


def kind_of(dtype: Any, shape: Iterable[int]) -> RowKind:
    """As it is stored: little-endian."""
    return np.dtype(dtype).newbyteorder("<"), tuple(int(size) for size in shape)


def row_bytes(kinds: Iterable[RowKind]) -> int:
    return sum(dtype.itemsize * int(np.prod(shape, dtype=np.int64)) for dtype, shape in kinds)
