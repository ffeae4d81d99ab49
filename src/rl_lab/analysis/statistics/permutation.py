"""Whether two groups of seeds differ: the studentized permutation test of the difference of means.

If the seeds of both groups come from the same distribution, of any shape, every arrangement of them into two groups is
equally likely, so a p value of at most 5 % occurs in at most 5 % of such comparisons. Dividing by the standard error
keeps this nearly true where only the means are equal. The interval holds the shifts that the test does not reject.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from rl_lab.analysis.curves import Floats

MOST_ARRANGEMENTS = 10_000
"""Up to so many are all tried; of more, so many are drawn at random, always the same."""
HALVINGS = 16
ROUNDING = 1e-9


class PermutationResult(NamedTuple):
    """`interval` excludes 0 exactly where `p` is at most `alpha`; infinite ends where no shift is rejected."""

    difference: float
    p: float
    low: float
    high: float


def permutation_test(a: ArrayLike, b: ArrayLike, alpha: float = 0.05) -> PermutationResult:
    """Mean of `a` minus mean of `b`; each needs two finite values or more."""
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    difference = float(first.mean() - second.mean())
    p_of, scale = _scaled(first, second)
    if not first.var() and not second.var():
        return PermutationResult(difference, p_of(0.0), difference, difference)
    gap = difference / scale
    error = float(np.sqrt(first.var(ddof=1) / len(first) + second.var(ddof=1) / len(second))) / scale
    low = gap - _reach(lambda way: p_of(gap - way), alpha, 2 * error)
    high = gap + _reach(lambda way: p_of(gap + way), alpha, 2 * error)
    return PermutationResult(difference, p_of(0.0), low * scale, high * scale)


def p_value(a: ArrayLike, b: ArrayLike) -> float:
    """The p value of `permutation_test` without its interval, which takes most of the time."""
    p_of, _ = _scaled(np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64))
    return p_of(0.0)


def _scaled(first: Floats, second: Floats) -> tuple[Callable[[float], float], float]:
    """The p value by shift, of values between -1 and 1 around zero; and what one unit of them is."""
    both = np.concatenate([first, second])
    centre, scale = float(both.mean()), float(np.ptp(both)) or 1.0
    return _p_by_shift((first - centre) / scale, (second - centre) / scale), scale


def least_p(first: int, second: int) -> float:
    """The smallest p value that groups of these sizes can have: two of all arrangements, one on each side."""
    sides = 2 if first == second else 1
    return sides / comb(first + second, first)


def _p_by_shift(first: Floats, second: Floats) -> Callable[[float], float]:
    """The p value after `first` was shifted down, for any shift: the sums of each arrangement are polynomials in it."""
    sizes = (len(first), len(second))
    members = _arrangements(*sizes)
    values = np.concatenate([first, second])
    is_first = np.repeat([1.0, 0.0], sizes)
    columns = np.column_stack([values, values**2, is_first, values * is_first])
    total, squares, size, weighted = columns.sum(axis=0)
    sum_0, squares_0, size_0, weighted_0 = (members @ columns).T

    def p_of(shift: float) -> float:
        sums = sum_0 - shift * size_0
        squared = squares_0 - 2 * shift * weighted_0 + shift**2 * size_0
        all_squared = squares - 2 * shift * weighted + shift**2 * size
        found = _studentized((sums, total - shift * size - sums), (squared, all_squared - squared), sizes)
        return float(np.mean(found >= found[0] * (1 - ROUNDING) - ROUNDING))

    return p_of


def _studentized(
    sums: tuple[Floats, Floats], squares: tuple[Floats, Floats], sizes: tuple[int, int]
) -> Floats:
    """Size of the difference of means in standard errors, by arrangement; values without spread give 0 or infinity."""
    means = [total / size for total, size in zip(sums, sizes, strict=True)]
    spreads = [
        np.maximum(squared - size * mean**2, 0.0) / (size - 1) / size
        for squared, mean, size in zip(squares, means, sizes, strict=True)
    ]
    gap, error = np.abs(means[0] - means[1]), np.sqrt(spreads[0] + spreads[1])
    error = np.where(error < 1e-7, 0.0, error)
    gap = np.where(gap < ROUNDING, 0.0, gap)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(gap == 0, 0.0, gap / error)


def _reach(p_at: Callable[[float], float], alpha: float, guess: float) -> float:
    """How far a shift can be from the difference before it is rejected; infinite where none ever is."""
    outside = max(guess, 1e-6)
    while p_at(outside) > alpha:
        outside *= 2
        if outside > 1e6:
            return float("inf")
    inside = 0.0
    for _ in range(HALVINGS):
        middle = (inside + outside) / 2
        inside, outside = (middle, outside) if p_at(middle) > alpha else (inside, middle)
    return outside


@lru_cache(maxsize=32)
def _arrangements(first: int, second: int) -> Floats:
    """Arrangements × values: 1 for the members of the first group. The first row is the groups as they are."""
    total = first + second
    if comb(total, first) <= MOST_ARRANGEMENTS:
        chosen = np.array(list(combinations(range(total), first)))
    else:
        rng = np.random.default_rng(0)
        drawn = rng.random((MOST_ARRANGEMENTS - 1, total)).argpartition(first, axis=1)[:, :first]
        chosen = np.vstack([np.arange(first), drawn])
    members = np.zeros((len(chosen), total))
    np.put_along_axis(members, chosen, 1.0, axis=1)
    return members
