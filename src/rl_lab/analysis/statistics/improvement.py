"""Probability of improvement: how often a seed of one group is above a seed of another."""

import numpy as np
from numpy.typing import ArrayLike

from rl_lab.core.intervals import LEAST_VALUES

Z = 1.959963984540054
CANDIDATES = np.linspace(0.0, 1.0, 2001)


def probability_of_improvement(a: ArrayLike, b: ArrayLike) -> tuple[float, tuple[float, float] | None]:
    """Share of pairs in which `a` is higher, ties counting half, and its 95 % interval (from five values each).

    Newcombe's score interval (method 5, 2006): a bootstrap is certain as soon as all seeds of one group are higher.
    """
    first, second = np.asarray(a, dtype=np.float64), np.asarray(b, dtype=np.float64)
    gaps = first[:, None] - second[None, :]
    chance = float(np.mean(gaps > 0) + np.mean(gaps == 0) / 2)
    if min(len(first), len(second)) < LEAST_VALUES:
        return chance, None
    return chance, _interval(chance, len(first), len(second))


def _interval(chance: float, first: int, second: int) -> tuple[float, float]:
    others = (first + second) / 2 - 1
    share = CANDIDATES
    factor = 1 + others * ((1 - share) / (2 - share) + share / (1 + share))
    variance = share * (1 - share) * factor / (first * second)
    kept = share[(share - chance) ** 2 <= Z**2 * variance]
    return min(chance, float(kept.min(initial=chance))), max(chance, float(kept.max(initial=chance)))
