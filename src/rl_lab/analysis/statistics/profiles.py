"""Performance profiles: which share of the seeds is above a score, for many scores."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.statistics.improvement import Z
from rl_lab.core.intervals import LEAST_VALUES

SCORES = 51


def profile_scores(samples: Sequence[ArrayLike]) -> Floats:
    """Scores from the lowest to the highest value of all samples, in equal steps; none without values."""
    values = np.concatenate([np.asarray(sample, dtype=np.float64) for sample in samples] or [np.empty(0)])
    if not len(values):
        return np.empty(0)
    return np.asarray(np.linspace(values.min(), values.max(), SCORES))


def performance_profile(values: ArrayLike, scores: Floats) -> tuple[Floats, tuple[Floats, Floats] | None]:
    """Share of the values strictly above each score, with the pointwise 95 % Wilson interval (from five values)."""
    sample = np.sort(np.asarray(values, dtype=np.float64))
    count = len(sample)
    share = 1 - np.searchsorted(sample, scores, side="right") / count
    if count < LEAST_VALUES:
        return share, None
    middle = (share + Z**2 / (2 * count)) / (1 + Z**2 / count)
    half = Z * np.sqrt(share * (1 - share) / count + Z**2 / (4 * count**2)) / (1 + Z**2 / count)
    return share, (np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1))
