"""The slope of a line through block means, with an interval that allows for correlated errors."""

from dataclasses import dataclass
from statistics import NormalDist

import numpy as np

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.statistics import student_quantile

PRIOR_FREEDOM = 6
"""The known error of a block counts as much as this many residuals: few blocks scatter too little by chance."""
MOST_CORRELATED = 0.8
LEAST_BENT = 10
"""Blocks from which on a bend is told from noise."""
CERTAIN = 0.996
"""A run is asked several questions; each may be wrong by chance this rarely."""
ALARMING = 0.997
"""A false alarm costs more than a missed success, and runs that get worse are rare."""


@dataclass(frozen=True)
class Trend:
    """A slope per step with its 95 % interval, and the probability that the slope is positive."""

    slope: float
    low: float
    high: float
    chance_up: float
    points: int
    span: float = 1.0
    """The number of steps that the slope refers to."""

    @property
    def is_up(self) -> bool:
        """Above zero by more than chance explains."""
        return self.slope > 0 and self.chance_up >= CERTAIN

    @property
    def is_down(self) -> bool:
        """Below zero by more than chance explains."""
        return self.slope < 0 and self.chance_up <= 1 - ALARMING

    def times(self, span: float) -> "Trend":
        """The change over `span` steps instead of one."""
        return Trend(self.slope * span, self.low * span, self.high * span, self.chance_up, self.points, span)


UNKNOWN = Trend(0.0, -np.inf, np.inf, 0.5, 0)


def fit_line(x: Floats, y: Floats, error: float = 0.0, *, level: float = 0.95) -> Trend:
    """Least squares; `error` is the known standard error of one value of `y`, the scatter may only raise it."""
    count = len(x)
    centred = x - x.mean() if count else x
    width = float(np.sum(centred**2))
    if count < 3 or not width > 0:
        return Trend(0.0, -np.inf, np.inf, 0.5, count)
    if float(np.ptp(y)) <= 1e-12 * float(np.abs(y).max()):
        # What is left of a constant after rounding is not a trend.
        return Trend(0.0, 0.0, 0.0, 0.5, count)
    slope = float(np.sum(centred * y)) / width
    residual, used = _around_a_curve(centred, y - y.mean() - slope * centred)
    freedom = count - used + (PRIOR_FREEDOM if error > 0 else 0)
    scatter = float(np.sum(residual**2)) * _inflation(residual, used)
    variance = (scatter + (PRIOR_FREEDOM * error**2 if error > 0 else 0.0)) / freedom
    deviation = float(np.sqrt(max(variance, error**2) / width))
    reach = student_quantile(0.5 + level / 2, freedom) * deviation
    return Trend(slope, slope - reach, slope + reach, _chance(slope, deviation, freedom), count)


def _around_a_curve(x: Floats, residual: Floats) -> tuple[Floats, int]:
    """What is left of the residuals without a bend, and how many parameters were fitted: a bend is not noise."""
    if len(x) < LEAST_BENT:
        return residual, 2
    bend = x**2 - float(np.mean(x**2))
    bend = bend - float(np.sum(bend * x)) / float(np.sum(x**2)) * x
    size = float(np.sum(bend**2))
    return (residual - float(np.sum(bend * residual)) / size * bend if size > 0 else residual), 3


def _inflation(residual: Floats, used: int) -> float:
    """How much correlated residuals raise the variance of a slope, from their lag-1 correlation (AR(1))."""
    count, total = len(residual), float(np.sum(residual**2))
    if count < 4 or total <= 0:
        return 1.0
    found = float(np.sum(residual[1:] * residual[:-1])) / total
    # Each fitted parameter takes part of the correlation away: after a line, about (1 + 4 ρ) / count.
    honest = min(MOST_CORRELATED, max(0.0, found + (used - 1) * (1 + 4 * max(0.0, found)) / count))
    return (1 + honest) / (1 - honest)


def _chance(slope: float, deviation: float, freedom: int) -> float:
    """The probability that the true slope is above zero, from Student's t."""
    if deviation <= 0:
        return 0.5 if slope == 0 else float(slope > 0)
    t = slope / deviation
    z = t * (1 - 1 / (4 * freedom)) / np.sqrt(1 + t**2 / (2 * freedom))
    return NormalDist().cdf(float(z))
