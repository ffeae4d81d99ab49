"""The series of derived metrics, computed from what a run has stored. Blocks; read on a thread.

They are computed from every stored point, so a chart of few points shows the same values as one of many. Of a series
with more than a million points only the newest million are read: functions that look back begin there.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from rl_lab.analysis.expressions import MetricPoints, evaluate, evaluate_derived
from rl_lab.core.workbench.derived_metrics import BUILT_IN, Definitions, stored_metrics
from rl_lab.core.workbench.expression_terms import Term, names_in
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.store.telemetry.series import StoredSeries

MOST_POINTS = 1_000_000
"""Points of a stored series that are read for a derived one."""


def read_derived(
    telemetry: TelemetryReader, wanted: Collection[str] | None, definitions: Definitions
) -> dict[str, StoredSeries]:
    """Those among `wanted` (None: all) that the run has the metrics for; its own metrics hide derived ones."""
    if not definitions:
        return {}
    known = _not_stored(telemetry, definitions)
    chosen = definitions if wanted is None else wanted
    names = [name for name in chosen if name in known and name in definitions]
    sources = read_sources(telemetry, stored_metrics(names, known))
    found = evaluate_derived(names, known, sources)
    return {name: _as_stored(name, points) for name, points in found.items()}


def evaluate_named(
    name: str, telemetry: TelemetryReader, term: Term, definitions: Definitions
) -> StoredSeries:
    """An expression that is not saved, as a series of this name; empty where the run lacks one of its metrics."""
    found = evaluate_for(telemetry, term, definitions)
    empty = np.empty(0, np.int64)
    return _as_stored(name, found or MetricPoints(empty, empty, np.empty(0), np.empty(0)))


def evaluate_for(telemetry: TelemetryReader, term: Term, definitions: Definitions) -> MetricPoints | None:
    """An expression that has no name; None where the run lacks one of its metrics."""
    known = _not_stored(telemetry, definitions)
    names = names_in(term)
    sources = read_sources(telemetry, stored_metrics(names, known))
    return evaluate(term, {**sources, **evaluate_derived(names, known, sources)})


def _not_stored(telemetry: TelemetryReader, definitions: Definitions) -> dict[str, Term]:
    """With those that every run has; what the run stores hides derived metrics of the same name."""
    stored = telemetry.series_names()
    return {name: term for name, term in {**BUILT_IN, **definitions}.items() if name not in stored}


def read_sources(telemetry: TelemetryReader, names: Collection[str]) -> Mapping[str, MetricPoints]:
    found = telemetry.tails(names, MOST_POINTS)
    return {name: _as_points(one).ascending() for name, one in found.items() if len(one)}


def last_value(series: StoredSeries) -> float | None:
    """The newest value; None for a gap."""
    value = float(series.value[-1]) if len(series) else np.nan
    return None if np.isnan(value) else value


def _as_points(series: StoredSeries) -> MetricPoints:
    return MetricPoints(series.index, series.step, series.time, series.value)


def _as_stored(name: str, points: MetricPoints) -> StoredSeries:
    return StoredSeries(name, points.index, points.step, points.time, points.value, len(points))
