"""DatasetRun: what a script learns from, and how far it is. Its steps are updates of its networks."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from rl_lab.capture.d4rl_standin.columns import DatasetColumns, ScoreRange

MAX_POINTS = 10_000
"""Of one series. Scripts log every update: of a long run, every n-th is kept."""


class PlayedEvaluation(NamedTuple):
    """The episodes that a script played between two updates."""

    update: int
    episodes: int
    return_mean: float
    score: float
    """Normalised: 0 to 100 between the returns of the dataset's reference; NaN where these are equal."""


class DatasetRun:
    def __init__(self, name: str, folder: str, total: int) -> None:
        self.name = name
        """What the script calls it: the value of its argument `env`."""
        self.folder = folder
        self.updates = 0
        self.stride = max(1, -(-total // MAX_POINTS))
        self._steps: dict[int, int] = {}
        """Of each optimiser, by its id: a script has several, and not all of them step in every update."""
        self._kept: dict[tuple[str, ...], int] = {}
        self._returns: list[float] = []
        """Of the evaluation that is being played: the episodes between two updates."""
        self.report: Callable[[PlayedEvaluation], object] = lambda _played: None

    @cached_property
    def columns(self) -> DatasetColumns:
        return DatasetColumns(self.folder)

    @cached_property
    def score_range(self) -> ScoreRange:
        return self.columns.score_range()

    def count_update(self, optimizer: Any) -> None:
        """An optimiser made a step: the busiest one counts the updates."""
        if self._returns:
            self.end_evaluation()
        steps = self._steps[id(optimizer)] = self._steps.get(id(optimizer), 0) + 1
        self.updates = max(self.updates, steps)

    def add_episode(self, returned: float) -> None:
        """An episode of an evaluation has ended."""
        self._returns.append(returned)

    def end_evaluation(self) -> None:
        """Report the mean of the episodes that were played since the last update."""
        returns, self._returns = self._returns, []
        if not returns:
            return
        mean = sum(returns) / len(returns)
        score = 100.0 * float(self.score_range.normalise(mean))
        self.report(PlayedEvaluation(self.updates, len(returns), mean, score))

    def updates_made(self) -> int:
        return self.updates

    def keeps(self, names: Iterable[str], step: int) -> bool:
        """Whether these values are stored; rare ones always are."""
        if self.stride == 1:
            return True
        key = tuple(names)
        last = self._kept.get(key)
        if last is not None and step - last < self.stride:
            return False
        self._kept[key] = step
        return True


def find_dataset_run(job: Mapping[str, Any]) -> DatasetRun | None:
    """None for a script that does not learn from a dataset of the lab."""
    folder = job.get("dataset_dir")
    config = job.get("config") or {}
    if not folder:
        return None
    name = (config.get("dataset") or {}).get("name") or os.path.basename(os.path.dirname(str(folder)))
    return DatasetRun(str(name), str(folder), int(config.get("total_timesteps") or 0))
