"""How much neighbouring episodes resemble each other, and what that does to the error of a mean."""

import numpy as np

from rl_lab.analysis.curves import Floats

FAR = (8, 16, 32)
"""Distances in episodes at which the correlation of neighbours has faded."""
LEAST_SPANS = 16
"""Shorter runs have too few stretches of that length to compare; what they show may be learning."""
NOTABLE = 0.25
MOST = 0.97
MOST_VALUES = 20_000


def error_inflation(values: Floats) -> float:
    """The factor by which correlation raises the standard error of a mean, from AR(1); 1 for independent values.

    Values around a line are compared: second differences, in which a steady trend does not show, and their median,
    which a few jumps do not change.
    """
    values = values[-MOST_VALUES:]
    lags = [lag for lag in FAR if LEAST_SPANS * lag <= len(values)]
    if not lags:
        return 1.0
    near = _roughness(values, 1)
    far = float(np.median([_roughness(values, lag) for lag in lags]))
    if not 0 < near < far:
        return 1.0
    # A second difference of AR(1) has the variance 6 σ² (1 − 4/3 φ + 1/3 φ²) at distance 1, and 6 σ² far away.
    correlation = min(MOST, 2 - float(np.sqrt(1 + 3 * near / far)))
    if correlation < NOTABLE:
        return 1.0
    # The noise is measured between neighbours, which show the share 1 − φ of the variance.
    return float(np.sqrt((1 + correlation) / (1 - correlation) ** 2))


def _roughness(values: Floats, lag: int) -> float:
    turns = (values[2 * lag :] - 2 * values[lag:-lag] + values[: -2 * lag]) ** 2
    middle = float(np.median(turns))
    return middle if middle > 0 else 0.455 * float(np.mean(turns))
