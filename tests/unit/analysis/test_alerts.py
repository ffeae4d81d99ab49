"""At which point an alert fires."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_lab.analysis.alerts import find_firing
from rl_lab.analysis.expressions import MetricPoints
from rl_lab.core.workbench.alerts import AlertRule

NAN = float("nan")


def points(values: list[float], every: int = 10) -> MetricPoints:
    """A point each second."""
    place = np.arange(len(values))
    return MetricPoints(place, place * every, place.astype(np.float64), np.asarray(values, np.float64))


def fires(values: list[float], since: float = 0, **rule: Any) -> int | None:
    return find_firing(points(values), AlertRule(expression="x", **rule), since)


@pytest.mark.parametrize(
    ("comparison", "value", "expected"),
    [("above", 3, 3), ("at_least", 3, 2), ("below", 2, 0), ("at_most", 2, 0), ("above", 9, None)],
)
def test_values_are_compared(comparison: str, value: float, expected: int | None) -> None:
    assert fires([1, 2, 3, 4, 1], comparison=comparison, value=value) == expected


def test_points_in_a_row_are_counted_and_a_gap_ends_the_row() -> None:
    assert fires([5, 5, 1, 5, NAN, 5, 5, 5], comparison="above", value=3, points=3) == 7


def test_only_new_points_fire_but_earlier_ones_count_for_the_row() -> None:
    assert fires([5, 5, 5], since=1.5, comparison="above", value=3) == 2
    assert fires([5, 5, 5], since=1.5, comparison="above", value=3, points=3) == 2
    assert fires([5, 5, 5], since=9, comparison="above", value=3) is None


def test_a_rise_begins_at_the_lowest_new_value() -> None:
    assert fires([3, NAN, 1, 2, 5], comparison="rises_by", value=4) == 4
    assert fires([0, 5, 6, 7, 10], since=1, comparison="rises_by", value=5) == 4


def test_a_metric_stalls_when_its_highest_value_is_old() -> None:
    assert fires([1, 3, 2, 2, 2, 4], comparison="stalls_for", value=30) == 4
    assert fires([1, 2, 3, 4, 5, 6], comparison="stalls_for", value=30) is None
    assert fires([NAN, 1, NAN, NAN, NAN], comparison="stalls_for", value=30) == 4


def test_values_that_are_no_numbers() -> None:
    assert fires([1, 2, NAN], comparison="not_a_number") == 2
    assert fires([1, float("inf")], comparison="not_a_number") == 1
    assert fires([1, 2], comparison="not_a_number") is None


def test_nothing_fires_without_points() -> None:
    for comparison, value in (("above", 1), ("stalls_for", 1), ("rises_by", 1), ("not_a_number", None)):
        assert fires([], comparison=comparison, value=value) is None


@given(st.lists(st.floats(-5, 5) | st.just(NAN), max_size=40), st.integers(1, 5))
def test_a_firing_point_stays_the_same_when_points_are_added(values: list[float], many: int) -> None:
    """So a lab that is killed fires at the same point later."""
    rule = AlertRule(expression="x", comparison="above", value=1, points=many)
    whole = find_firing(points(values), rule, 3)
    for count in range(len(values)):
        part = find_firing(points(values[:count]), rule, 3)
        assert part is None or part == whole
