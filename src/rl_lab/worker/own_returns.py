"""Returns under a user's reward: summed per environment and term until an episode ends; the last hundred are kept."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.protocol.metrics import OWN_RETURN
from rl_lab.worker.user_code.scorer import Scored, StepRows


class OwnReturns:
    """Sums are taken step by step, so that they do not depend on how many steps were scored at once.

    Its means have the names of those of the Recorder: either can decide which checkpoint is the best.
    """

    def __init__(self) -> None:
        self._running: dict[str, dict[int, float]] = {}
        """The unfinished sum of each environment, by the name of its metric."""
        self._last: deque[float] = deque(maxlen=REWARD_WINDOW)

    @property
    def mean_reward(self) -> float | None:
        return sum(self._last) / len(self._last) if self._last else None

    @property
    def window_episodes(self) -> int:
        """How many episodes `mean_reward` is the mean of."""
        return len(self._last)

    @property
    def is_window_full(self) -> bool:
        return len(self._last) == REWARD_WINDOW

    def add(self, rows: StepRows, scored: Scored) -> list[tuple[int, dict[str, float]]]:
        """Counts scored steps; returns the row with which each episode ended, and its metrics."""
        lanes = [0] * len(rows) if rows.lanes is None else rows.lanes.tolist()
        begins, ended = rows.begins.tolist(), rows.terminated | rows.truncated
        columns = {OWN_RETURN: scored.totals}
        columns |= {f"{OWN_RETURN}/{name}": scored.terms[:, k] for k, name in enumerate(scored.names)}
        # A new process, as after a resume, does not return terms that it has not seen yet.
        columns |= {name: np.zeros(len(rows)) for name in self._running if name not in columns}
        sums = {
            name: self._finished(name, column, (lanes, begins, ended.tolist()))
            for name, column in columns.items()
        }
        self._last.extend(sums[OWN_RETURN])
        found = np.flatnonzero(ended).tolist()
        return [(row, {name: sums[name][number] for name in sums}) for number, row in enumerate(found)]

    def _finished(
        self,
        name: str,
        column: NDArray[np.float64],
        steps: tuple[Sequence[int], Sequence[bool], Sequence[bool]],
    ) -> list[float]:
        """The sums of the episodes that ended, in order; the others continue."""
        running, found = self._running.setdefault(name, {}), []
        for lane, is_first, is_last, value in zip(*steps, column.tolist(), strict=True):
            total = value if is_first else running.get(lane, 0.0) + value
            if is_last:
                found.append(total)
                total = 0.0
            running[lane] = total
        return found

    def state(self) -> dict[str, Any]:
        """Plain data for a checkpoint."""
        running = {
            name: {str(lane): total for lane, total in sums.items()} for name, sums in self._running.items()
        }
        return {"running": running, "last": list(self._last)}

    def restore(self, state: Mapping[str, Any]) -> None:
        self._running = {
            name: {int(lane): float(total) for lane, total in sums.items()}
            for name, sums in state["running"].items()
        }
        self._last = deque(map(float, state["last"]), maxlen=REWARD_WINDOW)
