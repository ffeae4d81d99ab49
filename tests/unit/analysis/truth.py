"""What an observer who sees the true mean of every episode, without noise, would report about a simulated run.

Each detector's verdict is True, False, or None for borderline cases and for effects that are
too small to distinguish from noise. Only True and False are scored.
"""

from dataclasses import dataclass

import numpy as np
from unit.analysis.synthetic import MadeRun

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.insights.detect import DETECTORS, SILENT_AT_THE_GOAL

Verdict = bool | None
UNSCORED = ("unclear", "plateau")
"""`unclear` is reported if no other detector finds anything; no simulated run levels off close below its threshold."""
SCORED = tuple(name for name in DETECTORS if name not in UNSCORED)


@dataclass(frozen=True)
class Course:
    """The true curve in numbers. All reward differences are shares of the reward range."""

    gain: float
    late_gain: float
    """The gain over the second half of the recent window only: an earlier step is not a trend now."""
    gain_error: float
    level: float
    latest: float
    best: float
    progress: float | None
    noise: float
    episodes: int


def truth_of(run: MadeRun) -> dict[str, Verdict]:
    """The verdict for every detector."""
    if run.course == "short":
        # With so few episodes the threshold may be reached by chance.
        return dict.fromkeys(SCORED, False) | {"too_short": True, "at_threshold": None}
    course = _course(run)
    verdicts: dict[str, Verdict] = {"too_short": False, "at_threshold": _threshold(run)}
    verdicts |= {"improving": _improving(course), "converged": _converged(course), "stuck": _stuck(course)}
    verdicts |= {"catastrophic_drop": _dropped(course), "variance_reduced": _calmer(run)}
    verdicts |= _faults(run.fault)
    return _resolve(verdicts)


def _course(run: MadeRun) -> Course:
    steps, mean = run.curves.series["reward"].step, run.mean
    recent = steps >= steps[-1] - 0.3 * (steps[-1] - steps[0])
    recent[-20:] = True
    latest = steps >= steps[-1] - 0.1 * (steps[-1] - steps[0])
    latest[-10:] = True
    start = float(mean[: max(10, len(mean) // 20)].mean())
    width = max(10, len(mean) // 30)
    best = float(np.convolve(mean, np.ones(width) / width, mode="valid").max())
    threshold = run.curves.reward_threshold
    noise = float(np.sqrt(np.mean(run.deviation[recent] ** 2)))
    stake = max(best - start, 0.0 if threshold is None else threshold - start, noise)
    level = float(mean[recent].mean())
    x = steps[recent] - steps[recent].mean()
    span, half = float(x[-1] - x[0]), len(x) // 2
    return Course(
        gain=_slope(x, mean[recent]) * span / stake,
        late_gain=_slope(x[half:], mean[recent][half:]) * span / stake,
        gain_error=noise / float(np.sqrt(np.sum(x**2))) * span / stake,
        level=(level - start) / stake,
        latest=(float(mean[latest].mean()) - start) / stake,
        best=(best - start) / stake,
        progress=None if threshold is None else (level - start) / (threshold - start),
        noise=noise / stake,
        episodes=int(recent.sum()),
    )


def _slope(x: Floats, y: Floats) -> float:
    centred = x - x.mean()
    return float(np.sum(centred * y) / np.sum(centred**2))


def _improving(course: Course) -> Verdict:
    if course.gain < 0.03:
        return False
    clear = course.gain > max(0.12, 3.5 * course.gain_error) and course.late_gain > 0.06
    return True if clear else None


def _converged(course: Course) -> Verdict:
    """Whether it levelled off at its goal; below the threshold is another insight."""
    levelled, error = _levelled(course), course.noise / float(np.sqrt(course.episodes))
    if course.progress is None or levelled is False:
        return levelled
    if abs(course.progress - 1) < 2 * error + 0.01:
        return None
    return False if course.progress < 1 else levelled


def _levelled(course: Course) -> Verdict:
    done = course.progress if course.progress is not None else course.level / 0.6
    error = course.noise / float(np.sqrt(course.episodes))
    moving = abs(course.gain) > 0.2 and abs(course.late_gain) > 0.1
    if moving or done < 0.7 - 2 * error or course.best - course.level > 0.3:
        return False
    settled = abs(course.gain) < 0.05 and course.gain_error < 0.08 and course.best - course.level < 0.1
    return True if settled and done > 0.9 + 2 * error else None


def _stuck(course: Course) -> Verdict:
    fell = course.best - course.latest > 0.3
    done = course.progress if course.progress is not None else course.level / 0.6
    error = course.noise / float(np.sqrt(course.episodes))
    if course.gain > max(0.12, 3.5 * course.gain_error) or done > 0.9 + 2 * error:
        return False
    if fell:
        return False if _dropped(course) else None
    return True if abs(course.gain) < 0.05 and done < 0.65 - 2 * error else None


def _dropped(course: Course) -> Verdict:
    lost = course.best - course.latest
    if lost < 0.3 * course.best or lost < 0.1:
        return False
    return True if lost > max(0.65 * course.best, 0.35, 1.2 * course.noise) else None


def _threshold(run: MadeRun) -> Verdict:
    threshold = run.curves.reward_threshold
    if threshold is None:
        return False
    mean, deviation = run.mean[-100:], run.deviation[-100:]
    margin = 2 * float(np.sqrt(np.mean(deviation**2) / len(mean)))
    if abs(float(mean.mean()) - threshold) < margin:
        return None
    return bool(mean.mean() > threshold)


def _calmer(run: MadeRun) -> Verdict:
    half = min(len(run.mean) // 4, 1000)
    before, after = _variance(run, slice(-2 * half, -half)), _variance(run, slice(-half, None))
    if before == 0 or after > 0.8 * before:
        return False
    return True if after < before * min(0.45, 0.9 * float(np.exp(-3 * run.late_ratio_error))) else None


def _variance(run: MadeRun, part: slice) -> float:
    """True variance of the episodes around a smooth mean: their own, and that of an oscillating mean."""
    mean: Floats = run.mean[part]
    return float(np.mean(run.deviation[part] ** 2) + np.mean(np.diff(mean) ** 2) / 2)


def _faults(fault: str) -> dict[str, Verdict]:
    return {
        "unstable": fault in ("kl_spikes", "clip_spikes"),
        "learning_rate_too_high": fault == "rate_too_high",
        "learning_rate_too_low": fault == "frozen_policy",
        "exploration_collapsed": fault in ("entropy_collapse", "dead_exploration"),
        "value_not_learning": fault == "blind_value",
        "value_divergence": fault == "value_runs_away",
        "diverged": fault == "not_a_number",
    }


def _resolve(verdicts: dict[str, Verdict]) -> dict[str, Verdict]:
    """Corrects verdicts that a stronger truth makes untrue or irrelevant."""
    if verdicts["diverged"]:
        verdicts |= dict.fromkeys(("converged", "improving", "stuck", "variance_reduced"), False)
    if verdicts["catastrophic_drop"] is not False or verdicts["stuck"] is not False:
        certain = verdicts["catastrophic_drop"] or verdicts["stuck"]
        verdicts["variance_reduced"] = False if certain or not verdicts["variance_reduced"] else None
    for name in SILENT_AT_THE_GOAL - {"stuck", "unclear"}:
        if verdicts[name]:
            done = verdicts["at_threshold"] or verdicts["converged"]
            open_question = verdicts["at_threshold"] is None or verdicts["converged"] is None
            verdicts[name] = False if done else None if open_question else True
    return verdicts
