"""Batches of a dataset: drawn and gathered for many updates at once.

What update n sees depends on the seed and n only, so that a resumed training continues with the same batches.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from rl_lab.runners.offline.transitions import Transitions

GATHERED = 1 << 14
"""Rows that are gathered at once: enough to make the calls cheap, few enough to stay in the cache."""


class StepBatch(NamedTuple):
    seen: Tensor
    following: Tensor
    actions: Tensor
    rewards: Tensor
    goes_on: Tensor
    noise: Tensor
    """Standard normal numbers, as many per row as the learner wants."""


class BatchSampler:
    def __init__(self, data: Transitions, batch_size: int, seed: int, noise: int = 0) -> None:
        """`noise`: how many normal numbers a row gets."""
        self._data, self._size, self._seed, self._noise = data, batch_size, seed, noise
        self._count = len(data)
        self._updates = max(1, GATHERED // batch_size)
        self._group = -1
        self._batches: list[StepBatch] = []

    def batch(self, update: int) -> StepBatch:
        """That of the update with this number, from 0."""
        group, place = divmod(update, self._updates)
        if group != self._group:
            self._group, self._batches = group, self._draw(group)
        return self._batches[place]

    def _draw(self, group: int) -> list[StepBatch]:
        rng = np.random.Generator(np.random.PCG64([self._seed, group]))
        count = self._updates * self._size
        steps = torch.from_numpy(rng.integers(self._count, size=count))
        noise = torch.from_numpy(rng.standard_normal((count, self._noise), np.float32))
        return gather(self._data, steps, noise, self._size)


def gather(data: Transitions, steps: Tensor, noise: Tensor, size: int) -> list[StepBatch]:
    """The rows of these steps, cut into batches."""
    rows = data.rows.index_select(0, steps)
    columns = (
        data.observations.index_select(0, rows),
        data.observations.index_select(0, rows.add_(1)),
        data.actions.index_select(0, steps),
        data.rewards.index_select(0, steps),
        data.goes_on.index_select(0, steps),
        noise,
    )
    return [StepBatch(*parts) for parts in zip(*(column.split(size) for column in columns), strict=True)]
