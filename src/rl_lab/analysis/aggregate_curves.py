"""Learning curves over seeds: at each step of a common grid a statistic of the seeds, with its interval.

The rule for seeds of different length is that of `comparison.py`: one that ended keeps its last value, so that a curve
is over the same seeds up to its end; one that still trains counts as far as it is. Each step has its number of seeds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rl_lab.analysis.comparison import Seeds
from rl_lab.analysis.curves import Floats
from rl_lab.analysis.seed_notes import SeedRun, count_seeds, describe_seeds
from rl_lab.analysis.statistics.bands import Bands, bands
from rl_lab.core.intervals import LEAST_VALUES, stated_level
from rl_lab.core.protocol.metrics import METRICS
from rl_lab.core.studies.comparisons import AggregateCurve, AggregateCurves, CurveQuestion

BEGINNING = 0.2
"""Steps before all seeds of a group have begun are left out, up to this share of the grid."""
MOST_POINTS = 20_000
"""Of all curves together; many groups get a coarser grid."""


def aggregate_curves(groups: Sequence[Seeds], question: CurveQuestion) -> AggregateCurves:
    """The curves of the runs are those of the metric that is asked for."""
    known = [group for group in groups if any(len(run.curve) for run in group.runs)]
    points = min(question.points, max(20, MOST_POINTS // max(1, len(known))))
    grid = _grid(known, points)
    found = [_curve(group, grid, question) for group in known]
    info = METRICS.get(question.metric)
    thresholds = {group.threshold for group in groups}
    is_return = question.metric in ("reward", "mean_reward")
    return AggregateCurves(
        metric=question.metric,
        title=info.title if info else question.metric,
        unit=info.unit if info else "",
        statistic=question.statistic,
        level=_level(found),
        threshold=thresholds.pop() if is_return and len(thresholds) == 1 else None,
        groups=found,
        notes=_notes(len(known), len(groups), question.metric),
    )


def _grid(groups: Sequence[Seeds], points: int) -> Floats:
    curves = [run.curve for group in groups for run in group.runs if len(run.curve)]
    if not curves:
        return np.empty(0)
    first, last = min(one.step[0] for one in curves), max(one.last_step for one in curves)
    return np.unique(np.linspace(first, last, points))


def _curve(group: Seeds, grid: Floats, question: CurveQuestion) -> AggregateCurve:
    runs = [run for run in group.runs if len(run.curve)]
    rows = np.vstack([run.curve.at(grid, is_ended=run.is_ended) for run in runs])
    found = bands(rows, question.statistic)
    shown = _shown(runs, grid, found)
    rows = rows[:, shown]
    counts = count_seeds(group.runs)
    return AggregateCurve(
        label=group.label,
        variant=group.variant,
        run_ids=[run.run_id for run in group.runs],
        step=grid[shown].tolist(),
        value=found.value[shown].tolist(),
        low=_or_none(found.low[shown]),
        high=_or_none(found.high[shown]),
        least=np.nanmin(rows, axis=0).tolist(),
        most=np.nanmax(rows, axis=0).tolist(),
        seeds=found.seeds[shown].tolist(),
        notes=describe_seeds(group.runs, counts, group.planned, is_curve=True),
    )


def _shown(runs: Sequence[SeedRun], grid: Floats, found: Bands) -> np.ndarray:
    """Places with a value, from where all seeds have begun."""
    begun = max(run.curve.step[0] for run in runs)
    late = grid[0] + BEGINNING * (grid[-1] - grid[0])
    return np.flatnonzero((found.seeds > 0) & ((grid >= begun) | (begun > late)))


def _or_none(values: Floats) -> list[float | None]:
    found = values.astype(object)
    found[np.isnan(values)] = None
    return list(found.tolist())


def _level(found: Sequence[AggregateCurve]) -> float | None:
    sizes = {size for curve in found for size in curve.seeds if size >= LEAST_VALUES}
    return min((level for size in sizes if (level := stated_level(size)) is not None), default=None)


def _notes(known: int, groups: int, metric: str) -> list[str]:
    if not groups:
        return ["None of the runs is a training, so there is no learning curve."]
    if known == groups:
        return []
    return [f"{groups - known} of {groups} groups have no points of {metric} yet."]
