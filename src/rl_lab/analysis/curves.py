"""The input of the analysis: a run's settings and its series as arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rl_lab.core.protocol.points import PointMeaning, point_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LARGEST = 1e150
"""Greater values overflow when squared; they count as infinite."""


@dataclass(frozen=True, eq=False)
class Bins:
    """What is behind the values of a thinned series: each value is a mean over `n` points."""

    n: Floats
    spread: Floats
    """Standard deviation of the points of a bin; 0 for a single point."""
    low: Floats
    high: Floats

    def take(self, which: Any) -> "Bins":
        return Bins(self.n[which], self.spread[which], self.low[which], self.high[which])


@dataclass(frozen=True, eq=False)
class Series:
    """One metric over a run; the three arrays have the same length, and steps never decrease."""

    step: Floats
    t: Floats
    value: Floats
    bins: Bins | None = None
    """None: each value is a single point."""

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def of(
        cls, step: ArrayLike, value: ArrayLike, t: ArrayLike | None = None, bins: Bins | None = None
    ) -> "Series":
        """Builds a series from anything array-like; without times, the steps are used as times."""
        steps = np.asarray(step, dtype=np.float64)
        values = np.asarray(value, dtype=np.float64)
        times = steps if t is None else np.asarray(t, dtype=np.float64)
        if not len(steps) == len(values) == len(times):
            raise ValueError(
                f"A series needs as many steps and times as values, got {len(steps)}, {len(times)} and "
                f"{len(values)}. Pass arrays of equal length."
            )
        return cls(steps, times, values, bins)

    @property
    def n(self) -> Floats:
        """How many points each value is the mean of."""
        return np.ones(len(self)) if self.bins is None else self.bins.n

    @property
    def points(self) -> int:
        """How many points there are, those within bins included."""
        return len(self) if self.bins is None else int(self.bins.n.sum())

    @property
    def low(self) -> Floats:
        return self.value if self.bins is None else self.bins.low

    @property
    def high(self) -> Floats:
        return self.value if self.bins is None else self.bins.high

    def take(self, which: Any) -> "Series":
        """The values at these places."""
        bins = None if self.bins is None else self.bins.take(which)
        return Series(self.step[which], self.t[which], self.value[which], bins)

    def is_finite(self) -> Flags:
        """For each point, whether one can calculate with its value."""
        return np.asarray(np.abs(self.value) < LARGEST)

    def finite(self) -> "Series":
        """The series without NaN and infinities."""
        keep = self.is_finite()
        return self if keep.all() else self.take(keep)

    def tail(self, count: int) -> "Series":
        """The last `count` values."""
        return self.take(slice(max(0, len(self) - count), None))

    def since(self, step: float) -> "Series":
        """The values at or after `step`."""
        return self.tail(len(self) - int(np.searchsorted(self.step, step, side="left")))

    def singles(self) -> "Series":
        """The values at the end that are single points."""
        if self.bins is None:
            return self
        binned = np.flatnonzero(self.bins.n != 1)
        rest = self.take(slice(int(binned[-1]) + 1 if len(binned) else 0, None))
        return replace(rest, bins=None)


EMPTY = Series.of([], [])


@dataclass(frozen=True, eq=False)
class RunCurves:
    """One run as input for the detectors."""

    env_id: str
    algorithm: str
    runner: str
    params: Mapping[str, Any] = field(default_factory=dict)
    total_timesteps: int = 0
    """The number of steps the user asked for; 0 if the run has no limit."""
    reward_threshold: float | None = None
    """The mean reward at which the environment counts as solved."""
    status: str = "running"
    series: Mapping[str, Series] = field(default_factory=dict)
    """By name (`core/protocol/metrics.py`)."""
    points: Mapping[str, PointMeaning] = field(default_factory=dict)
    """What one point of a series is, where it is known; else its name decides."""

    def find(self, name: str) -> Series:
        """The finite points of a metric; empty if the run has none."""
        return self.series.get(name, EMPTY).finite()

    def point_of(self, name: str) -> PointMeaning:
        return self.points.get(name) or point_of(name, has_episodes=True, has_means=False)

    def last_step(self) -> int:
        """The highest step of all series."""
        return int(max((s.step[-1] for s in self.series.values() if len(s)), default=0))
