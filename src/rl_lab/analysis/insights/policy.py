"""Detectors for the policy's metrics: entropy, exploration rate, KL, clip fraction."""

import numpy as np

from rl_lab.analysis.curves import RunCurves, Series
from rl_lab.analysis.insights.direction import is_improving
from rl_lab.analysis.insights.hints import as_fields, explore_more, faster, slower, steadier_updates
from rl_lab.analysis.insights.reward_curve import RewardCurve
from rl_lab.analysis.wording import count, number, percent, sentence_list
from rl_lab.core.insights import Insight, InsightWindow

LEAST_UPDATES = 6
GAUSSIAN_NATS = 1.4189385
"""Entropy of one Gaussian action dimension with deviation 1, the usual start of continuous policies."""
DETERMINISTIC = 0.02
"""Below this entropy in nats a discrete policy almost always takes the same action."""
LEAST_ENTROPY = 0.05
"""An entropy that begins below this cannot collapse; in a loss, it is multiplied by a small or zero weight."""
LEAST_GAIN = 0.05
"""A gain that is a smaller share of the reward range is nothing learnt."""
KL_HIGH = 0.05
KL_LOW = 3e-4
CLIP_HIGH = 0.4
CLIP_JUMP = 0.5


def exploration_collapsed(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    if entropy_is_collapsed(curves):
        return _entropy_collapse(curves, rewards)
    return _exploration_ended(curves, rewards)


def unstable(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    kl, clip = curves.find("kl"), curves.find("clip_fraction")
    spikes = _spikes(kl, floor=_target_kl(curves) * 3, factor=6.0)
    # The clip fraction is a coarser measure than the KL; it is used only if the run reports no KL.
    jumps = clip.tail(0) if len(kl) else _spikes(clip, floor=CLIP_JUMP, factor=3.0)
    if not len(spikes) and not len(jumps):
        return None
    series, found, name = (kl, spikes, "kl") if len(spikes) else (clip, jumps, "clip_fraction")
    usual, worst = float(np.median(series.value)), float(found.value.max())
    hint = steadier_updates(curves.params)
    label = "KL divergence" if name == "kl" else "clip fraction"
    return Insight(
        id="unstable",
        level="warning",
        title="Unstable updates",
        text=f"In {count(len(found), 'update')} of {len(series):,} the {label} jumped, up to {number(worst)} "
        f"({number(usual)} is usual for this run): single updates change the policy abruptly.",
        confidence=float(np.clip(0.6 + 0.1 * len(found), 0.0, 0.98)),
        evidence={
            "metric": name,
            "spikes": len(found),
            "updates": len(series),
            "highest": worst,
            "median": usual,
        },
        window=_window(name, found),
        **as_fields(hint),
    )


def learning_rate_too_high(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    signs, kl, clip = rate_signs(curves, rewards), curves.find("kl"), curves.find("clip_fraction")
    if not signs:
        return None
    hint = slower(curves.params)
    listed = sentence_list([f"{name} {number(value)}" for name, value in signs.items()])
    return Insight(
        id="learning_rate_too_high",
        level="warning",
        title="Learning rate may be too high",
        text=f"Each update changes the policy too much: {listed} over {count(max(len(kl), len(clip)), 'update')} "
        f"(in a stable run, KL stays below {KL_HIGH} and the clip fraction below {CLIP_HIGH}).",
        confidence=0.95 if len(signs) > 1 else 0.85,
        evidence={
            **{name.replace(" ", "_").lower(): value for name, value in signs.items()},
            "updates": max(len(kl), len(clip)),
        },
        window=_window("kl", kl) if len(kl) else _window("clip_fraction", clip),
        **as_fields(hint),
    )


def learning_rate_too_low(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    kl, usual = curves.find("kl"), sustained_kl(curves)
    if usual is None or usual >= KL_LOW or rewards.missing or has_learnt_anything(rewards):
        return None
    clipped = _sustained(curves.find("clip_fraction")) or 0.0
    if clipped > 0.005 or entropy_is_collapsed(curves):
        return None
    hint = faster(curves.params)
    return Insight(
        id="learning_rate_too_low",
        level="warning",
        title="Learning rate may be too low",
        text=f"The policy hardly changes: the median KL of {count(len(kl), 'update')} is {number(usual)}, and the "
        f"reward is {number(rewards.now.mean)}, compared with {number(rewards.start.mean)} at the start.",
        confidence=0.9,
        evidence={"median_kl": usual, "median_clip_fraction": clipped, "updates": len(kl)},
        window=_window("kl", kl),
        **as_fields(hint),
    )


def has_learnt_anything(rewards: RewardCurve) -> bool:
    """The reward is above its start, or rises."""
    least = LEAST_GAIN * rewards.scale
    risen = rewards.has_gained and rewards.gained > least
    return risen or is_improving(rewards) or (rewards.whole_gain.is_up and rewards.whole_gain.slope > least)


def entropy_is_collapsed(curves: RunCurves) -> bool:
    entropy = curves.find("entropy")
    if len(entropy) < LEAST_UPDATES:
        return False
    first, now = _ends(entropy)
    if 0 <= first < LEAST_ENTROPY:
        # There was nothing to lose: a deterministic policy, or the entropy's share of a loss.
        return False
    dimensions = round(first / GAUSSIAN_NATS)
    is_gaussian = dimensions >= 1 and abs(first / (dimensions * GAUSSIAN_NATS) - 1) < 0.01
    if is_gaussian or entropy.value.min() < 0:
        # Each dimension lost four nats: its standard deviation fell to less than a fiftieth.
        return now < first - 4 * max(1, dimensions)
    return now < max(0.05 * first, DETERMINISTIC)


def rate_signs(curves: RunCurves, rewards: RewardCurve) -> dict[str, float]:
    """The metrics that indicate a learning rate that is too high; empty if none does."""
    signs: dict[str, float] = {}
    kl, clip = curves.find("kl"), curves.find("clip_fraction")
    usual_kl, usual_clip = sustained_kl(curves), _sustained(clip)
    if usual_kl is not None and usual_kl > max(KL_HIGH, 2.5 * _target_kl(curves)):
        signs["median KL"] = usual_kl
    if usual_clip is not None and usual_clip > CLIP_HIGH:
        signs["median clip fraction"] = usual_clip
    if len(kl) and not rewards.missing and not rewards.learnt and (worst := float(kl.value.max())) > 1:
        signs["highest KL of one update"] = worst
    return signs


def sustained_kl(curves: RunCurves) -> float | None:
    """Median KL after the first tenth of the updates; None if the run reports too few."""
    return _sustained(curves.find("kl"))


def _entropy_collapse(curves: RunCurves, rewards: RewardCurve) -> Insight:
    entropy = curves.find("entropy")
    first, now = _ends(entropy)
    middle = (first + now) / 2
    when = int(entropy.step[int(np.argmax(entropy.value <= middle))])
    hint = slower(curves.params) if rate_signs(curves, rewards) else explore_more(curves.params)
    return Insight(
        id="exploration_collapsed",
        level="warning",
        title="Exploration collapsed",
        text=f"The policy's entropy (how varied its actions are) fell from {number(first)} to {number(now)}, half "
        f"of it by step {when:,}: it takes nearly the same action for every observation and finds no better ones.",
        confidence=0.95,
        evidence={
            "entropy_first": first,
            "entropy_now": now,
            "half_fallen_step": when,
            "updates": len(entropy),
        },
        window=_window("entropy", entropy),
        **as_fields(hint),
    )


def _exploration_ended(curves: RunCurves, rewards: RewardCurve) -> Insight | None:
    """For value-based learners: random actions ended long ago, and nothing was learnt."""
    rate = curves.find("exploration_rate")
    if len(rate) < 3 or rewards.missing or has_learnt_anything(rewards) or rate.value[-1] > 0.1:
        return None
    ended = int(rate.step[int(np.argmax(rate.value <= max(1.05 * rate.value[-1], 0.02)))])
    if ended > 0.6 * curves.last_step():
        return None
    hint = explore_more(curves.params)
    return Insight(
        id="exploration_collapsed",
        level="warning",
        title="Exploration ended before anything was learnt",
        text=f"Since step {ended:,} only {percent(float(rate.value[-1]))} of the actions are random, but the reward "
        f"is {number(rewards.now.mean)}, compared with {number(rewards.start.mean)} at the start.",
        confidence=0.85,
        evidence={
            "exploration_rate": float(rate.value[-1]),
            "ended_step": ended,
            "mean_reward": rewards.now.mean,
            rewards.unit: rewards.amount(rewards.recent),
        },
        window=_window("exploration_rate", rate),
        **as_fields(hint),
    )


def _spikes(series: Series, *, floor: float, factor: float) -> Series:
    """Points far above the run's own median; empty unless there are at least two and 2 % of all points."""
    if len(series) < 2 * LEAST_UPDATES:
        return series.tail(0)
    high = series.value > max(floor, factor * float(np.median(series.value)))
    if high.sum() < max(2, 0.02 * len(series)):
        return series.tail(0)
    return series.take(high)


def _sustained(series: Series) -> float | None:
    if len(series) < LEAST_UPDATES:
        return None
    return float(np.median(series.value[len(series) // 10 :]))


def _ends(series: Series) -> tuple[float, float]:
    edge = max(2, len(series) // 10)
    return float(series.value[: min(edge, 5)].max()), float(np.median(series.value[-edge:]))


def _target_kl(curves: RunCurves) -> float:
    target = curves.params.get("target_kl")
    return float(target) if isinstance(target, int | float) and target > 0 else 0.02


def _window(name: str, series: Series) -> InsightWindow:
    return InsightWindow(series=name, from_step=int(series.step[0]), to_step=int(series.step[-1]))
