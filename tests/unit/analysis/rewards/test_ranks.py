from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from rl_lab.analysis.rewards.ranks import ascending_ranks, descending_ranks, kendall, percentiles, spearman


def test_equal_values_share_the_mean_of_their_ranks() -> None:
    values = np.array([10.0, 20.0, 20.0, 30.0])
    assert ascending_ranks(values).tolist() == [1.0, 2.5, 2.5, 4.0]
    assert descending_ranks(values).tolist() == [4.0, 2.5, 2.5, 1.0]
    assert percentiles(values).tolist() == [12.5, 50.0, 50.0, 87.5]


def test_sums_that_only_differ_by_rounding_are_equal() -> None:
    assert ascending_ranks(np.array([0.1 + 0.2, 0.3, 9.0])).tolist() == [1.5, 1.5, 3.0]


def test_equal_sums_stay_equal_where_most_values_are_equal() -> None:
    mostly = np.array([0.1 + 0.2, 0.3] * 5 + [9.0])
    assert ascending_ranks(mostly).tolist() == [5.5] * 10 + [11.0]
    assert spearman(mostly[:10], np.arange(10.0)) is None


@pytest.mark.parametrize("outlier", [-1e13, 1e13])
def test_an_outlier_leaves_the_ranks_of_the_others(outlier: float) -> None:
    values = np.array(sorted([outlier, *range(1, 10)]))
    assert spearman(np.arange(10.0), values) == kendall(np.arange(10.0), values) == 1.0


def test_the_largest_floats_have_ranks() -> None:
    assert ascending_ranks(np.array([1.7e308, -1.7e308, 0.0, 1.0])).tolist() == [4.0, 1.0, 2.5, 2.5]


def test_spearman_is_that_of_scipy_with_ties() -> None:
    # scipy.stats.spearmanr([1, 2, 3, 4, 5], [5, 6, 7, 8, 7]), as in its documentation
    found = spearman(np.arange(1.0, 6.0), np.array([5.0, 6.0, 7.0, 8.0, 7.0]))
    assert found == pytest.approx(0.8207826816681233)


def test_kendall_is_that_of_scipy_with_ties() -> None:
    # scipy.stats.kendalltau([12, 2, 1, 12, 2], [1, 4, 7, 1, 0]), as in its documentation
    found = kendall(np.array([12.0, 2, 1, 12, 2]), np.array([1.0, 4, 7, 1, 0]))
    assert found == pytest.approx(-0.4714045207910316)


def test_kendall_counts_every_pair() -> None:
    draw = np.random.default_rng(0)
    a, b = draw.integers(0, 6, 40).astype(float), draw.integers(0, 6, 40).astype(float)
    orders = [(np.sign(a[i] - a[j]), np.sign(b[i] - b[j])) for i, j in combinations(range(40), 2)]
    agreeing = sum(x * y for x, y in orders)
    decided = [sum(bool(order[side]) for order in orders) for side in (0, 1)]
    assert kendall(a, b) == pytest.approx(agreeing / (decided[0] * decided[1]) ** 0.5)


def test_the_opposite_order_is_minus_one() -> None:
    values = np.array([3.0, 1.0, 1.0, 7.0])
    assert spearman(values, -values) == kendall(values, -values) == -1.0
    assert spearman(values, 2 * values) == kendall(values, 2 * values) == 1.0


@pytest.mark.parametrize("correlation", [spearman, kendall])
def test_no_correlation_of_few_or_equal_values(correlation: object) -> None:
    assert callable(correlation)
    assert correlation(np.array([1.0, 2.0]), np.array([1.0, 2.0])) is None
    assert correlation(np.ones(5), np.arange(5.0)) is None
