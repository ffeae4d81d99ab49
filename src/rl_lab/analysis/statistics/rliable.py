"""The method `rliable`: the same numbers as rliable 1.2.0 (Agarwal et al. 2021) on the same random stream.

Scores are runs × tasks. rliable ignores its `random_state` and draws from numpy's global generator, so the twin of
`np.random.seed(s)` there is `RandomState(s)` here. Its intervals are plain percentiles, for any number of runs.
"""

from collections.abc import Callable, Mapping

import numpy as np
from numpy.random import RandomState
from numpy.typing import ArrayLike

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.statistics.estimates import interquartile_mean

REPLICATES = 50_000
PROFILE_REPLICATES = 2000
MOST_CELLS = 4_000_000
"""Scores of replicates that are in memory at once."""

Aggregate = Callable[[Floats], Floats]
"""Reduces the last two axes, runs × tasks."""


def aggregate_mean(scores: Floats) -> Floats:
    return np.asarray(scores.mean(axis=-2).mean(axis=-1))


def aggregate_median(scores: Floats) -> Floats:
    """Median over tasks of the mean over runs."""
    return np.asarray(np.median(scores.mean(axis=-2), axis=-1))


def aggregate_iqm(scores: Floats) -> Floats:
    """Mean of the middle half of all scores."""
    return interquartile_mean(scores.reshape(*scores.shape[:-2], -1))


def optimality_gap(scores: Floats, gamma: float = 1.0) -> Floats:
    return np.asarray(gamma - np.minimum(scores, gamma).mean(axis=(-2, -1)))


AGGREGATES: Mapping[str, Aggregate] = {
    "mean": aggregate_mean,
    "median": aggregate_median,
    "iqm": aggregate_iqm,
    "optimality_gap": optimality_gap,
}


def interval(
    scores: Floats, aggregate: Aggregate, random: RandomState, replicates: int = REPLICATES
) -> tuple[float, float]:
    """95 % percentile interval of the stratified bootstrap: each task is resampled on its own."""
    drawn = np.concatenate([aggregate(part) for part in _resamples(scores, random, replicates)])
    low, high = np.percentile(drawn, [2.5, 97.5])
    return float(low), float(high)


def probability_of_improvement(x: Floats, y: Floats) -> Floats:
    """Mean over tasks of the share of pairs in which `x` is higher; ties count half."""
    gaps = x[..., :, None, :] - y[..., None, :, :]
    return np.asarray(((gaps > 0) + (gaps == 0) / 2).mean(axis=(-3, -2)).mean(axis=-1))


def improvement_interval(
    x: Floats, y: Floats, random: RandomState, replicates: int = REPLICATES
) -> tuple[float, float]:
    """Both samples are resampled, `x` before `y` in each replicate."""
    drawn = []
    for first, second in _paired_places(x.shape, y.shape, random, replicates):
        tasks = np.arange(x.shape[1])
        drawn.append(probability_of_improvement(x[first, tasks], y[second, tasks]))
    low, high = np.percentile(np.concatenate(drawn), [2.5, 97.5])
    return float(low), float(high)


def performance_profile(
    scores: Floats, taus: Floats, random: RandomState, replicates: int = PROFILE_REPLICATES
) -> tuple[Floats, Floats, Floats]:
    """Share of all scores above each τ, and the ends of its interval."""
    drawn = np.concatenate([_shares(part, taus) for part in _resamples(scores, random, replicates)])
    low, high = np.percentile(drawn, [2.5, 97.5], axis=0)
    return np.asarray(_shares(scores[None], taus)[0]), low, high


def rliable_intervals(values: ArrayLike) -> dict[str, tuple[float, float]]:
    """Of one sample of seeds, which is one task; rliable's median is that of task means, hence the mean here."""
    scores = np.asarray(values, dtype=np.float64)[:, None]
    return {name: interval(scores, AGGREGATES[name], RandomState(0)) for name in ("mean", "iqm")}


def _shares(scores: Floats, taus: Floats) -> Floats:
    """Replicates × τ."""
    flat = np.sort(scores.reshape(len(scores), -1), axis=1)
    above = [flat.shape[1] - np.searchsorted(row, taus, side="right") for row in flat]
    return np.asarray(np.array(above) / flat.shape[1], dtype=np.float64)


def _resamples(scores: Floats, random: RandomState, replicates: int) -> list[Floats]:
    runs, tasks = scores.shape
    rows = max(1, MOST_CELLS // scores.size)
    return [
        scores[random.randint(0, runs, (min(rows, replicates - done), runs, tasks)), np.arange(tasks)]
        for done in range(0, replicates, rows)
    ]


Places = np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def _paired_places(
    x: tuple[int, ...], y: tuple[int, ...], random: RandomState, replicates: int
) -> list[tuple[Places, Places]]:
    rows = max(1, MOST_CELLS // (x[0] * y[0] * x[1]))
    sizes = [min(rows, replicates - done) for done in range(0, replicates, rows)]
    return [_paired_part(x, y, random, size) for size in sizes]


def _paired_part(
    x: tuple[int, ...], y: tuple[int, ...], random: RandomState, size: int
) -> tuple[Places, Places]:
    if x == y:
        both = random.randint(0, x[0], (size, 2, *x))
        return both[:, 0], both[:, 1]
    # The generator skips other numbers for another range, so the draws cannot be made at once.
    drawn = [(random.randint(0, x[0], x), random.randint(0, y[0], y)) for _ in range(size)]
    return np.array([one for one, _ in drawn]), np.array([other for _, other in drawn])
