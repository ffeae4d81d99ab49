"""What one stretch of a journal adds: rows for telemetry.db, lines for the event log, bytes for the text files."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from rl_lab.core.protocol.events import ArtifactEvent, CheckpointEvent, EpisodeEvent, StepsEvent
from rl_lab.store.telemetry.batch import NewEpisode

Level = Literal["debug", "info", "warning", "error"]


class LogLine(NamedTuple):
    """A line for the run's event log; `seq` names it within the attempt, for ever."""

    seq: int
    t: float | None
    level: Level
    type: str
    message: str
    data: dict[str, Any]


class FileLine(NamedTuple):
    """A file the worker reports."""

    t: float | None
    event: CheckpointEvent | ArtifactEvent


class SeriesPoints:
    """New points of one series, as columns."""

    __slots__ = ("steps", "times", "values")

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.times: list[float] = []
        self.values: list[float] = []


class Folded:
    __slots__ = (
        "broken", "context", "counters", "episodes", "files", "jsonl", "learned", "logs", "points", "recordings",
        "steps", "ticks", "unknown",
    )  # fmt: skip

    def __init__(self) -> None:
        self.points: dict[str, SeriesPoints] = {}
        self.episodes: list[NewEpisode] = []
        self.recordings: list[StepsEvent | EpisodeEvent] = []
        self.steps: list[Mapping[str, Any]] = []
        self.ticks: list[dict[str, Any]] = []
        self.counters: dict[str, int] = {}
        self.context: dict[str, Any] | None = None
        self.learned: dict[str, Any] = {}
        """Fields of the run's config as the worker told them."""
        self.logs: list[LogLine] = []
        self.files: list[FileLine] = []
        self.jsonl: list[bytes] = []
        self.broken: list[bytes] = []
        self.unknown: list[bytes] = []

    def count(self, name: str, amount: int = 1) -> None:
        self.counters[name] = self.counters.get(name, 0) + amount
