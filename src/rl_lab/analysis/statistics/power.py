"""How many seeds would settle a comparison, if the difference and the spreads are what they look like now."""

import math

from rl_lab.analysis.statistics.estimates import student_quantile
from rl_lab.analysis.statistics.permutation import least_p
from rl_lab.core.intervals import LEAST_VALUES

POWER = 0.8
MOST_MORE = 100
"""More seeds than this are not proposed: the difference is too small to matter, or it is luck."""


def seeds_needed(difference: float, variances: tuple[float, float], alpha: float) -> int | None:
    """Seeds per group with which the test finds this difference in 80 % of cases; None: it is zero."""
    least = least_seeds(alpha)
    if difference == 0:
        return None
    wanted = sum(variances) / difference**2
    size = least
    for _ in range(50):
        freedom = 2 * (size - 1)
        both = student_quantile(1 - alpha / 2, freedom) + student_quantile(POWER, freedom)
        needed = max(least, math.ceil(min(both**2 * wanted, 1e9)))
        if needed == size:
            break
        size = needed if needed > size else size - 1
    return size


def least_seeds(alpha: float) -> int:
    """The fewest seeds per group whose arrangements can be rare enough for this level, and that give an interval."""
    size = LEAST_VALUES
    while least_p(size, size) > alpha:
        size += 1
    return size
