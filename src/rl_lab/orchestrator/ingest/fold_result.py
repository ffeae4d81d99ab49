"""The FoldResult: everything that one part of a journal adds to telemetry.db, lab.db and the text files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rl_lab.core.protocol.events import (
    ArtifactEvent,
    CheckpointEvent,
    EpisodeEvent,
    EvaluationEvent,
    StepsEvent,
)
from rl_lab.core.protocol.metrics import MetricOrigin
from rl_lab.core.run_events import EventType, Level
from rl_lab.store.telemetry.batch import Batch, NewEpisode


class LogLine(NamedTuple):
    """A line for the run's event log; `seq` identifies it within the attempt."""

    seq: int
    t: float | None
    event_type: EventType
    message: str
    data: dict[str, Any]

    @property
    def type(self) -> str:
        return self.event_type.name

    @property
    def level(self) -> Level:
        return self.event_type.level


class PointLists:
    """New points of one series, as columns."""

    __slots__ = ("steps", "times", "values")

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.times: list[float] = []
        self.values: list[float] = []


@dataclass
class FoldResult(Batch):
    """A batch for telemetry.db that can grow, and what goes elsewhere."""

    points: dict[str, PointLists] = field(default_factory=dict)
    episodes: list[NewEpisode] = field(default_factory=list)
    recordings: list[StepsEvent | EpisodeEvent] = field(default_factory=list)
    ticks: list[dict[str, Any]] = field(default_factory=list)
    steps: list[Mapping[str, Any]] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    group_contexts: dict[int, Mapping[str, Any]] = field(default_factory=dict)
    origins: dict[str, MetricOrigin] = field(default_factory=dict)
    script_config: dict[str, Any] = field(default_factory=dict)
    """Fields of the run's config as the program itself reported them; for lab.db."""
    logs: list[LogLine] = field(default_factory=list)
    """For lab.db."""
    files: list[CheckpointEvent | ArtifactEvent] = field(default_factory=list)
    """For lab.db."""
    evaluations: list[EvaluationEvent] = field(default_factory=list)
    """Scores of checkpoints, for lab.db."""
    jsonl: list[bytes] = field(default_factory=list)
    """For metrics.jsonl."""
    snapshot: dict[str, Any] | None = None
    """For snapshot.json."""
    broken: list[bytes] = field(default_factory=list)
    """For broken.txt."""
    unknown: list[bytes] = field(default_factory=list)
    """For unknown.jsonl."""

    @property
    def played(self) -> bool:
        """Whether it has finished episodes of a play."""
        return any(episode.extra and "player" in episode.extra for episode in self.episodes)

    def count(self, name: str, amount: int = 1) -> None:
        self.counters[name] = self.counters.get(name, 0) + amount
