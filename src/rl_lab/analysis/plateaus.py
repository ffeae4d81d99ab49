"""Detectors for a reward that stands still: at its goal (converged) or before it (stuck)."""

import numpy as np

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.hints import Hint, explore_more, faster, slower, train_longer
from rl_lab.analysis.policy import entropy_is_collapsed, rate_signs, sustained_kl
from rl_lab.analysis.progress import Progress
from rl_lab.analysis.reward import reward_window
from rl_lab.analysis.wording import count, number
from rl_lab.core.insights import Insight

PLATEAU_SHARE = 0.8
"""A flat run that is this far on the way to the threshold counts as converged, below it as stuck."""


def converged(curves: RunCurves, progress: Progress) -> Insight | None:
    if progress.missing or not is_converged(progress):
        return None
    now, spread = progress.now, _block_spread(progress)
    return Insight(
        id="converged",
        level="good",
        title="Converged on a stable strategy",
        text=f"Over the last {count(now.episodes, 'episode')} the reward holds at {number(now.mean)} "
        f"(moving by {number(progress.gain.slope)} across them), after starting at {number(progress.start.mean)}.",
        confidence=float(np.clip(1 - 1.5 * spread / progress.scale, 0.5, 0.99)),
        evidence={
            "mean_reward": now.mean,
            "start_reward": progress.start.mean,
            "change": progress.gain.slope,
            "block_deviation": spread,
            "episodes": now.episodes,
        },
        window=reward_window(progress.recent),
    )


def stuck(curves: RunCurves, progress: Progress) -> Insight | None:
    if progress.missing or not is_stuck(progress):
        return None
    now, hint = progress.now, _way_out(curves, progress)
    goal = curves.reward_threshold
    short = "" if goal is None else f", {number(goal - now.mean)} short of the threshold {number(goal)}"
    return Insight(
        id="stuck",
        level="warning",
        title="Stuck",
        text=f"The reward stays at {number(now.mean)}{short}: it began at {number(progress.start.mean)} and moved by "
        f"{number(progress.gain.slope)} over the last {count(now.episodes, 'episode')}.",
        confidence=0.9 if progress.episodes >= 60 else 0.7,
        evidence={
            "mean_reward": now.mean,
            "start_reward": progress.start.mean,
            "change": progress.gain.slope,
            "change_low": progress.gain.low,
            "change_high": progress.gain.high,
            "episodes": now.episodes,
        },
        window=reward_window(progress.recent),
        hint=hint.text if hint else None,
        param=hint.param if hint else None,
    )


def is_converged(progress: Progress) -> bool:
    share = progress.share_of_threshold
    done = progress.learnt if share is None else share >= PLATEAU_SHARE
    near_best = progress.now.mean >= progress.best[1] - 0.15 * progress.scale
    return done and progress.is_flat and near_best and _block_spread(progress) <= 0.15 * progress.scale


def is_stuck(progress: Progress) -> bool:
    asked = progress.curves.total_timesteps
    if progress.episodes < 40 or progress.curves.last_step() < 0.25 * asked:
        return False
    if progress.has_dropped or progress.is_improving:
        return False
    share = progress.share_of_threshold
    if not progress.moved and (share is None or share < PLATEAU_SHARE):
        return not progress.gain.is_up
    stands_still = progress.is_flat or progress.gain.slope < 0
    return stands_still and share is not None and share < PLATEAU_SHARE


def _block_spread(progress: Progress) -> float:
    """How much the strategy itself moves: deviation of block means, less what episode noise alone would give."""
    _, means = progress.curve
    late = means[-max(3, int(0.3 * len(means))) :]
    per_block = max(1.0, progress.now.episodes / len(late))
    return (
        float(np.sqrt(max(0.0, late.var(ddof=1) - progress.now.noise**2 / per_block)))
        if len(late) > 1
        else 0.0
    )


def _way_out(curves: RunCurves, progress: Progress) -> Hint | None:
    """Which parameter to try first, judged by what the policy is doing while the reward stands still."""
    params = curves.params
    if rate_signs(curves, progress):
        return slower(params) or train_longer(curves)
    if entropy_is_collapsed(curves) or progress.now.noise == 0:
        return explore_more(params) or slower(params) or train_longer(curves)
    kl = sustained_kl(curves)
    if kl is not None and kl < 1e-3:
        return faster(params) or train_longer(curves)
    if not progress.learnt:
        return explore_more(params) or faster(params) or train_longer(curves)
    return slower(params) or explore_more(params) or train_longer(curves)
