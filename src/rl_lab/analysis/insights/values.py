"""Detectors for the learner's estimates: value function, losses, NaN and infinite values."""

import numpy as np

from rl_lab.analysis.curves import EMPTY, RunCurves, Series
from rl_lab.analysis.insights.hints import as_fields, calmer_values, change, faster
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.smoothing import means_by_count
from rl_lab.analysis.trend import fit_line
from rl_lab.analysis.wording import count, number
from rl_lab.core.insights import Insight, InsightWindow

LEAST_UPDATES = 8
CHECKED = ("reward", "loss", "policy_loss", "value_loss", "entropy", "kl", "gradient_norm")
"""Series that are finite in a healthy run. Explained variance is not included: it is NaN if returns are constant."""
GROWTH = 10.0


def diverged(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    broken = {name: bad for name in CHECKED if (bad := _broken(curves.series.get(name, EMPTY)))}
    if not broken:
        return None
    name = min(broken, key=lambda key: broken[key][0])
    step, amount = broken[name]
    hint = calmer_values(curves.params)
    last = int(curves.series[name].step[-1])
    return Insight(
        id="diverged",
        level="warning",
        title="Numbers are no longer finite",
        text=f"{name} is NaN or infinite from step {step:,} on ({amount:,} of {len(curves.series[name]):,} points, "
        f"{count(len(broken), 'metric')} affected): training after that step is useless.",
        evidence={"metric": name, "first_step": step, "points": amount, "metrics": ", ".join(broken)},
        window=InsightWindow(series=name, from_step=step, to_step=last),
        **as_fields(hint),
    )


def value_divergence(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    name = "value_loss" if len(curves.find("value_loss")) else "loss"
    loss = curves.find(name)
    if len(loss) < 2 * LEAST_UPDATES or np.any(loss.value <= 0):
        return None
    steps, means = means_by_count(loss, 24)
    quarter = max(2, len(means) // 4)
    before, now = float(np.median(means[:-quarter])), float(np.median(means[-quarter:]))
    late = len(means) // 2
    trend = fit_line(steps[late:], np.log(means[late:]))
    if now < GROWTH * _allowed_growth(rewards) * before or trend.chance_up < 0.95:
        return None
    hint = calmer_values(curves.params)
    return Insight(
        id="value_divergence",
        level="warning",
        title="Value estimate is diverging",
        text=f"{name} grew by a factor of {number(now / before)}, from {number(before)} to {number(now)}, and is still "
        "growing; the reward does not explain this.",
        confidence=float(np.clip(trend.chance_up, 0.5, 0.98)),
        evidence={"metric": name, "before": before, "now": now, "growth": now / before, "updates": len(loss)},
        window=InsightWindow(series=name, from_step=int(steps[late]), to_step=int(loss.step[-1])),
        **as_fields(hint),
    )


def value_not_learning(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    explained = curves.find("explained_variance")
    if len(explained) < LEAST_UPDATES or rewards.missing:
        return None
    late = explained.tail(max(4, len(explained) // 2))
    usual = float(np.median(late.value))
    share = float(np.mean(late.value < 0.2))
    if usual > 0.1 or share < 0.7:
        return None
    hint = change(curves.params, "value_weight", lambda weight: 2 * weight) or faster(curves.params)
    return Insight(
        id="value_not_learning",
        level="warning",
        title="Value function is not learning",
        text=f"In the last {count(len(late), 'update')} the value function explains {number(usual)} of the variance "
        "of returns (median; 1 is perfect, 0 is no better than a constant), so advantages are mostly noise.",
        confidence=float(np.clip(0.5 + share / 2, 0.0, 0.97)),
        evidence={"explained_variance": usual, "share_below_0.2": share, "updates": len(late)},
        window=InsightWindow(
            series="explained_variance", from_step=int(late.step[0]), to_step=int(late.step[-1])
        ),
        **as_fields(hint),
    )


def _allowed_growth(rewards: RewardCurve) -> float:
    """A squared error grows with the square of the returns, so higher returns alone may explain this growth."""
    if rewards.missing:
        return 1.0
    means = rewards.blocks.mean
    early = float(np.median(np.abs(means[: max(1, len(means) // 2)])))
    late = float(np.max(np.abs(means[len(means) // 2 :])))
    return max(1.0, (late / early) ** 2) if early > 0 else 1.0


def _broken(series: Series) -> tuple[int, int] | None:
    """First step and number of points that are not finite."""
    bad = ~series.is_finite()
    amount = int(bad.sum())
    return (int(series.step[int(np.argmax(bad))]), amount) if amount else None
