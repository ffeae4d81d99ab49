"""Turns logged means into independent observations.

A mean over the last 100 episodes shares most of them with the mean logged before it. Only means that are at least
100 episodes apart are independent, so only those are kept; each counts as the number of its episodes.
"""

import numpy as np

from rl_lab.analysis.curves import Bins, Floats, Series

MOST_LAGS = 12


def independent(means: Series, window: int, lengths: Series) -> Series:
    """The newest mean and those before it that share no episode with each other.

    `lengths` are mean episode lengths: with them, steps become episodes. Without them, the distance at which
    values stop resembling each other is estimated.
    """
    if not len(means):
        return means
    played = _episodes_played(means.step, lengths)
    if played is None or window < 2:
        return _uncorrelated(means, window)
    noise = _episode_noise(means.value, played, window)
    kept = _apart(played, window)
    return _binned(means.take(kept), np.clip(played[kept], 1.0, window), noise)


def _uncorrelated(values: Series, window: int) -> Series:
    lag = _correlation_reach(values.value)
    kept = np.arange(len(values) - 1, -1, -lag)[::-1]
    if window < 2 and lag == 1:
        return values
    noise = float(np.sqrt(_roughness(values.value, lag) * window))
    return _binned(values.take(kept), np.full(len(kept), float(window)), noise)


def _binned(series: Series, n: Floats, noise: float) -> Series:
    bins = Bins(n, np.full(len(series), noise), series.value, series.value)
    return Series(series.step, series.t, series.value, bins)


def _episodes_played(step: Floats, lengths: Series) -> Floats | None:
    """About how many episodes had ended at each step; None if their lengths are unknown."""
    usable = lengths.take(lengths.value > 0)
    if not len(usable):
        return None
    length = np.interp(step, usable.step, usable.value)
    return np.asarray(np.cumsum(np.diff(step, prepend=0.0) / length), dtype=np.float64)


def _apart(played: Floats, window: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    kept = [len(played) - 1]
    while (place := int(np.searchsorted(played, played[kept[-1]] - window, side="right")) - 1) >= 0:
        kept.append(place)
    return np.array(kept[::-1], dtype=np.int64)


def _episode_noise(values: Floats, played: Floats, window: int) -> float:
    """The deviation of single episodes, from how fast the mean over them moves.

    A mean over `window` episodes of which m are new moves by √(2 m) / window deviations. Second differences are
    used, which a steady trend does not change, and their median, which a few jumps do not change.
    """
    full = played >= window
    if full.sum() < 8:
        full[:] = True
    new = np.clip(np.diff(played[full]), 1e-9, window)
    moves = np.diff(values[full])
    if len(moves) < 2:
        return 0.0
    turns = np.abs(np.diff(moves / np.sqrt(2 * new)))
    # An estimate from few differences may be far too low.
    return float(np.median(turns)) / 0.6745 / float(np.sqrt(2)) * window * (1 + 2 / len(turns))


def _roughness(values: Floats, lag: int) -> float:
    """Variance that remains between values `lag` points apart after a steady trend is removed."""
    if len(values) <= 2 * lag:
        return 0.0
    turns = values[2 * lag :] - 2 * values[lag:-lag] + values[: -2 * lag]
    return float(np.mean(turns**2)) / 6


def _correlation_reach(values: Floats) -> int:
    """The distance in points at which values are as different as distant ones are; 1 if neighbours already are."""
    lags = [2**power for power in range(MOST_LAGS) if 6 * 2**power <= len(values)]
    rough = [_roughness(values, lag) for lag in lags]
    if not rough or max(rough) <= 0:
        return 1
    reached = int(np.argmax(np.array(rough) >= 0.6 * max(rough)))
    return 1 if reached == 0 else 2 * lags[reached]
