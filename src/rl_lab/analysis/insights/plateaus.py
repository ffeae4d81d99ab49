"""Detectors for a reward that no longer changes: at its goal (converged) or below it (stuck)."""

import numpy as np

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights.hints import Hint, explore_more, faster, slower, train_longer
from rl_lab.analysis.insights.policy import entropy_is_collapsed, rate_signs, sustained_kl
from rl_lab.analysis.insights.reward import reward_window
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.wording import count, number
from rl_lab.core.insights import Insight

PLATEAU_SHARE = 0.8
"""A flat run above this share of the way to the threshold counts as converged, below it as stuck."""

STILL_SHARE = 0.1
"""A run that has learnt something and still gains more than this share of its range is not stuck."""


def converged(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or not is_converged(rewards):
        return None
    now, spread = rewards.now, _block_spread(rewards)
    return Insight(
        id="converged",
        level="good",
        title="Converged on a stable strategy",
        text=f"Over the last {count(now.episodes, 'episode')} the reward stays at {number(now.mean)} "
        f"(it changed by {number(rewards.gain.slope)}); it started at {number(rewards.start.mean)}.",
        confidence=float(np.clip(1 - 1.5 * spread / rewards.scale, 0.5, 0.99)),
        evidence={
            "mean_reward": now.mean,
            "start_reward": rewards.start.mean,
            "change": rewards.gain.slope,
            "block_deviation": spread,
            "episodes": now.episodes,
        },
        window=reward_window(rewards.recent),
    )


def stuck(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or not is_stuck(rewards):
        return None
    now, hint = rewards.now, _way_out(curves, rewards)
    goal = curves.reward_threshold
    short = "" if goal is None else f", {number(goal - now.mean)} below the threshold {number(goal)}"
    return Insight(
        id="stuck",
        level="warning",
        title="Stuck",
        text=f"The reward stays at {number(now.mean)}{short}: it started at {number(rewards.start.mean)} and changed "
        f"by {number(rewards.gain.slope)} over the last {count(now.episodes, 'episode')}.",
        confidence=0.9 if rewards.episodes >= 60 else 0.7,
        evidence={
            "mean_reward": now.mean,
            "start_reward": rewards.start.mean,
            "change": rewards.gain.slope,
            "change_low": rewards.gain.low,
            "change_high": rewards.gain.high,
            "episodes": now.episodes,
        },
        window=reward_window(rewards.recent),
        hint=hint.text if hint else None,
        param=hint.param if hint else None,
    )


def is_converged(rewards: RewardCurve) -> bool:
    share = rewards.share_of_threshold
    done = rewards.learnt if share is None else share >= PLATEAU_SHARE
    near_best = rewards.now.mean >= rewards.best[1] - 0.15 * rewards.scale
    return done and rewards.is_flat and near_best and _block_spread(rewards) <= 0.15 * rewards.scale


def is_stuck(rewards: RewardCurve) -> bool:
    asked = rewards.curves.total_timesteps
    if rewards.episodes < 40 or rewards.curves.last_step() < 0.25 * asked:
        return False
    if rewards.has_dropped or rewards.is_improving:
        return False
    share = rewards.share_of_threshold
    if not rewards.moved and (share is None or share < PLATEAU_SHARE):
        return not rewards.gain.is_up
    no_progress = rewards.is_flat and rewards.gain.slope <= STILL_SHARE * rewards.scale
    no_progress = no_progress or rewards.gain.slope < 0
    return no_progress and share is not None and share < PLATEAU_SHARE


def _block_spread(rewards: RewardCurve) -> float:
    """How much the policy itself changes: deviation of block means, minus the part explained by episode noise."""
    _, means = rewards.blocks
    late = means[-max(3, int(0.3 * len(means))) :]
    per_block = max(1.0, rewards.now.episodes / len(late))
    return (
        float(np.sqrt(max(0.0, late.var(ddof=1) - rewards.now.noise**2 / per_block)))
        if len(late) > 1
        else 0.0
    )


def _way_out(curves: RunCurves, rewards: RewardCurve) -> Hint | None:
    """Which parameter to try first, based on the policy's metrics while the reward does not change."""
    params = curves.params
    if rate_signs(curves, rewards):
        return slower(params) or train_longer(curves)
    if entropy_is_collapsed(curves) or rewards.now.noise == 0:
        return explore_more(params) or slower(params) or train_longer(curves)
    kl = sustained_kl(curves)
    if kl is not None and kl < 1e-3:
        return faster(params) or train_longer(curves)
    if not rewards.learnt:
        return explore_more(params) or faster(params) or train_longer(curves)
    return slower(params) or explore_more(params) or train_longer(curves)
