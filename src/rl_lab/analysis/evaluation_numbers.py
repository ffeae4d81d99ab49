"""The numbers that evaluation code returned for each episode, in figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from rl_lab.analysis.statistics import mean
from rl_lab.core.evaluations import NumberSummary


def summarise_numbers(episodes: Sequence[Mapping[str, float]]) -> dict[str, NumberSummary]:
    """By name, in the order in which they appear. A number may be missing in some episodes."""
    names = list(dict.fromkeys(name for one in episodes for name in one))
    return {name: _summarise([one.get(name) for one in episodes]) for name in names}


def _summarise(values: Sequence[float | None]) -> NumberSummary:
    known = np.array([value for value in values if value is not None])
    estimate = mean(known)
    return NumberSummary(
        episodes=len(known),
        mean=float(known.mean()),
        std=float(known.std(ddof=1)) if len(known) > 1 else 0.0,
        min=float(known.min()),
        max=float(known.max()),
        median=float(np.median(known)),
        ci=(estimate.low, estimate.high),
        ci_level=estimate.level,
        values=list(values),
    )
