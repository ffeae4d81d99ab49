"""Estimates, their intervals, and paired comparisons."""

from collections.abc import Callable

import numpy as np
import pytest

from rl_lab.analysis import statistics
from rl_lab.analysis.curves import Floats, Series
from rl_lab.analysis.smoothing import envelope, means_by_count, means_by_step, moving_mean
from rl_lab.analysis.trend import fit_line
from rl_lab.core.intervals import SIMULATED, stated_level


def test_same_values_give_the_same_interval() -> None:
    values = np.random.default_rng(3).normal(size=40)
    assert statistics.mean(values) == statistics.mean(values.copy())


Draw = Callable[[np.random.Generator, int], np.ndarray]


def normal(rng: np.random.Generator, count: int) -> np.ndarray:
    return rng.normal(7, 2, count)


def skewed(rng: np.random.Generator, count: int) -> np.ndarray:
    """Skewness -1: most values are near the top, as returns of a trained agent are."""
    return 11 - rng.gamma(4, 1, count)


def lower_coverage(count: int, draws: int = 800) -> float:
    """How often the interval of the mean contains the true mean, 7: the lower of normal and skewed values."""
    rng = np.random.default_rng(5)

    def share(draw: Draw) -> float:
        estimates = [statistics.mean(draw(rng, count)) for _ in range(draws)]
        return float(np.mean([e.low <= 7 <= e.high for e in estimates]))

    return min(share(normal), share(skewed))


@pytest.mark.parametrize("count", [5, 10, 20])
def test_the_stated_level_is_the_simulated_coverage(count: int) -> None:
    assert lower_coverage(count) == pytest.approx(statistics.mean(np.arange(count)).level, abs=0.03)


@pytest.mark.parametrize("count", [6, 7, 8, 9])
def test_the_table_of_simulated_coverages_is_right(count: int) -> None:
    assert lower_coverage(count, 400) == pytest.approx(SIMULATED[count], abs=0.03)
    assert stated_level(count) == min(SIMULATED.values())


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_fewer_than_five_values_have_no_interval(count: int) -> None:
    estimate = statistics.mean(np.arange(float(count)))
    assert (estimate.level, estimate.low, estimate.high) == (None, -np.inf, np.inf)
    gap, _ = statistics.difference(np.arange(10.0), np.arange(float(count)))
    assert (gap.level, gap.low) == (None, -np.inf)
    paired = statistics.paired_difference(np.arange(float(count)), np.zeros(count))
    assert paired.difference.level is None


def test_interval_of_a_large_sample_has_the_theoretical_width() -> None:
    values = np.random.default_rng(1).normal(0, 1, 100_000)
    estimate = statistics.mean(values)
    assert (estimate.high - estimate.low) / 2 == pytest.approx(1.96 / np.sqrt(100_000), rel=0.1)


def test_interquartile_mean_ignores_a_quarter_on_each_side() -> None:
    assert statistics.iqm([-1000, 1, 2, 3, 4, 5, 6, 1000]).value == pytest.approx(3.5)


def test_median_is_inside_its_interval() -> None:
    estimate = statistics.median([1, 2, 3, 4, 100])
    assert estimate.low <= estimate.value == 3 <= estimate.high


def test_non_finite_values_are_left_out_and_an_empty_sample_gives_nan() -> None:
    assert statistics.mean([1.0, np.nan, 3.0, np.inf]).count == 2
    assert np.isnan(statistics.mean([np.nan]).value)


def test_paired_difference_counts_wins_and_removes_shared_noise() -> None:
    seeds = np.random.default_rng(2).normal(0, 100, 20)
    result = statistics.paired_difference(seeds + 1.0, seeds)
    assert (result.wins, result.losses, result.ties) == (20, 0, 0)
    assert result.difference.value == pytest.approx(1.0)
    assert result.difference.low > 0
    assert result.chance_better == 1.0


def test_equal_samples_tie() -> None:
    result = statistics.paired_difference([1, 2, 3], [1, 2, 3])
    assert (result.wins, result.losses, result.ties, result.chance_better) == (0, 0, 3, 0.5)


def test_unequal_lengths_are_refused_with_a_next_step() -> None:
    with pytest.raises(ValueError, match="same seeds"):
        statistics.paired_difference([1, 2], [1])


@pytest.mark.parametrize(
    ("freedom", "expected"), [(1, 12.706), (2, 4.303), (4, 2.776), (9, 2.262), (30, 2.042)]
)
def test_student_quantile_matches_the_tables(freedom: int, expected: float) -> None:
    assert statistics.student_quantile(0.975, freedom) == pytest.approx(expected, rel=0.01)


def test_the_interval_of_a_slope_holds_the_slope() -> None:
    rng, x = np.random.default_rng(0), np.arange(24.0)
    lines = [fit_line(x, 3 * x + rng.normal(0, 20, 24), 20.0) for _ in range(300)]
    assert np.mean([line.low < 3 < line.high for line in lines]) >= 0.93
    assert np.mean([line.is_up for line in lines]) > 0.8


@pytest.mark.parametrize("correlation", [0.0, 0.25, 0.5])
def test_correlated_noise_is_rarely_called_a_trend(correlation: float) -> None:
    rng, x = np.random.default_rng(1), np.arange(24.0)
    found = [fit_line(x, _correlated(rng, 24, correlation)) for _ in range(1000)]
    assert np.mean([one.is_up or one.is_down for one in found]) <= 0.05


def _correlated(rng: np.random.Generator, count: int, correlation: float) -> Floats:
    values = rng.normal(0, 1, count)
    for at in range(1, count):
        values[at] += correlation * values[at - 1]
    return values


def test_a_constant_has_no_slope_but_rounding() -> None:
    line = fit_line(np.arange(30.0), np.full(30, 0.1) + 1e-17)
    assert (line.slope, line.low, line.high) == (0.0, 0.0, 0.0)


def test_noise_is_rarely_called_a_trend() -> None:
    rng = np.random.default_rng(4)
    x = np.arange(24.0)
    ups = [fit_line(x, rng.standard_t(3, 24)).is_up for _ in range(500)]
    assert np.mean(ups) < 0.025


def test_blocks_keep_the_mean_and_the_extremes() -> None:
    series = Series.of(np.arange(1000), np.sin(np.arange(1000)))
    _, means = means_by_count(series, 50)
    _, low, _, high = envelope(series, 50)
    assert means.mean() == pytest.approx(series.value.mean())
    assert (low.min(), high.max()) == (series.value.min(), series.value.max())


def test_blocks_by_step_are_merged_if_episodes_are_few() -> None:
    steps = np.concatenate([np.arange(100), 100 + 100 * np.arange(1, 11)])
    at, means = means_by_step(Series.of(steps, np.ones(110)), 40, least=5)
    assert len(at) == len(means) <= 10
    assert (np.diff(at) > 0).all()


def test_moving_mean_averages_the_available_values() -> None:
    assert moving_mean(np.array([1.0, 3.0, 5.0, 7.0]), 2).tolist() == [1.0, 2.0, 4.0, 6.0]


def test_series_of_unequal_arrays_is_refused() -> None:
    with pytest.raises(ValueError, match="equal length"):
        Series.of([1, 2], [1])
