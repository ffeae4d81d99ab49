"""One episode in memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from rl_lab.worker.datasets.spaces import Tree


@dataclass(frozen=True)
class EpisodeArrays:
    """The steps of one episode; n is their number."""

    observations: Tree
    """n + 1 rows: what was seen before each step, and last. A dict or tuple of arrays for such a space."""
    actions: Tree
    """n rows."""
    rewards: np.ndarray
    terminations: np.ndarray
    truncations: np.ndarray
    infos: Mapping[str, np.ndarray] = field(default_factory=dict)
    """n + 1 rows each."""
    who: np.ndarray | None = None
    """n rows: 1 where a person acted."""

    @property
    def length(self) -> int:
        return len(self.rewards)
