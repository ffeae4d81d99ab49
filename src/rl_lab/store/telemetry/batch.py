"""A Batch is what one part of the journal adds to telemetry.db; it is stored completely or not at all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from rl_lab.core.protocol.events import EpisodeEvent, StepsEvent
from rl_lab.core.protocol.metrics import MetricOrigin

if TYPE_CHECKING:
    from rl_lab.store.telemetry.chunks import Columns


class Position(NamedTuple):
    """How far the journal of a run is read: everything before this byte is stored."""

    attempt: int = 0
    segment: int = 0
    offset: int = 0


class PointColumns(Protocol):
    """New points of one series as columns of equal length; lists or arrays."""

    @property
    def steps(self) -> Sequence[int]: ...
    @property
    def times(self) -> Sequence[float]: ...
    @property
    def values(self) -> Sequence[float]: ...


class NewEpisode(NamedTuple):
    episode: int
    at: float
    """Unix time of its end."""
    env: int = 0
    seed: int | None = None
    reward: float | None = None
    length: int = 0
    """0: unknown, which every episode that was played is above."""
    terminated: bool | None = None
    truncated: bool | None = None
    success: bool | None = None
    timestep: int | None = None
    extra: Mapping[str, Any] | None = None
    env_group: int | None = None
    """The environments of a captured script it was played in."""
    group_step: int | None = None
    """Steps taken in them when it ended."""


@dataclass
class Batch:
    position: Position = field(default_factory=Position)
    """How far the journal is read after this batch."""
    points: Mapping[str, PointColumns] = field(default_factory=dict)
    episodes: Sequence[NewEpisode] = ()
    recordings: Sequence[StepsEvent | EpisodeEvent] = ()
    """Events with a trace, in the order they came. An episode's number is set."""
    ticks: Sequence[Mapping[str, Any]] = ()
    """Without an id; the writer numbers them."""
    steps: Sequence[Mapping[str, Any]] = ()
    """Sampled single steps."""
    counters: Mapping[str, int] = field(default_factory=dict)
    """Added to those stored: sent, stored, sampled_out, broken, unknown, lost, type:<name>, …"""
    context: Mapping[str, Any] | None = None
    """What later recordings were made with: env_id, env_kwargs, env_version, wrappers, action."""
    group_contexts: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    """The same for recordings of one group of environments of a captured script."""
    origins: Mapping[str, MetricOrigin] = field(default_factory=dict)
    """Where metrics come from that the lab did not measure itself, by their names; added to those stored."""
    metrics_jsonl_bytes: int | None = None
    """Length of metrics.jsonl that belongs to this position."""
    state: Mapping[str, Any] | None = None
    """What the fold needs to continue after a restart."""


class StoredPoints(NamedTuple):
    """Points that a batch added to one series, as they are stored."""

    first: int
    """Number of the first of them in its series."""
    columns: Columns


class Applied(NamedTuple):
    """What storing a batch did."""

    stored: bool
    """False when this position was stored before."""
    first_tick_id: int = 0
    """Id of the batch's first tick; the others follow."""
    thinned: int = 0
    """Recordings dropped to stay within the byte budget."""
    kept_every: int = 1
    """From now on every k-th recording is kept, besides first, latest, best and worst."""
    points_left_out: int = 0
    """Points of series beyond the number a run may have."""
    points: Mapping[str, StoredPoints] = {}
    """The new points of each series."""


@dataclass
class Rearrangement:
    """The episodes of a run after the role of some of its environments has changed."""

    episodes: Mapping[int, NewEpisode]
    """Every episode, by the number it had before."""
    points: Mapping[str, PointColumns]
    """The complete series that are made from episodes; each replaces the stored one."""
    state: Mapping[str, Any]
