"""Theil–Sen slope with Sen's confidence interval: the median of all pairwise slopes, which is robust to outliers."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from rl_lab.analysis.curves import Floats

MOST_POINTS = 60
"""Callers pass block means; with more points the pairs cost more time than they add precision."""


@dataclass(frozen=True)
class Trend:
    """A slope per step with its confidence interval, and the probability that the slope is positive."""

    slope: float
    low: float
    high: float
    chance_up: float
    points: int
    span: float = 1.0
    """The number of steps that the slope refers to."""

    @property
    def is_up(self) -> bool:
        """Significantly above zero; the lower bound may be 0 if values tie, for example at the maximum score."""
        return self.low >= 0 and self.chance_up >= 0.99

    def times(self, span: float) -> "Trend":
        """The change over `span` steps instead of one."""
        return Trend(self.slope * span, self.low * span, self.high * span, self.chance_up, self.points, span)


def theil_sen(x: Floats, y: Floats, *, level: float = 0.95) -> Trend:
    """Fits a line to at most `MOST_POINTS` points; the interval is based on the variance of Kendall's statistic."""
    count = len(x)
    if count < 3:
        return Trend(0.0, -np.inf, np.inf, 0.5, count)
    if count > MOST_POINTS:
        raise ValueError(
            f"Theil–Sen got {count} points, at most {MOST_POINTS} are allowed; average into blocks first."
        )
    first, second = np.triu_indices(count, 1)
    run = x[second] - x[first]
    slopes = np.sort((y[second] - y[first])[run > 0] / run[run > 0])
    if not len(slopes):
        return Trend(0.0, -np.inf, np.inf, 0.5, count)
    spread = _kendall_deviation(y)
    reach = NormalDist().inv_cdf(0.5 + level / 2) * spread
    low = slopes[max(0, int((len(slopes) - reach) / 2))]
    high = slopes[min(len(slopes) - 1, int((len(slopes) + reach) / 2) + 1)]
    concordance = float(np.sum(np.sign(slopes)))
    chance = NormalDist().cdf(concordance / spread) if spread else 0.5
    return Trend(float(np.median(slopes)), float(low), float(high), chance, count)


def _kendall_deviation(y: Floats) -> float:
    """Standard deviation of Kendall's S without a trend, corrected for ties."""
    count = len(y)
    _, ties = np.unique(y, return_counts=True)
    total = count * (count - 1) * (2 * count + 5) - float(np.sum(ties * (ties - 1) * (2 * ties + 5)))
    return float(np.sqrt(max(total, 0.0) / 18))
