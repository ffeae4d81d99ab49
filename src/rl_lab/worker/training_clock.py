"""The TrainingClock measures the training time of a run, and says when its limits are reached.

The time of earlier attempts counts; pauses and the start of a process, when libraries are loaded, do not. It makes
no system call of its own: the session passes the clock that it reads for its progress reports.
"""

from __future__ import annotations

from rl_lab.core.lengths.limits import NO_LIMITS, RunLimits


class TrainingClock:
    def __init__(self, limits: RunLimits, seconds0: float, unit: str = "step") -> None:
        """`seconds0`: training time of earlier attempts. `unit`: what the training counts."""
        self.is_over, self.unit = False, unit
        self._limits = limits
        self._seconds, self._episodes = seconds0, 0
        self._started: float | None = None
        """When the training would have started without interruptions, by the monotonic clock."""

    def begin(self, now: float) -> None:
        """The learner is about to make its first step; later calls do nothing."""
        if self._started is None:
            self._started = now - self._seconds

    def look(self, now: float, episodes: int) -> None:
        """`now` by the monotonic clock."""
        if self._started is None:
            self._started = now - self._seconds
        self._seconds, self._episodes = now - self._started, episodes
        self.is_over = self.is_over or self._limits.is_reached(self._seconds, episodes)

    def leave_out(self, seconds: float) -> None:
        """A pause."""
        if self._started is not None:
            self._started += seconds

    @property
    def has_limits(self) -> bool:
        return self._limits != NO_LIMITS

    def end(self, timestep: int) -> tuple[str, str]:
        """Why a run with limits ended: cause and sentence."""
        if not self.is_over:
            return "done", f"Ended after {timestep:,} {self.unit}s."
        reason = self._limits.reason(self._seconds, self._episodes, timestep, self.unit)
        return reason.cause, reason.message
