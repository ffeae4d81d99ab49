"""The input of the analysis: a run's settings and its series as arrays."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LARGEST = 1e150
"""Greater values overflow when squared; they count as infinite."""


@dataclass(frozen=True, eq=False)
class Series:
    """One metric over a run; the three arrays have the same length, and steps never decrease."""

    step: Floats
    t: Floats
    value: Floats

    def __len__(self) -> int:
        return len(self.value)

    @classmethod
    def of(cls, step: ArrayLike, value: ArrayLike, t: ArrayLike | None = None) -> "Series":
        """Builds a series from anything array-like; without times, the steps are used as times."""
        steps = np.asarray(step, dtype=np.float64)
        values = np.asarray(value, dtype=np.float64)
        times = steps if t is None else np.asarray(t, dtype=np.float64)
        if not len(steps) == len(values) == len(times):
            raise ValueError(
                f"A series needs as many steps and times as values, got {len(steps)}, {len(times)} and "
                f"{len(values)}. Pass arrays of equal length."
            )
        return cls(steps, times, values)

    def is_finite(self) -> Flags:
        """For each point, whether one can calculate with its value."""
        return np.asarray(np.abs(self.value) < LARGEST)

    def finite(self) -> "Series":
        """The series without NaN and infinities."""
        keep = self.is_finite()
        return self if keep.all() else Series(self.step[keep], self.t[keep], self.value[keep])

    def tail(self, count: int) -> "Series":
        """The last `count` points."""
        cut = max(0, len(self) - count)
        return Series(self.step[cut:], self.t[cut:], self.value[cut:])

    def since(self, step: float) -> "Series":
        """The points at or after `step`."""
        return self.tail(len(self) - int(np.searchsorted(self.step, step, side="left")))


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
    """By name (`core/protocol/metrics.py`); `reward` and `length` have one point per episode, others per update."""

    def find(self, name: str) -> Series:
        """The finite points of a metric; empty if the run has none."""
        return self.series.get(name, EMPTY).finite()

    def last_step(self) -> int:
        """The highest step of all series."""
        return int(max((s.step[-1] for s in self.series.values() if len(s)), default=0))
