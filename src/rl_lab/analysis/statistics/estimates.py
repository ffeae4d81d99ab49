"""Estimates with bootstrap confidence intervals, for evaluations, duels and comparisons of runs.

All intervals are deterministic: the same values always give the same numbers.
"""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from rl_lab.analysis.curves import Floats
from rl_lab.core.intervals import NOMINAL, stated_level

RESAMPLES = 2000
MOST_DRAWN = 1000
"""Longer samples are resampled with this many draws; the interval is then scaled by the square root of the ratio."""

Statistic = Callable[[Floats], Floats]
"""Reduces the last axis of an array."""


@dataclass(frozen=True)
class Estimate:
    """A number with its confidence interval; too few values give none (infinite ends)."""

    value: float
    low: float
    high: float
    count: int
    """Values it is made from; of a difference, those of the smaller sample."""

    @property
    def level(self) -> float | None:
        """How often such an interval contains the true value; None: too few values for an interval."""
        return stated_level(self.count)


@dataclass(frozen=True)
class PairedEstimate:
    """The difference between `a` and `b` on the same seeds; positive if `a` is higher."""

    difference: Estimate
    wins: int
    losses: int
    ties: int
    chance_better: float
    """Share of bootstrap resamples in which the mean difference is above zero; ties count half."""


def mean(values: ArrayLike) -> Estimate:
    """Arithmetic mean with its interval."""
    return bootstrap(values, lambda rows: rows.mean(axis=-1))


def median(values: ArrayLike) -> Estimate:
    """Median with its interval."""
    return bootstrap(values, lambda rows: np.median(rows, axis=-1))


def iqm(values: ArrayLike) -> Estimate:
    """Interquartile mean with its interval: more robust than the mean, more precise than the median."""
    return bootstrap(values, interquartile_mean)


def interquartile_mean(rows: Floats) -> Floats:
    """Mean of the middle half of the last axis; for fewer than four values the plain mean."""
    count = rows.shape[-1]
    cut = count // 4
    if not cut:
        return np.asarray(rows.mean(axis=-1), dtype=np.float64)
    middle = np.sort(rows, axis=-1)[..., cut : count - cut]
    return np.asarray(middle.mean(axis=-1), dtype=np.float64)


def paired_difference(a: ArrayLike, b: ArrayLike) -> PairedEstimate:
    """Mean difference of two samples from the same seeds; wins are those of `a`."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(
            f"A paired comparison needs two equally long lists, got {first.size} and {second.size} values. "
            "Evaluate both on the same seeds."
        )
    both = np.isfinite(first) & np.isfinite(second)
    gap = (first - second)[both]
    draws = _resample(gap, lambda rows: rows.mean(axis=-1)) if len(gap) else gap
    chance = float(np.mean(draws > 0) + np.mean(draws == 0) / 2) if len(draws) else 0.5
    wins, losses = int(np.sum(gap > 0)), int(np.sum(gap < 0))
    return PairedEstimate(mean(gap), wins, losses, len(gap) - wins - losses, chance)


def difference(a: ArrayLike, b: ArrayLike) -> tuple[Estimate, float]:
    """Mean of `a` minus mean of `b`, two independent samples; and the chance that a value of `a` is above one of `b`.

    Without an interval (infinite ends) when a sample has too few values.
    """
    first, second = (np.asarray(values, dtype=np.float64).ravel() for values in (a, b))
    first, second = first[np.isfinite(first)], second[np.isfinite(second)]
    count = min(len(first), len(second))
    if count == 0:
        return Estimate(np.nan, np.nan, np.nan, 0), 0.5
    gaps = first[:, None] - second[None, :]
    chance = float(np.mean(gaps > 0) + np.mean(gaps == 0) / 2)
    value = float(first.mean() - second.mean())
    if stated_level(count) is None:
        return Estimate(value, -np.inf, np.inf, count), chance
    tail = expanded_tail(count)
    draws = _resample(first, _row_means) - _resample(second, _row_means, seed=1)
    low, high = np.quantile(draws, [tail, 1 - tail])
    return Estimate(value, float(low), float(high), count), chance


def _row_means(rows: Floats) -> Floats:
    return np.asarray(rows.mean(axis=-1), dtype=np.float64)


def bootstrap(values: ArrayLike, statistic: Statistic) -> Estimate:
    """Expanded percentile bootstrap; non-finite values are left out, and without any value the result is NaN.

    A resample never leaves the range of the data, so intervals from few values are too narrow: `core/intervals.py` has
    what a simulation says about them, and how many values an interval needs.
    """
    sample = np.asarray(values, dtype=np.float64).ravel()
    sample = sample[np.isfinite(sample)]
    count = len(sample)
    if count == 0:
        return Estimate(np.nan, np.nan, np.nan, 0)
    value = float(statistic(sample))
    if stated_level(count) is None:
        return Estimate(value, -np.inf, np.inf, count)
    tail = expanded_tail(count)
    low, high = np.quantile(_resample(sample, statistic), [tail, 1 - tail])
    shrink = np.sqrt(min(1.0, MOST_DRAWN / count))
    return Estimate(value, value + float(low - value) * shrink, value + float(high - value) * shrink, count)


def _resample(sample: Floats, statistic: Statistic, *, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    drawn = min(len(sample), MOST_DRAWN)
    rows = max(1, 400_000 // drawn)
    parts = [
        statistic(sample[rng.integers(0, len(sample), (min(rows, RESAMPLES - done), drawn))])
        for done in range(0, RESAMPLES, rows)
    ]
    return np.concatenate(parts)


def expanded_tail(count: int) -> float:
    """Percentile intervals of few values are too narrow; the t quantile widens them to nominal coverage."""
    quantile = student_quantile(0.5 + NOMINAL / 2, count - 1)
    return NormalDist().cdf(-quantile * float(np.sqrt(count / (count - 1))))


def student_quantile(probability: float, freedom: int) -> float:
    """Quantile of Student's t: exact for 1 and 2 degrees of freedom, Hill's expansion above."""
    if freedom == 1:
        return float(np.tan(np.pi * (probability - 0.5)))
    if freedom == 2:
        skew = 2 * probability - 1
        return float(skew * np.sqrt(2 / (1 - skew**2)))
    z = NormalDist().inv_cdf(probability)
    return float(
        z
        + (z**3 + z) / (4 * freedom)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * freedom**3)
    )
