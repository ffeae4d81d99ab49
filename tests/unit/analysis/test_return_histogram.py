"""Bars of a histogram: round edges, every return in exactly one bar."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rl_lab.analysis.return_histogram import histogram_of


def test_the_edges_are_round_and_the_bars_have_one_width() -> None:
    found = histogram_of([float(value) for value in range(9, 501)], 10)
    assert [bar.start for bar in found.bars] == [50.0 * place for place in range(10)]
    assert found.bars[-1].end == 500 and found.bars[-1].high == 500
    assert sum(bar.episodes for bar in found.bars) == found.episodes == 492


def test_unknown_returns_are_counted_and_in_no_bar() -> None:
    found = histogram_of([1.0, None, math.nan, math.inf], 5)
    assert (found.episodes, found.without_return) == (4, 3)
    assert [bar.episodes for bar in found.bars] == [1]


@pytest.mark.parametrize("returns", [[], [None], [-200.0] * 7, [0.0]])
def test_few_or_equal_returns_are_no_special_case(returns: list[float | None]) -> None:
    found = histogram_of(returns, 24)
    assert sum(bar.episodes for bar in found.bars) == sum(value is not None for value in returns)


@given(st.lists(st.floats(-1e12, 1e12, allow_subnormal=False), min_size=1, max_size=50), st.integers(1, 40))
def test_a_list_filtered_by_a_bar_has_exactly_its_episodes(returns: list[float], bars: int) -> None:
    found = histogram_of(returns, bars)
    assert len(found.bars) <= max(bars, 2)
    values = np.array(returns)
    filled = [bar for bar in found.bars if bar.low is not None and bar.high is not None]
    for bar in filled:
        assert bar.episodes == int(((values >= bar.low) & (values <= bar.high)).sum())
    assert sum(bar.episodes for bar in filled) == len(returns)
