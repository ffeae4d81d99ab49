"""A Piece is the content of one part of a file: points, episodes, facts about the run, and problems."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

PIECE_BYTES = 8 << 20
"""How much of a file is read at once; the rest follows with the next piece."""


@dataclass(frozen=True)
class Curve:
    """Points of one series."""

    steps: Ints
    times: Floats
    """Unix seconds; NaN where the file has none."""
    values: Floats

    def __len__(self) -> int:
        return len(self.values)

    def only(self, which: NDArray[np.bool_]) -> Curve:
        return Curve(self.steps[which], self.times[which], self.values[which])


def curve(steps: Any, times: Any, values: Any) -> Curve:
    """From anything array-like; a step that does not fit in 64 bits becomes -1, which is dropped later."""
    numbers = np.asarray(steps, np.float64)
    fits = np.isfinite(numbers) & (np.abs(numbers) < 2.0**62)
    whole = np.where(fits, numbers, -1.0).astype(np.int64)
    return Curve(whole, np.asarray(times, np.float64), np.asarray(values, np.float64))


class EpisodeFact(NamedTuple):
    at: float
    reward: float
    length: int
    timestep: int | None = None
    """None: counted from the lengths so far."""
    env: int = 0


@dataclass
class Facts:
    """What is known about a run; unknown fields are empty."""

    algorithm: str = ""
    env_id: str = ""
    seed: int | None = None
    total_timesteps: int = 0
    args: dict[str, Any] = field(default_factory=dict)
    began: float | None = None
    title: str = ""
    failure: str = ""
    """Why the run failed, as the other tool recorded it."""
    has_ended: bool = False
    """The other tool recorded the end of the run."""
    tags: list[str] = field(default_factory=list)

    def take(self, other: Facts) -> None:
        """Fills in the fields that are still empty."""
        self.algorithm = self.algorithm or other.algorithm
        self.env_id = self.env_id or other.env_id
        self.seed = other.seed if self.seed is None else self.seed
        self.total_timesteps = self.total_timesteps or other.total_timesteps
        self.args = {**other.args, **self.args}
        if other.began is not None:
            self.began = other.began if self.began is None else min(self.began, other.began)
        self.title = self.title or other.title
        self.failure = self.failure or other.failure
        self.has_ended = self.has_ended or other.has_ended
        self.tags = list(dict.fromkeys([*self.tags, *other.tags]))


@dataclass
class Piece:
    offset: int
    """Everything before this byte was read."""
    curves: dict[str, Curve] = field(default_factory=dict)
    episodes: list[EpisodeFact] = field(default_factory=list)
    facts: Facts = field(default_factory=Facts)
    memo: dict[str, Any] = field(default_factory=dict)
    """What the reader needs to continue; plain JSON."""
    problems: list[str] = field(default_factory=list)
    is_complete: bool = True
    """False when there is more to read now."""


def written_at(file: BinaryIO) -> float:
    """When the file was last written; now for one in memory."""
    try:
        return os.fstat(file.fileno()).st_mtime
    except OSError:
        return time.time()


Reader = Callable[[BinaryIO, int, dict[str, Any]], Piece]
"""A file, where to continue, and the memo of the previous piece."""
