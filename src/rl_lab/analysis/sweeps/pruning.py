"""Pruning: a variant whose curve is below the median of the others at the same step is stopped early."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

import numpy as np

from rl_lab.analysis.curves import Floats, Series
from rl_lab.analysis.wording import count, number

WINDOW = 100
"""Episodes behind a value: the mean reward that the page shows."""
CURVE_POINTS = 100
LEAST_OTHERS = 4
"""Other variants that must have been trained to their end; fewer say little about what is usual."""
CHECKS = 10
"""A variant is looked at after each tenth of its training."""
FIRST_CHECK = 2
"""After two tenths at the earliest: most learners need a while before their reward rises."""


@dataclass(frozen=True, eq=False)
class MeanCurve:
    """The mean reward of the last 100 episodes over the steps of one run."""

    step: Floats
    mean: Floats

    def at(self, step: float) -> float | None:
        """The newest value at or before this step; None if the run had no episode yet, or has not come so far."""
        place = int(np.searchsorted(self.step, step, side="right")) - 1
        return None if place < 0 or step > self.step[-1] else float(self.mean[place])


def mean_curve(rewards: Series, last_step: float) -> MeanCurve:
    """From the rewards of all episodes; `last_step` is how far the run has come, often beyond its last episode."""
    known = rewards.finite()
    if len(known) == 0:
        return MeanCurve(np.array([]), np.array([]))
    ends = np.unique(np.linspace(0, len(known) - 1, min(len(known), CURVE_POINTS)).astype(int))
    total = np.concatenate([[0.0], np.cumsum(known.value * known.n)])
    episodes = np.concatenate([[0.0], np.cumsum(known.n)])
    starts = np.searchsorted(episodes, episodes[ends + 1] - WINDOW, side="right") - 1
    starts = np.maximum(starts, 0)
    means = (total[ends + 1] - total[starts]) / (episodes[ends + 1] - episodes[starts])
    steps = known.step[ends]
    return MeanCurve(np.append(steps, max(last_step, steps[-1])), np.append(means, means[-1]))


def mean_over_seeds(curves: Sequence[MeanCurve], step: float) -> tuple[float, int] | None:
    """Mean of the seeds that have come to this step, and how many they are; None without any."""
    values = [value for value in (curve.at(step) for curve in curves) if value is not None]
    return (fmean(values), len(values)) if values else None


def check_due(fraction: float, checked: int) -> int | None:
    """The number of the check that is due at this part of the training; None if none is, or it was done.

    There is none at the end: nothing would be saved, and the variant would lose its result.
    """
    number_of_check = int(CHECKS * fraction + 1e-9)
    is_due = FIRST_CHECK <= number_of_check < CHECKS and number_of_check > checked
    return number_of_check if is_due else None


def judge(
    own: Sequence[MeanCurve],
    others: Mapping[int, Sequence[MeanCurve]],
    *,
    step: float,
    complete: int,
    seeds: int = 1,
) -> str | None:
    """Why a variant is stopped at this step, as a sentence; None if it continues.

    `others` are the curves of the other variants' seeds; `complete` of the variants were trained to their end.
    `seeds` is how many the variant has; some of them may not have come so far.
    """
    mine = mean_over_seeds(own, step)
    found = [mean_over_seeds(curves, step) for curves in others.values()]
    values = [mean for mean, _ in (one for one in found if one is not None)]
    if mine is None or complete < LEAST_OTHERS or len(values) < LEAST_OTHERS:
        return None
    middle = median(values)
    mean, reached = mine
    if mean >= middle or number(mean) == number(middle):
        return None
    over = _over(reached, seeds)
    return (
        f"Stopped at step {step:,.0f}: its mean reward {number(mean)}{over} is below the median {number(middle)} of "
        f"{count(len(values), 'other variant')} at that step."
    )


def _over(reached: int, seeds: int) -> str:
    if seeds == 1:
        return ""
    return f" over {count(seeds, 'seed')}" if reached == seeds else f" over {reached} of {seeds} seeds"
