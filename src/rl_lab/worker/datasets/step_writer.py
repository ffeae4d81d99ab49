"""The steps of an episode while it is played: written in pieces, so that a long one does not fill the memory."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np

from rl_lab.core.datasets.manifest import ACTIONS, OBSERVATIONS, REWARDS, TERMINATIONS, TRUNCATIONS, WHO
from rl_lab.worker.datasets.spaces import leaves, split_tree
from rl_lab.worker.datasets.writing import DatasetWriter

PIECE_BYTES = 4 << 20
MAX_PIECE = 4096
"""Steps."""


class StepWriter:
    """Call `begin`, `add` for each step, then `end` or `drop`; again for the next episode."""

    def __init__(self, writer: DatasetWriter) -> None:
        self._writer = writer
        self._rows: defaultdict[str, list[Any]] = defaultdict(list)
        self._count = 0
        row = sum(
            leaf.dtype.itemsize * int(np.prod(leaf.shape))
            for leaf in leaves(writer.observation_space, OBSERVATIONS)
        )
        self._piece = max(1, min(MAX_PIECE, PIECE_BYTES // max(1, row)))

    def begin(self, observation: Any) -> None:
        self._clear()
        self._see(observation)

    def add(
        self,
        action: Any,
        observation: Any,
        reward: float,
        *,
        terminated: bool,
        truncated: bool,
        who: int = 0,
    ) -> None:
        rows = self._rows
        for name, value in split_tree(self._writer.action_space, action, ACTIONS).items():
            rows[name].append(np.array(value))
        rows[REWARDS].append(reward)
        rows[TERMINATIONS].append(terminated)
        rows[TRUNCATIONS].append(truncated)
        rows[WHO].append(who)
        self._see(observation)
        self._count += 1
        if self._count >= self._piece:
            self._write()

    def end(self, *, seed: int | None, source: int, number: int) -> None:
        if self._count:
            self._write()
        self._writer.end_episode(seed=seed, source=source, number=number)

    def drop(self) -> None:
        self._clear()
        self._writer.drop_episode()

    def _see(self, observation: Any) -> None:
        for name, value in split_tree(self._writer.observation_space, observation, OBSERVATIONS).items():
            # An environment may use its array again for the next observation.
            self._rows[name].append(np.array(value))

    def _write(self) -> None:
        columns = {name: np.array(rows) for name, rows in self._rows.items() if rows}
        self._writer.add_step_columns(columns, self._count)
        self._clear()

    def _clear(self) -> None:
        self._rows.clear()
        self._count = 0
