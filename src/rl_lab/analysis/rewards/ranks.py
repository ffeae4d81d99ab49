"""Ranks and rank correlations; equal values share a rank."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FEWEST = 3
"""Two values are always in the same order or reversed."""
TOLERANCE = 1e-9
"""Values that differ by less than this part of their width are equal: sums of the same steps may round differently."""
ROUNDING = 1e-15
"""Of a number, relative to its size."""
SUM_ROUNDING = 1e-12
"""Of a sum of many numbers."""


def descending_ranks(values: Floats) -> Floats:
    """1 = the highest; equal values share the mean of their ranks."""
    return ascending_ranks(-values)


def ascending_ranks(values: Floats) -> Floats:
    _, places, counts = np.unique(_settled(values), return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[places], np.float64)


def spearman(first: Floats, second: Floats) -> float | None:
    """Spearman's ρ; None with fewer than three values, or where all values of one side are equal."""
    if len(first) < FEWEST:
        return None
    a, b = (ranks - ranks.mean() for ranks in (ascending_ranks(first), ascending_ranks(second)))
    size = float(np.sqrt((a @ a) * (b @ b)))
    return _within(float(a @ b) / size) if size > 0 else None


def kendall(first: Floats, second: Floats) -> float | None:
    """Kendall's τ-b, which allows for ties; None as for Spearman's ρ."""
    if len(first) < FEWEST:
        return None
    a, b = _orders(first), _orders(second)
    size = float(np.sqrt(float(np.count_nonzero(a)) * float(np.count_nonzero(b))))
    agreeing = float(np.sum(a * b, dtype=np.int64))
    return _within(agreeing / size) if size > 0 else None


def percentiles(values: Floats) -> Floats:
    """The share of values below each one, 0 to 100; half of its equals count."""
    return (ascending_ranks(values) - 0.5) / len(values) * 100


def _orders(values: Floats) -> NDArray[np.int8]:
    """For each pair of values: 1, 0 or −1."""
    places = np.unique(_settled(values), return_inverse=True)[1].astype(np.int32)
    orders: NDArray[np.int8] = np.sign(places[:, None] - places[None, :]).astype(np.int8)
    return orders


def _settled(values: Floats) -> Floats:
    """Whole numbers in the same order, the same one for values that only differ by rounding."""
    largest = float(np.abs(values).max(initial=0.0))
    if largest == 0:
        return np.zeros(len(values))
    scaled = values / largest
    return np.round(scaled / _tolerance(scaled))


def _tolerance(values: Floats) -> float:
    """Of the distance between the quartiles, which one outlier does not change."""
    low, high = np.quantile(values, (0.25, 0.75)).tolist()
    spread = float(np.ptp(values))
    # Where most values are equal, their quartiles differ by rounding only.
    width = high - low if high - low > ROUNDING * spread else spread
    return max(TOLERANCE * width, SUM_ROUNDING * float(np.median(np.abs(values))))


def _within(value: float) -> float:
    return max(-1.0, min(1.0, value))
