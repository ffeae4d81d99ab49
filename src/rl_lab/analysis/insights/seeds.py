"""Whether runs that differ only in their seed reach the same reward."""

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights.calibration import calibrated
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.statistics import iqm
from rl_lab.analysis.wording import count, number, percent
from rl_lab.core.insights import Insight, InsightWindow

log = logging.getLogger(__name__)

DISAGREE = 0.3
AGREE = 0.15
"""Shares of the reward range: a spread above the first is disagreement, a spread below the second is agreement."""
ALIKE = 0.25
"""A spread below this is agreement, too, if the episodes' own noise explains it."""
SIGNIFICANT = 4.0


def agreement_of(runs: Sequence[RunCurves]) -> Insight | None:
    """`compare_seeds` with a calibrated confidence; where it fails, only the sentence is missing."""
    try:
        with np.errstate(all="ignore"):
            found = compare_seeds(runs)
    except Exception:
        log.exception("The seeds of a configuration could not be compared.")
        return None
    return found and calibrated(found)


def compare_seeds(runs: Sequence[RunCurves]) -> Insight | None:
    """One insight about the seeds of one configuration, compared at the last step that all of them reached.

    None if fewer than two have enough episodes, or if the spread is between agreement and disagreement.
    """
    reached = [rewards for run in runs if not (rewards := RewardCurve(run)).missing]
    if len(reached) < 2:
        return None
    common = min(float(rewards.series.step[-1]) for rewards in reached)
    seeds = [_until(rewards.curves, common) for rewards in reached]
    if any(seed.missing for seed in seeds):
        return None
    levels = np.array([seed.now.mean for seed in seeds])
    low, high = seeds[int(levels.argmin())], seeds[int(levels.argmax())]
    spread, stake = float(np.ptp(levels)), max(_stake(seeds), 1e-9)
    error = float(np.hypot(low.now.error, high.now.error))
    if spread >= DISAGREE * stake and spread >= SIGNIFICANT * error:
        return _disagreement(seeds, levels, stake)
    by_chance = spread <= ALIKE * stake and spread <= 3 * error
    return _agreement(seeds, levels, stake) if spread <= AGREE * stake or by_chance else None


def _until(curves: RunCurves, step: float) -> RewardCurve:
    names = [name for name in ("reward", "mean_reward", "mean_length") if name in curves.series]
    series = {name: curves.find(name) for name in names}
    cut = {
        name: one.take(slice(0, int(np.searchsorted(one.step, step, side="right"))))
        for name, one in series.items()
    }
    return RewardCurve(replace(curves, series=cut))


def _stake(seeds: Sequence[RewardCurve]) -> float:
    start = float(np.mean([seed.start.mean for seed in seeds]))
    goals = [max(seed.now.mean, seed.best[1]) for seed in seeds]
    threshold = seeds[0].curves.reward_threshold
    return max(*goals, start if threshold is None else threshold) - start


def _disagreement(seeds: Sequence[RewardCurve], levels: np.ndarray, stake: float) -> Insight:
    spread, deviation = float(np.ptp(levels)), float(levels.std(ddof=1))
    middle = (float(levels.max()) + float(levels.min())) / 2
    above = int(np.sum(levels > middle))
    wanted = max(len(seeds) + 2, int(np.ceil((2 * deviation / (0.2 * stake)) ** 2)))
    return Insight(
        id="seeds_disagree",
        level="warning",
        title="Seeds disagree",
        text=f"At step {_common_step(seeds):,} the {len(seeds)} seeds are between {number(float(levels.min()))} and "
        f"{number(float(levels.max()))} ({percent(spread / stake)} of the reward range): {above} of {len(seeds)} "
        "are in the upper half. A single run of this configuration is not representative.",
        confidence=float(np.clip(0.6 + spread / stake / 2, 0.0, 0.99)),
        evidence=_evidence(seeds, levels, stake),
        window=_window(seeds),
        hint=f"Run {count(wanted - len(seeds), 'more seed')}: with {wanted} the mean is known to within about "
        f"± {number(2 * deviation / float(np.sqrt(wanted)))}.",
    )


def _agreement(seeds: Sequence[RewardCurve], levels: np.ndarray, stake: float) -> Insight:
    middle = iqm(levels)
    return Insight(
        id="seeds_agree",
        level="good",
        title="Seeds agree",
        text=f"At step {_common_step(seeds):,} all {len(seeds)} seeds are between {number(float(levels.min()))} and "
        f"{number(float(levels.max()))} ({percent(float(np.ptp(levels)) / stake)} of the reward range), "
        f"interquartile mean {number(middle.value)}.",
        confidence=0.9 if len(seeds) >= 3 else 0.7,
        evidence=_evidence(seeds, levels, stake),
        window=_window(seeds),
    )


def _evidence(seeds: Sequence[RewardCurve], levels: np.ndarray, stake: float) -> dict[str, float | int | str]:
    each = {f"seed_{index}": float(level) for index, level in enumerate(levels, start=1)}
    return {"seeds": len(seeds), "spread": float(np.ptp(levels)), "at_stake": stake, **each}


def _common_step(seeds: Sequence[RewardCurve]) -> int:
    return int(max(seed.series.step[-1] for seed in seeds))


def _window(seeds: Sequence[RewardCurve]) -> InsightWindow:
    first = int(min(seed.recent.step[0] for seed in seeds))
    return InsightWindow(series="reward", from_step=first, to_step=_common_step(seeds))
