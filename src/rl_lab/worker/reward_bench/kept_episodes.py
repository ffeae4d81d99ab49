"""Simulated episodes that are kept in memory: a reward that was edited is tried again without simulating."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import numpy as np

from rl_lab.worker.reward_bench.simulated import BYTES_PER_VALUE, SimulatedEpisode
from rl_lab.worker.user_code.scorer import StepRows

MAX_BYTES = 256 << 20
LARGEST_PART = 8
"""An episode that takes more than this part of the memory is not kept: it would displace too many."""


class KeptEpisodes:
    """The ones that were used last, up to a number of bytes."""

    def __init__(self, max_bytes: int = MAX_BYTES) -> None:
        self._max_bytes = max_bytes
        self._episodes: OrderedDict[str, SimulatedEpisode] = OrderedDict()
        self._bytes = 0

    @property
    def largest(self) -> int:
        """The most bytes that one episode may take."""
        return self._max_bytes // LARGEST_PART

    def find(self, key: str, *, with_info: bool) -> SimulatedEpisode | None:
        episode = self._episodes.get(key)
        if episode is None or (with_info and any(rows.info is None for rows in episode.pieces)):
            return None
        self._episodes.move_to_end(key)
        return episode

    def keep(self, key: str, episode: SimulatedEpisode) -> list[str]:
        """The keys of those that had to go for it."""
        self._drop(key)
        self._episodes[key] = episode
        self._bytes += episode.size
        dropped = []
        while self._bytes > self._max_bytes:
            dropped.append(next(iter(self._episodes)))
            self._drop(dropped[-1])
        return dropped

    def _drop(self, key: str) -> None:
        episode = self._episodes.pop(key, None)
        self._bytes -= episode.size if episode is not None else 0


def size_of(rows: StepRows) -> int:
    columns = (rows.obs, rows.action, rows.reward, rows.terminated, rows.truncated, rows.begins)
    return sum(map(_bytes_of, columns)) + (0 if rows.info is None else len(rows) * BYTES_PER_VALUE)


def _bytes_of(column: Any) -> int:
    """`next_obs` is a part of the same memory as `obs`."""
    return int(column.nbytes) if isinstance(column, np.ndarray) else len(column) * BYTES_PER_VALUE
