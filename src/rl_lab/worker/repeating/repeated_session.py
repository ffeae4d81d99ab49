"""A training that is repeated to compare it: its events go to an EventComparison instead of the lab.

The learner notices nothing: it gets a Session of its own, whose checkpoints go to a temporary folder.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rl_lab.core.job_file import Job
from rl_lab.core.lengths.limits import NO_LIMITS
from rl_lab.core.protocol.events import EpisodeEvent, Event, MetricEvent, StatusEvent, Trace
from rl_lab.core.reproduction.event_comparison import EventComparison, metric_values, to_compared
from rl_lab.portable.atomic_files import Save
from rl_lab.portable.control import Control
from rl_lab.worker.session import Role, Session
from rl_lab.worker.telemetry import Telemetry
from rl_lab.worker.training_clock import TrainingClock


class ComparedTelemetry(Telemetry):
    """Compares episodes and metrics, passes progress on with the steps that are to be repeated, drops the rest."""

    def __init__(self, lab: Telemetry, comparison: EventComparison, end_step: int) -> None:
        super().__init__(-1)
        self._lab = lab
        self.comparison = comparison
        self._end_step = end_step

    def emit(self, event: Any, *, at_once: bool = False) -> None:
        self._take(event)

    def emit_many(self, batch: Iterable[Any]) -> None:
        for event in batch:
            self._take(event)

    def write_raw(self, data: bytes) -> None:
        """Not an event."""

    def _take(self, event: Event) -> None:
        if isinstance(event, EpisodeEvent):
            if isinstance(event.trace, dict):  # the recorder leaves it to the encoder
                event.trace = Trace(**event.trace)
            self.comparison.add_episode(to_compared(event))
        elif isinstance(event, MetricEvent) and event.step is not None:
            self.comparison.add_metrics(metric_values(event), event.step)
        elif isinstance(event, StatusEvent):
            step = min(event.timestep or 0, self._end_step)
            self._lab.status(event.state, timestep=step, total=self._end_step)


class RepeatedSession(Session):
    """Ends at the last step that is compared, or at the first difference if nothing but identical passes."""

    def __init__(
        self, job: Job, telemetry: ComparedTelemetry, control: Control, *, until: int, ends_early: bool
    ) -> None:
        super().__init__(job, telemetry, control)
        self._clock = TrainingClock(
            NO_LIMITS, 0
        )  # it ends where the verified run ended, however long that takes
        self._comparison = telemetry.comparison
        self._until = until
        self._ends_early = ends_early
        self.last_checkpoint: Path | None = None

    def should_stop(self) -> bool:
        has_differed = self._ends_early and self._comparison.first is not None
        return super().should_stop() or self.timestep >= self._until or has_differed

    def save_checkpoint(self, save: Save, timestep: int, role: Role, *, is_planned: bool = True) -> Path:
        """Only the last one is needed; saving changes nothing of the learner."""
        if role in ("stop", "final"):
            self.last_checkpoint = super().save_checkpoint(save, timestep, role, is_planned=is_planned)
            return self.last_checkpoint
        return self.run_dir / "not-kept"
