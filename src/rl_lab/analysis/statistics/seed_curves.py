"""The learning curve of one seed in few points: its mean return over the last 100 episodes, by step."""

from dataclasses import dataclass

import numpy as np

from rl_lab.analysis.curves import EMPTY, Floats, RunCurves, Series
from rl_lab.analysis.smoothing import moving_mean

WINDOW = 100
"""Episodes behind a mean return; an environment counts as solved by the mean of so many."""
POINTS = 256
"""Points that are kept of a longer curve."""


@dataclass(frozen=True, eq=False)
class SeedCurve:
    """Steps ascend, values are finite."""

    step: Floats
    value: Floats
    full_from: float = 0.0
    """The first step whose mean is over 100 episodes; infinite where there were fewer."""
    not_finite: int = 0
    """Episodes whose return was not a finite number; the means are over the others."""

    def __len__(self) -> int:
        return len(self.step)

    @property
    def last_step(self) -> float:
        return float(self.step[-1]) if len(self) else 0.0

    def at(self, steps: Floats, *, is_ended: bool = True) -> Floats:
        """The values at these steps: on straight lines between the points, and after the last one its value.

        NaN before the first point, and after the last one of a training that has not ended.
        """
        if not len(self):
            return np.full(len(steps), np.nan)
        right = self.value[-1] if is_ended else np.nan
        return np.asarray(np.interp(steps, self.step, self.value, left=np.nan, right=right))

    def height(self, until: float) -> float:
        """The area under the curve up to a step, divided by its width; before the first point its value is taken."""
        if not len(self):
            return float("nan")
        inside = self.step < until
        step = np.concatenate([[0.0], self.step[inside], [until]])
        end = np.interp(until, self.step, self.value)
        value = np.concatenate([self.value[:1], self.value[inside], [end]])
        return float(np.trapezoid(value, step) / until) if until > 0 else float(self.value[-1])

    def first_step(self, threshold: float) -> float:
        """Where the mean over 100 episodes first is at the threshold; infinite if it never is."""
        reached = np.flatnonzero((self.value >= threshold) & (self.step >= self.full_from))
        return float(self.step[reached[0]]) if len(reached) else float("inf")


NO_CURVE = SeedCurve(np.empty(0), np.empty(0))


def mean_return_curve(curves: RunCurves) -> SeedCurve:
    """The mean over 100 episodes: of their returns, or as the run itself reported it where it has no episodes."""
    rewards = curves.find("reward")
    lost = int(np.sum(~curves.series.get("reward", EMPTY).is_finite()))
    if not len(rewards) or curves.point_of("reward").kind == "mean":
        found = rewards if len(rewards) else curves.find("mean_reward")
        return thin(SeedCurve(found.step, found.value, 0.0, lost))
    is_bin = rewards.n >= WINDOW
    # A bin of a long run is a mean over more episodes already; the first points after it average over bins, too.
    after_bin = np.convolve(is_bin, np.ones(WINDOW))[: len(is_bin)] > 0
    value = np.where(after_bin, rewards.value, moving_mean(rewards.value, WINDOW))
    full = np.flatnonzero(is_bin | (np.arange(len(is_bin)) >= WINDOW - 1))
    full_from = float(rewards.step[full[0]]) if len(full) else float("inf")
    kept = is_bin | ~after_bin
    return thin(SeedCurve(rewards.step[kept], value[kept], full_from, lost))


def series_curve(series: Series) -> SeedCurve:
    """Any metric of a run: means over equal ranges of steps where it has many points."""
    found = series.finite()
    lost = len(series) - len(found)
    if len(found) <= POINTS:
        return SeedCurve(found.step, found.value, 0.0, lost)
    edges = np.linspace(found.step[0], found.step[-1], POINTS + 1)
    place = np.clip(np.searchsorted(edges, found.step, side="right") - 1, 0, POINTS - 1)
    points = np.bincount(place, weights=found.n, minlength=POINTS)
    known = points > 0
    step = np.bincount(place, weights=found.step * found.n, minlength=POINTS)[known] / points[known]
    value = np.bincount(place, weights=found.value * found.n, minlength=POINTS)[known] / points[known]
    return SeedCurve(step, value, 0.0, lost)


def thin(curve: SeedCurve) -> SeedCurve:
    """At most `POINTS` points at equal distances; a moving mean needs no averaging, and its ends stay."""
    if len(curve) <= POINTS:
        return curve
    steps = np.linspace(curve.step[0], curve.step[-1], POINTS)
    return SeedCurve(steps, curve.at(steps), curve.full_from, curve.not_finite)
