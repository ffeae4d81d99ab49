"""When seeds first reach a mean return. A seed that never does is later than all others, not left out."""

import math
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from rl_lab.analysis.wording import number, percent
from rl_lab.core.intervals import LEAST_VALUES, NOMINAL
from rl_lab.core.studies.comparisons import ThresholdTimes


def threshold_times(steps: ArrayLike, threshold: float) -> ThresholdTimes:
    """`steps` has one value per seed, infinite where the threshold was not reached.

    The interval of the median consists of two of the sorted values, so it needs no assumption about what the seeds
    without a value would have done.
    """
    ordered = np.sort(np.asarray(steps, dtype=np.float64))
    count, reached = len(ordered), int(np.isfinite(ordered).sum())
    middle = float(np.mean(ordered[(count - 1) // 2 : count // 2 + 1])) if count else math.inf
    ends, level = _interval(ordered)
    return ThresholdTimes(
        threshold=threshold,
        reached=reached,
        seeds=count,
        median=middle if math.isfinite(middle) else None,
        interval=ends,
        level=level,
        sentence=_sentence(threshold, (reached, count), middle, ends, level),
    )


def _interval(ordered: np.ndarray) -> tuple[tuple[float, float | None] | None, float | None]:
    """The innermost pair of values that holds the median in 95 % of cases, of few values the outermost; and how often.

    A value is below the median as often as a coin shows heads, so the binomial distribution says how often both are.
    """
    count = len(ordered)
    if count < LEAST_VALUES or not math.isfinite(ordered[0]):
        return None, None
    skipped, outside = 0, 2 ** (1 - count)
    while outside + (more := comb(count, skipped + 1) / 2 ** (count - 1)) <= 1 - NOMINAL:
        skipped, outside = skipped + 1, outside + more
    low, high = float(ordered[skipped]), float(ordered[count - 1 - skipped])
    if not math.isfinite(low):
        return None, None
    return (low, high if math.isfinite(high) else None), 1 - outside


def _sentence(
    threshold: float,
    seeds: tuple[int, int],
    middle: float,
    ends: tuple[float, float | None] | None,
    level: float | None,
) -> str:
    reached, count = seeds
    begin = f"{reached} of {count} {'seed' if count == 1 else 'seeds'} reached {number(threshold)}"
    if not reached:
        return f"{begin}."
    if not math.isfinite(middle):
        return f"{begin}, too few for a median step."
    if ends is None or level is None:
        return f"{begin}, in the median at step {number(middle)}."
    upper = f"to {number(ends[1])}" if ends[1] is not None else "or later"
    return f"{begin}, in the median at step {number(middle)} ({percent(level)} interval {number(ends[0])} {upper})."
