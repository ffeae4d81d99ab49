"""Finds the point at which an alert fires. Depends on the points only, so a lab that restarts finds the same one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.expressions import MetricPoints
from rl_lab.core.workbench.alerts import AlertRule

Flags = NDArray[np.bool_]


def find_firing(points: MetricPoints, rule: AlertRule, since: float) -> int | None:
    """The place of the first point at or after `since` (Unix seconds) that meets the rule; None if none does.

    Points before count for how many met it in a row, and for the highest value of a metric that stalls.
    """
    is_new = points.time >= since
    with np.errstate(invalid="ignore"):
        held = _in_a_row(_held(points, rule, is_new), rule.points) & is_new
    places = np.flatnonzero(held)
    return int(places[0]) if len(places) else None


def _held(points: MetricPoints, rule: AlertRule, is_new: Flags) -> Flags:
    value, limit = points.value, rule.value or 0.0
    match rule.comparison:
        case "above":
            return value > limit
        case "at_least":
            return value >= limit
        case "below":
            return value < limit
        case "at_most":
            return value <= limit
        case "not_a_number":
            return ~np.isfinite(value)
        case "rises_by":
            lowest = np.fmin.accumulate(np.where(is_new, value, np.nan))
            return np.asarray(value - lowest >= limit)
        case "stalls_for":
            return _stalled(points, limit)
        case "ended":
            return np.zeros(len(points), np.bool_)


def _stalled(points: MetricPoints, steps: float) -> Flags:
    """At each point, whether the highest value so far is that old."""
    if not len(points):
        return np.zeros(0, np.bool_)
    highest = np.fmax.accumulate(points.value)
    before = np.concatenate([[-np.inf], np.where(np.isnan(highest[:-1]), -np.inf, highest[:-1])])
    is_new_maximum = points.value > before
    place = np.maximum.accumulate(np.where(is_new_maximum, np.arange(len(points)), -1))
    age = points.step - points.step[np.maximum(place, 0)]
    return np.asarray((place >= 0) & (age >= steps))


def _in_a_row(held: Flags, many: int) -> Flags:
    """At each point, whether it and the points before it, `many` in all, meet the rule."""
    if many == 1:
        return held
    place = np.arange(len(held))
    last_miss = np.maximum.accumulate(np.where(held, -1, place))
    return np.asarray(place - last_miss >= many)
