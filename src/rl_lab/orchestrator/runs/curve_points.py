"""The learning curve of a run in few points: out of its telemetry, into a row of lab.db and back."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from rl_lab.analysis.curves import EMPTY, RunCurves, Series
from rl_lab.analysis.statistics.seed_curves import NO_CURVE, SeedCurve, mean_return_curve, series_curve
from rl_lab.core.workbench.derived_metrics import NO_DEFINITIONS, Definitions
from rl_lab.orchestrator.runs.derived_series import read_derived
from rl_lab.orchestrator.runs.run_analysis import as_series
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.run_curves import MEAN_RETURN, StoredCurve
from rl_lab.store.telemetry import TelemetryReader


def read_seed_curve(
    home: Path, run_id: str, metric: str, definitions: Definitions = NO_DEFINITIONS
) -> SeedCurve:
    """Empty for a run that has not begun, and for a metric that it does not have."""
    path = RunFolder(home, run_id).telemetry
    if not path.exists():
        return NO_CURVE
    with TelemetryReader(path, run_id) as telemetry:
        if metric != MEAN_RETURN:
            return series_curve(_series(telemetry, metric, definitions))
        lost = telemetry.counters().get("rewards_not_finite", 0)
        found = {name: _series(telemetry, name, {}) for name in ("reward", MEAN_RETURN)}
        is_means = not telemetry.has_episodes() and len(found[MEAN_RETURN]) > 0
    curve = mean_return_curve(_as_curves(found, is_means=is_means))
    return SeedCurve(curve.step, curve.value, curve.full_from, max(curve.not_finite, lost))


def _as_curves(found: dict[str, Series], *, is_means: bool) -> RunCurves:
    """Without episodes the reported means are the curve."""
    used = {name: one for name, one in found.items() if len(one) and not (is_means and name == "reward")}
    return RunCurves(env_id="", algorithm="", runner="", series=used)


def _series(telemetry: TelemetryReader, name: str, definitions: Definitions) -> Series:
    derived = read_derived(telemetry, [name], definitions).get(name)
    if derived is not None:
        return Series.of(derived.step, derived.value, derived.time)
    found = telemetry.thinned([name])[name]
    return as_series(found) if len(found) else EMPTY


def pack(curve: SeedCurve, version: int) -> StoredCurve:
    points = np.concatenate([curve.step, curve.value]).astype("<f8").tobytes()
    return StoredCurve(
        version, curve.full_from if math.isfinite(curve.full_from) else None, curve.not_finite, points
    )


def unpack(stored: StoredCurve) -> SeedCurve:
    step, value = np.frombuffer(stored.points, "<f8").reshape(2, -1)
    full_from = math.inf if stored.full_from is None else stored.full_from
    return SeedCurve(step, value, full_from, stored.not_finite)
