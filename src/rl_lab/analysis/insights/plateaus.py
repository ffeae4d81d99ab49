"""Detectors for a reward that no longer changes: at its goal (converged), close below it (plateau), or far (stuck)."""

from rl_lab.analysis.curves import RunCurves
from rl_lab.analysis.insights.direction import block_spread, direction_of, room_below_useful
from rl_lab.analysis.insights.hints import Hint, as_fields, explore_more, faster, slower, train_longer
from rl_lab.analysis.insights.policy import entropy_is_collapsed, rate_signs, sustained_kl
from rl_lab.analysis.insights.reward import reward_window
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.wording import number, signed
from rl_lab.core.insights import Insight


def converged(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or rewards.is_below_threshold or direction_of(rewards) != "settled":
        return None
    return Insight(
        id="converged",
        level="good",
        title="Agent has converged on a stable strategy",
        text=f"Over the last {rewards.words(rewards.recent)} the reward stays at {number(rewards.now.mean)} "
        f"(change: {signed(rewards.gain.slope)}); it started at {number(rewards.start.mean)}.",
        confidence=_steadiness(rewards),
        evidence=_level_evidence(rewards),
        window=reward_window(rewards.recent),
    )


def plateau(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    goal = curves.reward_threshold
    if (
        rewards.missing
        or goal is None
        or not rewards.is_below_threshold
        or direction_of(rewards) != "settled"
    ):
        return None
    return Insight(
        id="plateau",
        level="info",
        title="Levelled off before it is solved",
        text=f"Over the last {rewards.words(rewards.recent)} the reward stays at {number(rewards.now.mean)} "
        f"(change: {signed(rewards.gain.slope)}), below the {number(goal)} that counts as solved.",
        confidence=_steadiness(rewards),
        evidence={**_level_evidence(rewards), "threshold": goal},
        window=reward_window(rewards.recent),
        **as_fields(_way_out(curves, rewards)),
    )


def stuck(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or direction_of(rewards) != "stuck":
        return None
    now, hint = rewards.now, _way_out(curves, rewards)
    goal = curves.reward_threshold
    short = "" if goal is None else f", {number(goal - now.mean)} below the threshold {number(goal)}"
    return Insight(
        id="stuck",
        level="warning",
        title=f"Training may be stuck, try {hint.goal}" if hint else "Training may be stuck",
        text=f"The reward stays at {number(now.mean)}{short}. It started at {number(rewards.start.mean)}; over the "
        f"last {rewards.words(rewards.recent)} it changed by {signed(rewards.gain.slope)}.",
        confidence=0.5 + 0.5 * room_below_useful(rewards),
        evidence={
            "mean_reward": now.mean,
            "start_reward": rewards.start.mean,
            "change": rewards.gain.slope,
            "change_low": rewards.gain.low,
            "change_high": rewards.gain.high,
            rewards.unit: rewards.amount(rewards.recent),
        },
        window=reward_window(rewards.recent),
        **as_fields(hint),
    )


def _steadiness(rewards: RewardCurve) -> float:
    return min(0.99, max(0.5, 1 - 1.5 * block_spread(rewards) / rewards.scale))


def _level_evidence(rewards: RewardCurve) -> dict[str, float | int | str]:
    return {
        "mean_reward": rewards.now.mean,
        "start_reward": rewards.start.mean,
        "change": rewards.gain.slope,
        "block_deviation": block_spread(rewards),
        rewards.unit: rewards.amount(rewards.recent),
    }


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
