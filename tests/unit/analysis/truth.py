"""What an observer who sees the true mean of every episode, without noise, would report about a simulated run.

Each detector's verdict is True, False, or None for borderline cases and for effects that are
too small to distinguish from noise. Only True and False are scored.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from unit.analysis.synthetic import MadeRun

from rl_lab.analysis.curves import Floats
from rl_lab.analysis.insights.detect import DETECTORS, SILENT_AT_THE_GOAL
from rl_lab.analysis.insights.direction import USEFUL_NOISE, USEFUL_SHARE
from rl_lab.analysis.insights.reward_curve import RewardCurve

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
    """Of one visible point: an episode, or a mean."""
    points: int
    """Independent points in the recent window."""
    all_points: int
    whole_gain: float
    wander: float = 0.0
    """How much the mean moves within the recent window besides its trend."""

    @property
    def level_error(self) -> float:
        return self.noise / float(np.sqrt(self.points))

    @property
    def is_rising(self) -> bool:
        clear = self.gain > max(0.12, 4 * self.gain_error) and self.late_gain > 0.06
        return clear and self.wander < 0.25 * self.gain

    @property
    def is_falling(self) -> bool:
        clear = self.gain < -max(0.12, 4 * self.gain_error) and self.late_gain < -0.06
        return clear and self.wander < -0.25 * self.gain


def truth_of(run: MadeRun) -> dict[str, Verdict]:
    """The verdict for every detector."""
    if run.course == "short":
        # With so few episodes the threshold may be reached by chance.
        return dict.fromkeys(SCORED, False) | {"too_short": True, "at_threshold": None}
    if RewardCurve(run.curves).missing:
        unsure = {name: None for name, verdict in _faults(run.fault).items() if verdict}
        return dict.fromkeys(SCORED, False) | {"too_short": True, "at_threshold": None} | unsure
    course = course_of(run)
    verdicts: dict[str, Verdict] = {"too_short": False, "at_threshold": _threshold(run)}
    verdicts |= _direction(course)
    verdicts["variance_reduced"] = None if run.logging == "means" else _calmer(run)
    verdicts |= _faults(run.fault)
    if verdicts["value_divergence"] and _grew(run):
        verdicts["value_divergence"] = None
    return _resolve(verdicts)


def course_of(run: MadeRun) -> Course:
    """The noise-free curve at the independent points that the detectors see."""
    reward = RewardCurve(run.curves)
    seen = np.isin(run.curves.series["reward"].step, reward.series.step)
    steps, mean, deviation = run.curves.series["reward"].step[seen], run.mean[seen], run.deviation[seen]
    recent = steps >= reward.recent.step[0]
    latest = steps >= reward.ending(0.1, 10).step[0]
    means = run.logging == "means"
    start = float(mean[: 1 if means else max(10, len(mean) // 20)].mean())
    width = max(1 if means else 10, len(mean) // 30)
    best = float(np.convolve(mean, np.ones(width) / width, mode="valid").max())
    noise = float(np.sqrt(np.mean(deviation[recent] ** 2)))
    threshold = run.curves.reward_threshold
    random = 5 * float(np.sqrt(np.mean(deviation**2))) * float(np.sqrt(max(1.0, 40 / len(mean))))
    to_threshold = 0.0 if threshold is None else threshold - start
    random = random / np.sqrt(max(1.0, len(mean) / 40))
    stake = max(
        best - start, best - float(mean.min()), to_threshold, float(random), 1e-9 * float(np.abs(mean).max())
    )
    level = float(mean[recent].mean())
    x = steps[recent] - steps[recent].mean()
    span, half = float(x[-1] - x[0]), len(x) // 2
    slope = _slope(x, mean[recent])
    return Course(
        gain=slope * span / stake,
        late_gain=_slope(x[half:], mean[recent][half:]) * span / stake,
        gain_error=noise / float(np.sqrt(np.sum(x**2))) * span / stake,
        level=(level - start) / stake,
        latest=(float(mean[latest].mean()) - start) / stake,
        best=(best - start) / stake,
        progress=None if threshold is None else _progress(level, start, threshold),
        noise=noise / stake,
        points=int(recent.sum()),
        all_points=len(mean),
        whole_gain=_slope(steps, mean) * float(steps[-1] - steps[0]) / stake,
        wander=float(np.std(mean[recent] - level - slope * x)) / stake,
    )


def _progress(level: float, start: float, threshold: float) -> float:
    """The share of the way to the threshold; a run that starts above it is 2 where it still is, else 0."""
    if threshold > start:
        return (level - start) / (threshold - start)
    return 2.0 if level >= threshold else 0.0


def _slope(x: Floats, y: Floats) -> float:
    centred = x - x.mean()
    width = float(np.sum(centred**2))
    return float(np.sum(centred * y)) / width if width > 0 else 0.0


def _direction(course: Course) -> dict[str, Verdict]:
    """One of them at most is true: the first in this order."""
    verdicts: dict[str, Verdict] = {}
    candidates = {
        "catastrophic_drop": _dropped(course),
        "getting_worse": _worse(course),
        "improving": _improving(course),
        "converged": _converged(course),
        "stuck": _stuck(course),
    }
    open_question = False
    if course.all_points < 12:
        candidates = {name: verdict and None for name, verdict in candidates.items()}
    for name, verdict in candidates.items():
        if any(verdicts.values()):
            verdicts[name] = False
            if name == "getting_worse" and course.gain < -0.03:
                # What collapsed fell, too; the other sentence is the better one.
                verdicts[name] = None
        elif verdict and open_question:
            verdicts[name] = None
        else:
            verdicts[name] = verdict
        open_question = open_question or verdict is None
    return verdicts


def _improving(course: Course) -> Verdict:
    if course.gain < 0.03:
        return False
    return True if course.is_rising else None


def _worse(course: Course) -> Verdict:
    if course.gain > -0.03:
        return False
    return True if course.is_falling else None


def _converged(course: Course) -> Verdict:
    """Whether it levelled off at its goal; below the threshold is another insight."""
    levelled, error = _levelled(course), course.level_error
    if course.progress is None or levelled is False:
        return levelled
    if abs(course.progress - 1) < 2 * error + 0.01:
        return None
    return False if course.progress < 1 else levelled


def _levelled(course: Course) -> Verdict:
    done = course.progress if course.progress is not None else course.level / 0.6
    error = course.level_error
    moving = abs(course.gain) > 0.2 and abs(course.late_gain) > 0.1
    if moving or done < 0.7 - 2 * error or course.best - course.level > 0.3:
        return False
    settled = abs(course.gain) < 0.05 and course.gain_error < 0.08 and course.best - course.level < 0.1
    return True if settled and course.wander < 0.1 and done > 0.9 + 2 * error else None


def _stuck(course: Course) -> Verdict:
    """Nothing useful is being gained, and there are enough episodes to exclude it."""
    done = course.progress if course.progress is not None else course.level / 0.4
    error = course.level_error
    if course.is_rising or course.is_falling or done > 0.9 + 2 * error:
        return False
    still = abs(course.gain) < max(0.02, 0.5 * course.gain_error)
    if not still or done > 0.65 - 2 * error or course.best - course.latest > 0.3:
        return None
    if course.progress is None:
        flat = abs(course.whole_gain) < 0.3 * course.noise
        return True if flat and course.all_points > 500 and course.level < 0.3 else None
    return True if course.gain + 4 * course.gain_error < USEFUL_SHARE * (1 - done) else None


def _dropped(course: Course) -> Verdict:
    lost, up = course.best - course.latest, course.best
    if lost < 0.3 * up or lost < 0.1 or up < 0.3 * lost:
        return False
    error = course.noise * float(np.sqrt(13.3 / course.all_points + 10 / course.all_points))
    return True if lost > max(0.65 * up, 0.3, 8 * error) and up > max(0.65 * lost, 5 * error) else None


def _threshold(run: MadeRun) -> Verdict:
    threshold = run.curves.reward_threshold
    if threshold is None:
        return False
    last = 1 if run.logging == "means" else 100
    mean, deviation = run.mean[-last:], run.deviation[-last:]
    margin = 2 * float(np.sqrt(np.mean(deviation**2) / len(mean)))
    if abs(float(mean.mean()) - threshold) < margin:
        return None
    return bool(mean.mean() > threshold)


def _calmer(run: MadeRun) -> Verdict:
    half = min(len(run.mean) // 4, 1000)
    before, after = _variance(run, slice(-2 * half, -half)), _variance(run, slice(-half, None))
    if before == 0 or after > 0.8 * before or len(run.mean) < 200:
        return False
    return True if after < before * min(0.4, 0.9 * float(np.exp(-3.5 * run.late_ratio_error))) else None


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
        "diverged": fault in ("not_a_number", "infinite_reward"),
    }


def _grew(run: MadeRun) -> bool:
    """Whether the rewards themselves grew so much in size that they explain a larger value loss."""
    size, half = np.abs(run.mean), len(run.mean) // 2
    return float(size[half:].max()) > 2 * float(np.median(size[:half]))


def _resolve(verdicts: dict[str, Verdict]) -> dict[str, Verdict]:
    """Corrects verdicts that a stronger truth makes untrue or irrelevant."""
    if verdicts["diverged"]:
        verdicts |= dict.fromkeys(("converged", "improving", "stuck", "variance_reduced"), False)
    alarming = [verdicts[name] for name in ("catastrophic_drop", "getting_worse", "stuck")]
    if any(verdict is not False for verdict in alarming):
        certain = any(alarming)
        verdicts["variance_reduced"] = False if certain or not verdicts["variance_reduced"] else None
    for name in SILENT_AT_THE_GOAL - {"stuck", "unclear"}:
        if verdicts[name]:
            done = verdicts["at_threshold"] or verdicts["converged"]
            open_question = verdicts["at_threshold"] is None or verdicts["converged"] is None
            verdicts[name] = False if done else None if open_question else True
    return verdicts


def is_right(name: str, run: MadeRun) -> Verdict:
    """Whether a reported sentence is true, borderline cases included; None where the simulation does not define it."""
    if name in _SENTENCES:
        return _SENTENCES[name](course_of(run), run)
    if name == "variance_reduced":
        half = min(len(run.mean) // 4, 1000)
        return _variance(run, slice(-half, None)) < 0.9 * _variance(run, slice(-2 * half, -half))
    return _faults(run.fault).get(name)


def _is_not_useful(course: Course, run: MadeRun) -> bool:
    if course.progress is not None:
        return course.gain < USEFUL_SHARE * max(0.0, 1 - course.progress) + 0.02
    per_point = course.noise * (10 if run.logging == "means" else 1)
    return course.whole_gain < USEFUL_NOISE * per_point


def _is_level(course: Course, run: MadeRun) -> bool:
    return abs(course.gain) < 0.15 and course.best - course.level < 0.25


_SENTENCES: dict[str, Callable[[Course, MadeRun], bool]] = {
    "improving": lambda course, run: course.gain > 0.01,
    "getting_worse": lambda course, run: course.gain < -0.01,
    "catastrophic_drop": lambda course, run: course.best - course.latest > max(0.1, 0.4 * course.best),
    "converged": _is_level,
    "plateau": _is_level,
    "stuck": _is_not_useful,
}
