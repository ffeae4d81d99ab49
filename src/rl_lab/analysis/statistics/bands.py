"""Intervals of many samples at once: one column per step of a curve, one row per seed.

Mean, interquartile mean and median of a resample are weighted sums of the sorted sample, and the weights depend only on
how often each place was drawn. So the draws are made once per number of seeds, and all columns are one multiplication.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.statistics.estimates import RESAMPLES, expanded_tail
from rl_lab.core.intervals import LEAST_VALUES
from rl_lab.core.studies.comparisons import CurveStatistic

MOST_CELLS = 1_000_000
"""Of the table of weights; more seeds get fewer resamples."""
LEAST_RESAMPLES = 500


class Bands(NamedTuple):
    """By column: the statistic, the ends of its interval (NaN below five values), and how many values there were."""

    value: Floats
    low: Floats
    high: Floats
    seeds: np.ndarray[tuple[int], np.dtype[np.int64]]


def bands(rows: Floats, statistic: CurveStatistic) -> Bands:
    """`rows` is seeds × columns; NaN where a seed has no value. Columns without any value are NaN."""
    count = np.sum(~np.isnan(rows), axis=0)
    value, low, high = (np.full(rows.shape[1], np.nan) for _ in range(3))
    ordered = np.sort(rows, axis=0)  # NaN last
    for size in np.unique(count[count > 0]):
        which = np.flatnonzero(count == size)
        sample = ordered[:size, which]
        cut = trimmed(int(size), statistic)
        value[which] = sample[cut : size - cut].mean(axis=0)
        if size >= LEAST_VALUES:
            low[which], high[which] = _ends(sample, statistic)
    return Bands(value, low, high, count)


def trimmed(count: int, statistic: CurveStatistic) -> int:
    """How many values the statistic leaves out on each side; the rest is averaged."""
    return {"mean": 0, "iqm": count // 4, "median": (count - 1) // 2}[statistic]


def _ends(ordered: Floats, statistic: CurveStatistic) -> tuple[Floats, Floats]:
    count = len(ordered)
    drawn = np.ascontiguousarray(ordered.T) @ resample_weights(count, trimmed(count, statistic)).T
    tail = expanded_tail(count)
    low, high = np.quantile(drawn, [tail, 1 - tail], axis=1)
    return low, high


@lru_cache(maxsize=16)
def resample_weights(count: int, cut: int) -> Floats:
    """Resamples × places of the sorted sample: the weight of each place in the trimmed mean of the resample."""
    rng = np.random.default_rng(0)
    draws = int(np.clip(MOST_CELLS // count, LEAST_RESAMPLES, RESAMPLES))
    places = rng.integers(0, count, (draws, count)) + count * np.arange(draws)[:, None]
    times = np.bincount(places.ravel(), minlength=draws * count).reshape(draws, count)
    # Of the drawn values in ascending order, those between the cuts count.
    until = np.clip(np.cumsum(times, axis=1), cut, count - cut)
    kept = np.diff(until, axis=1, prepend=cut)
    return np.asarray(kept / (count - 2 * cut), dtype=np.float64)
