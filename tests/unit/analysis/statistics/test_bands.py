"""Bands over seeds, performance profiles and times to a threshold."""

from __future__ import annotations

import numpy as np
import pytest

from rl_lab.analysis import statistics
from rl_lab.analysis.statistics.bands import bands
from rl_lab.analysis.statistics.profiles import performance_profile, profile_scores
from rl_lab.analysis.statistics.threshold_times import threshold_times
from rl_lab.core.studies.comparisons import CurveStatistic


@pytest.mark.parametrize("statistic", ["mean", "iqm", "median"])
def test_a_column_has_the_interval_of_its_values(statistic: CurveStatistic) -> None:
    rows = np.random.default_rng(1).gamma(2, 10, (9, 3))
    found = bands(rows, statistic)
    for place in range(3):
        one = getattr(statistics, statistic)(rows[:, place])
        width = one.high - one.low
        assert found.value[place] == pytest.approx(one.value)
        assert found.low[place] == pytest.approx(one.low, abs=0.2 * width)
        assert found.high[place] == pytest.approx(one.high, abs=0.2 * width)


def test_columns_with_few_or_no_seeds_have_no_interval() -> None:
    rows = np.arange(15.0).reshape(5, 3)
    rows[0, 1] = np.nan
    rows[:, 2] = np.nan
    found = bands(rows, "mean")
    assert found.seeds.tolist() == [5, 4, 0]
    assert np.isfinite(found.low).tolist() == [True, False, False]
    assert np.isfinite(found.value).tolist() == [True, True, False]


def test_the_band_of_the_mean_holds_the_mean_of_many_seeds() -> None:
    rng = np.random.default_rng(3)
    covered = [bands(rng.normal(0, 1, (8, 50)), "mean") for _ in range(10)]
    share = np.mean([(one.low <= 0) & (one.high >= 0) for one in covered])
    assert 0.88 <= share <= 0.99


def test_a_profile_is_the_share_strictly_above_each_score() -> None:
    values = [1.0, 2.0, 2.0, 3.0, 4.0]
    assert profile_scores([values, [9.0]])[[0, -1]].tolist() == [1.0, 9.0]
    share, ends = performance_profile(values, np.array([0.0, 2.0, 4.0]))
    assert share.tolist() == pytest.approx([1.0, 0.4, 0.0])
    assert ends is not None and ends[0][0] < 1.0 and ends[1][2] > 0.0
    assert performance_profile([1.0], np.array([0.0]))[1] is None
    assert len(profile_scores([])) == 0


def test_seeds_that_never_reach_the_threshold_count_as_later() -> None:
    found = threshold_times([100, 200, 300, np.inf, np.inf], 475.0)
    assert (found.reached, found.seeds, found.median) == (3, 5, 300.0)
    assert found.interval == (100.0, None) and found.level == pytest.approx(0.9375)
    assert (
        found.sentence == "3 of 5 seeds reached 475, in the median at step 300 (94 % interval 100 or later)."
    )
    rare = threshold_times([100, np.inf, np.inf], 475.0)
    assert (rare.median, rare.interval, rare.sentence) == (
        None,
        None,
        "1 of 3 seeds reached 475, too few for a median step.",
    )
    assert threshold_times([np.inf], 475.0).sentence == "0 of 1 seed reached 475."


def test_the_interval_of_a_median_step_narrows_with_the_seeds() -> None:
    found = threshold_times(np.arange(1.0, 21.0), 1.0)
    assert (
        found.median == 10.5
        and found.interval == (6.0, 15.0)
        and found.level == pytest.approx(0.9586, abs=1e-4)
    )
    assert threshold_times(np.arange(1000.0), 1.0).level == pytest.approx(0.95, abs=0.01)
