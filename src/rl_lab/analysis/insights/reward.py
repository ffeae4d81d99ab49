"""Detectors for the reward of episodes: threshold, trend, noise and drops."""

from statistics import NormalDist

import numpy as np

from rl_lab.analysis.curves import Floats, RunCurves, Series
from rl_lab.analysis.insights.direction import direction_of, lost, risen
from rl_lab.analysis.insights.hints import as_fields, steadier_updates, train_longer
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.smoothing import block_edges
from rl_lab.analysis.trend import Trend
from rl_lab.analysis.wording import count, number, percent, signed
from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.insights import Insight, InsightWindow
from rl_lab.core.protocol.metrics import EVALUATION_RETURN

LEAST_VARIANCE = 200
"""Episodes that a comparison of variances needs."""


def too_short(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing is None:
        return None
    steps, amount = curves.last_step(), rewards.logged.points
    evaluated = curves.find(EVALUATION_RETURN[0])
    if not amount and len(evaluated):
        return _judged_by_evaluations(evaluated)
    return Insight(
        id="too_short",
        level="info",
        title="Too early to tell",
        text=f"After {count(amount, rewards.point.noun)} and {count(steps, 'step')} a trend cannot be distinguished "
        f"from chance. Still needed: {rewards.missing}.",
        evidence={rewards.unit: amount, "steps": steps, "missing": rewards.missing},
        window=reward_window(rewards.logged),
    )


def _judged_by_evaluations(evaluated: Series) -> Insight:
    """Of a training that plays no episodes: it learns from a dataset."""
    last, best = float(evaluated.value[-1]), float(evaluated.value.max())
    return Insight(
        id="too_short",
        level="info",
        title="Judged by its evaluations",
        text=f"It plays no episodes while it learns. {count(len(evaluated), 'evaluation')} of its checkpoints: the "
        f"last has a mean return of {number(last)}, the best one of {number(best)}.",
        evidence={"evaluations": len(evaluated), "last_return": last, "best_return": best},
    )


def at_threshold(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    threshold = curves.reward_threshold
    last = rewards.logged.singles().tail(REWARD_WINDOW if rewards.is_single else 1)
    enough = len(last) >= 20 if rewards.is_single else rewards.point.kind == "mean" and len(last)
    if threshold is None or not enough or (mean := rewards.solving_mean) < threshold:
        return None
    whose = f"last {count(len(last), 'episode')}" if rewards.is_single else "last 100 episodes, as logged,"
    return Insight(
        id="at_threshold",
        level="good",
        title="Reward threshold reached",
        text=f"The mean reward of the {whose} is {number(mean)}; {curves.env_id or 'the environment'} counts as "
        f"solved at {number(threshold)}.",
        evidence={"mean_reward": mean, "threshold": threshold, rewards.unit: len(last)},
        window=reward_window(last),
    )


def improving(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or direction_of(rewards) != "improving":
        return None
    gain = rewards.longer_gain if rewards.longer_gain.is_up and not rewards.gain.is_up else rewards.gain
    hint = train_longer(curves) if curves.last_step() >= 0.9 * curves.total_timesteps else None
    return Insight(
        id="improving",
        level="good",
        title="Still improving",
        text=f"The reward rises by {_pace(rewards, gain)}.",
        confidence=gain.chance_up,
        evidence=_pace_evidence(rewards, gain),
        window=reward_window(_measured(rewards, gain)),
        **as_fields(hint),
    )


def getting_worse(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or direction_of(rewards) != "worse":
        return None
    gain = rewards.gain if rewards.gain.is_down else rewards.longer_gain
    at, best = rewards.best
    return Insight(
        id="getting_worse",
        level="warning",
        title="Getting worse",
        text=f"The reward falls by {_pace(rewards, gain)}. It was {number(best)} around "
        f"step {int(at):,} and is {number(rewards.latest.mean)} now.",
        confidence=1 - gain.chance_up,
        evidence=_pace_evidence(rewards, gain) | {"best_reward": best, "best_step": int(at)},
        window=reward_window(_measured(rewards, gain)),
        **as_fields(steadier_updates(curves.params)),
    )


def _measured(rewards: RewardCurve, gain: Trend) -> Series:
    return rewards.series.since(rewards.series.step[-1] - abs(gain.span))


def _pace(rewards: RewardCurve, gain: Trend) -> str:
    """“12.1 per 10,000 steps (95 % interval 9 to 15), measured over the last 120 episodes”; of a fall, its size."""
    per, sign = 10_000 / gain.span, 1 if gain.slope > 0 else -1
    low, high = sorted((sign * gain.low * per, sign * gain.high * per))
    lag = ", which lag behind" if rewards.point.kind == "mean" else ""
    return (
        f"{number(sign * gain.slope * per)} per 10,000 steps (95 % interval {number(low)} to {number(high)}), "
        f"measured over the last {rewards.words(_measured(rewards, gain))}{lag}"
    )


def _pace_evidence(rewards: RewardCurve, gain: Trend) -> dict[str, float | int | str]:
    per = 10_000 / gain.span
    return {
        "slope_per_10000_steps": gain.slope * per,
        "slope_low": gain.low * per,
        "slope_high": gain.high * per,
        rewards.unit: rewards.amount(_measured(rewards, gain)),
    }


def catastrophic_drop(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if rewards.missing or direction_of(rewards) != "dropped":
        return None
    at, best = rewards.best
    hint = steadier_updates(curves.params)
    advice = f"A checkpoint from about step {int(at):,} still contains the better policy."
    part, share = rewards.ending(0.1, 10), min(1.0, lost(rewards) / risen(rewards))
    return Insight(
        id="catastrophic_drop",
        level="warning",
        title="Reward collapsed",
        text=f"The reward fell from {number(best)} around step {int(at):,} to {number(rewards.latest.mean)} in the "
        f"last {rewards.words(part)}: {percent(share)} of the gain since the start is lost.",
        confidence=float(np.clip(share, 0.5, 0.99)),
        evidence={
            "best_reward": best,
            "best_step": int(at),
            "start_reward": rewards.start.mean,
            "mean_reward": rewards.latest.mean,
            "lost": lost(rewards),
            rewards.unit: rewards.amount(part),
        },
        window=InsightWindow(series="reward", from_step=int(at), to_step=int(rewards.series.step[-1])),
        **(as_fields(hint) | {"hint": f"{advice} {hint.text}" if hint else advice}),
    )


def variance_reduced(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    single = rewards.logged.singles()
    if rewards.missing or not rewards.is_single or len(single) < LEAST_VARIANCE:
        return None
    half = min(rewards.episodes // 4, len(single) // 2, 1000)
    tail = single.tail(2 * half)
    before, after = squared_jumps(tail.value[:half]), squared_jumps(tail.value[half:])
    if before.mean() <= 0 or _fell(tail, half):
        return None
    ratio, error, cautious = _variance_ratio(before, after)
    if ratio > 0.6 or cautious * float(np.exp(1.4 * error)) > 0.7:
        return None
    return Insight(
        id="variance_reduced",
        level="good",
        title=f"Variance reduced by {percent(1 - ratio)} over last {count(half, 'episode')}",
        text=f"Rewards differ less from episode to episode: their variance is {number(float(after.mean()))} in the "
        f"last {count(half, 'episode')}, and was {number(float(before.mean()))} in the {half:,} before them.",
        confidence=min(0.99, NormalDist().cdf(-float(np.log(max(ratio, 1e-9))) / max(error, 1e-9))),
        evidence={
            "reduction": 1 - ratio,
            "variance_before": float(before.mean()),
            "variance_after": float(after.mean()),
            "episodes": half,
        },
        window=reward_window(tail.tail(half)),
    )


def _fell(tail: Series, half: int) -> bool:
    """Whether the second half is lower than the first: rewards that fall to a floor vary less, which is no success."""
    before, after = tail.value[:half], tail.value[half:]
    error = float(np.sqrt((before.var() + after.var()) / half))
    return bool(after.mean() < before.mean() - 2 * error)


def unclear(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    """Used only if no other detector found anything about the reward."""
    if rewards.missing or direction_of(rewards) != "unclear":
        return None
    gain = rewards.gain
    return Insight(
        id="unclear",
        level="info",
        title="No clear trend",
        text=f"The mean reward of the last {rewards.words(rewards.recent)} is {number(rewards.now.mean)}. "
        f"{_why_no_trend(rewards)} It started at {number(rewards.start.mean)}.",
        evidence={
            "change": gain.slope,
            "change_low": gain.low,
            "change_high": gain.high,
            "noise": rewards.now.noise,
            rewards.unit: rewards.amount(rewards.recent),
        },
        window=reward_window(rewards.recent),
    )


def _why_no_trend(rewards: RewardCurve) -> str:
    """Why a change is not a trend: it may be chance, or it is certain but small."""
    gain = rewards.gain
    if gain.low < 0 < gain.high:
        return (
            f"It may be rising or falling: single episodes differ by about {number(rewards.now.noise)}, so the true "
            f"change may be anything from {signed(gain.low)} to {signed(gain.high)}."
        )
    if gain.slope == 0:
        return "It went up as often as down."
    verb = "rose" if gain.slope > 0 else "fell"
    return (
        f"It {verb} by {number(abs(gain.slope))}, which is small compared with the {number(rewards.scale)} from its "
        "start to its best or to the threshold."
    )


def squared_jumps(values: Floats) -> Floats:
    """Half the squared difference between consecutive episodes; their mean is the variance without slow trends."""
    return np.asarray(np.diff(values) ** 2 / 2, dtype=np.float64)


def _variance_ratio(before: Floats, after: Floats) -> tuple[float, float, float]:
    """Ratio of the mean jumps, the standard error of its logarithm, and the ratio with one more large jump added.

    The last value is for scores that are constant except for rare failures: seeing none does not mean there are none.
    """
    error = float(np.hypot(_relative_error(before), _relative_error(after)))
    one_jump = float(np.sum(before**2) / np.sum(before))
    total = float(before.mean()) * len(after)
    return float(after.mean() / before.mean()), error, (float(after.sum()) + one_jump) / total


def _relative_error(jumps: Floats) -> float:
    """Standard error of the mean, relative to the mean: from ten blocks, or from the effective number of jumps."""
    mean = float(jumps.mean())
    if mean <= 0:
        return 0.0
    edges = block_edges(len(jumps), 10)
    blocks = np.add.reduceat(jumps, edges) / np.diff(np.append(edges, len(jumps)))
    carrying = float(jumps.sum() ** 2 / np.sum(jumps**2))
    return max(float(blocks.std(ddof=1) / np.sqrt(len(blocks)) / mean), 1 / float(np.sqrt(carrying)))


def reward_window(series: Series) -> InsightWindow | None:
    if not len(series):
        return None
    return InsightWindow(series="reward", from_step=int(series.step[0]), to_step=int(series.step[-1]))
