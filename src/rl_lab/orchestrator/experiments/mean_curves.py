"""The mean reward over the steps of runs, read from their telemetry; curves of ended runs are kept in memory."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from rl_lab.core.runs import FINAL, Run
from rl_lab.store.files.folders import RunFolder

if TYPE_CHECKING:
    from rl_lab.analysis.sweeps.pruning import MeanCurve

KEPT = 5000
"""Curves of 100 points: about 2 KB each."""


class MeanCurves:
    def __init__(self, home: Path) -> None:
        self._home = home
        self._kept: dict[str, MeanCurve] = {}

    def read(self, runs: Iterable[Run]) -> dict[str, MeanCurve]:
        """By run; for a thread. A run that has not written anything has no curve."""
        found = {}
        for run in runs:
            curve = self._kept.get(run.id) or read_mean_curve(self._home, run)
            if curve is not None:
                found[run.id] = curve
            if curve is not None and run.status in FINAL:
                self._keep(run.id, curve)
        return found

    def _keep(self, run_id: str, curve: MeanCurve) -> None:
        if len(self._kept) >= KEPT:
            self._kept.pop(next(iter(self._kept)))
        self._kept[run_id] = curve


def read_mean_curve(home: Path, run: Run) -> MeanCurve | None:
    """From the rewards of its episodes; from the logged means of a script that reports no episodes."""
    from rl_lab.analysis.sweeps.pruning import MeanCurve, mean_curve
    from rl_lab.orchestrator.runs.run_analysis import as_series
    from rl_lab.store.telemetry import TelemetryReader

    path = RunFolder(home, run.id).telemetry
    if not path.exists():
        return None
    with TelemetryReader(path, run.id) as telemetry:
        series = {name: as_series(one) for name, one in telemetry.thinned(["reward", "mean_reward"]).items()}
    if len(series["reward"]):
        return mean_curve(series["reward"], run.progress.timestep)
    means = series["mean_reward"].finite()
    return MeanCurve(means.step, means.value) if len(means) else None
