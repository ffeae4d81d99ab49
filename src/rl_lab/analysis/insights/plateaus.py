"""Detectors for a reward that no longer changes: at its goal (converged), close below it (plateau), or far (stuck)."""

import numpy as np

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights.hints import Hint, as_fields, explore_more, faster, slower, train_longer
from rl_lab.analysis.insights.policy import entropy_is_collapsed, rate_signs, sustained_kl
from rl_lab.analysis.insights.reward import reward_window
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.wording import count, number, signed
from rl_lab.core.insights import Insight

PLATEAU_SHARE = 0.8
"""A flat run above this share of the way to the threshold has levelled off, below it it is stuck."""

STILL_SHARE = 0.1
"""A run that has learnt something and still gains more than this share of its range is not stuck."""


def converged(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or not has_levelled_off(rewards) or rewards.is_below_threshold:
        return None
    return Insight(
        id="converged",
        level="good",
        title="Agent has converged on a stable strategy",
        text=f"Over the last {count(rewards.now.episodes, 'episode')} the reward stays at {number(rewards.now.mean)} "
        f"(change: {signed(rewards.gain.slope)}); it started at {number(rewards.start.mean)}.",
        confidence=_steadiness(rewards),
        evidence=_level_evidence(rewards),
        window=reward_window(rewards.recent),
    )


def plateau(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    goal = curves.reward_threshold
    if rewards.missing or goal is None or not has_levelled_off(rewards) or not rewards.is_below_threshold:
        return None
    return Insight(
        id="plateau",
        level="info",
        title="Levelled off before it is solved",
        text=f"Over the last {count(rewards.now.episodes, 'episode')} the reward stays at {number(rewards.now.mean)} "
        f"(change: {signed(rewards.gain.slope)}), below the {number(goal)} that counts as solved.",
        confidence=_steadiness(rewards),
        evidence={**_level_evidence(rewards), "threshold": goal},
        window=reward_window(rewards.recent),
        **as_fields(_way_out(curves, rewards)),
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
        title=f"Training may be stuck, try {hint.goal}" if hint else "Training may be stuck",
        text=f"The reward stays at {number(now.mean)}{short}. It started at {number(rewards.start.mean)}; over the "
        f"last {count(now.episodes, 'episode')} it changed by {signed(rewards.gain.slope)}.",
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
        **as_fields(hint),
    )


def has_levelled_off(rewards: RewardCurve) -> bool:
    """Flat, close to its best, and either near the threshold or clearly above its start."""
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


def _steadiness(rewards: RewardCurve) -> float:
    return float(np.clip(1 - 1.5 * _block_spread(rewards) / rewards.scale, 0.5, 0.99))


def _level_evidence(rewards: RewardCurve) -> dict[str, float | int | str]:
    return {
        "mean_reward": rewards.now.mean,
        "start_reward": rewards.start.mean,
        "change": rewards.gain.slope,
        "block_deviation": _block_spread(rewards),
        "episodes": rewards.now.episodes,
    }


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
