"""Compares the events of a training that is repeated with the recorded ones, as they arrive.

An episode is found by its last step and its sub-environment: their numbers shift when a run was killed and resumed.
Metrics are compared at the steps where both runs reported them, because some learners report by the clock.
"""

from __future__ import annotations

import hashlib
import math
import zlib
from collections.abc import Iterable, Mapping

import msgspec

from rl_lab.core.bounds import REWARD_WINDOW
from rl_lab.core.protocol.events import EpisodeEvent, MetricEvent
from rl_lab.core.protocol.lines import as_float
from rl_lab.core.protocol.metrics import EVALUATION_RETURN, NORMALISED_SCORE, OWN_EVALUATION
from rl_lab.core.reproduction.verifications import ComparedAmounts, ComparedFigure, EventDifference

CLOCKED = frozenset({"fps", NORMALISED_SCORE, OWN_EVALUATION, *EVALUATION_RETURN})
"""Metrics that depend on the time a computation takes, or come from the evaluations alongside the training."""
Value = float | str | None


class ComparedEpisode(msgspec.Struct, frozen=True, kw_only=True):
    """What is compared of an episode."""

    timestep: int
    env: int = 0
    episode: int | None = None
    """Its number; not compared."""
    seed: int | None = None
    returned: float | None = None
    length: int | None = None
    terminated: bool | None = None
    truncated: bool | None = None
    actions: int | None = None
    """CRC-32 of the recorded actions; None where they were not kept."""
    checksums: int | None = None
    """CRC-32 of the checksums of its states; None where there are none."""

    @property
    def place(self) -> tuple[int, int]:
        return self.timestep, self.env


class ExpectedEvents(msgspec.Struct, kw_only=True):
    """The recorded events that a repeated training is compared with."""

    end_step: int
    """Events after this step are not compared."""
    episodes: list[ComparedEpisode] = []
    series: dict[str, dict[int, float]] = {}
    """Values of metrics by step; NaN is kept."""


QUANTITIES = {
    "seed": "seed",
    "length": "length",
    "returned": "return",
    "terminated": "terminated",
    "truncated": "truncated",
    "actions": "actions (checksum)",
    "checksums": "states (checksum)",
}
"""Fields of an episode in the order they are compared; the last two only where both runs kept them."""
OPTIONAL = frozenset({"seed", "actions", "checksums"})


class EventComparison:
    """`first` is the difference at the lowest step so far."""

    def __init__(self, expected: ExpectedEvents) -> None:
        self._expected = expected
        self._episodes = {e.place: e for e in expected.episodes if e.timestep <= expected.end_step}
        self.found: dict[tuple[int, int], ComparedEpisode] = {}
        self._found_series: dict[str, dict[int, float]] = {}
        self.first: EventDifference | None = None
        self._recordings = self._values = self._step = 0
        self.has_weights = self._has_ended = False

    def add(self, found: ExpectedEvents) -> None:
        """Events that were collected, of a whole training or a part of one."""
        for episode in found.episodes:
            self.add_episode(episode)
        for name, points in found.series.items():
            for step, value in points.items():
                self.add_metrics({name: value}, step)

    def add_episode(self, found: ComparedEpisode) -> None:
        if found.timestep > self._expected.end_step:
            return
        self.found[found.place] = found
        self._step = max(self._step, found.timestep)
        recorded = self._episodes.get(found.place)
        if recorded is None:
            self.differ(found.timestep, None, "end of an episode", "none", f"length {found.length}")
            return
        self._recordings += recorded.actions is not None and found.actions is not None
        for name, quantity in QUANTITIES.items():
            before, now = getattr(recorded, name), getattr(found, name)
            is_known = name not in OPTIONAL or (before is not None and now is not None)
            if is_known and not is_same(before, now):
                self.differ(found.timestep, recorded.episode, quantity, _plain(before), _plain(now))
                return

    def add_metrics(self, values: Mapping[str, float], step: int) -> None:
        if step > self._expected.end_step:
            return
        self._step = max(self._step, step)
        for name, value in values.items():
            recorded = self._expected.series.get(name, {})
            if name in CLOCKED or step not in recorded:
                continue
            self._found_series.setdefault(name, {})[step] = value
            self._values += 1
            if not is_same(recorded[step], value):
                self.differ(step, None, name, _plain(recorded[step]), _plain(value))

    def compare_weights(self, recorded: str, found: str, step: int) -> None:
        self.has_weights = True
        if recorded != found:
            self.differ(step, None, "weights of the last checkpoint (hash)", recorded[:16], found[:16])

    def end(self, *, all_values: bool = False) -> None:
        """After the last event: recorded episodes that did not come again are differences.

        With `all_values` metrics are, too: both learners report them at every update, not by the clock.
        """
        self._has_ended = True
        missing = [e for place, e in self._episodes.items() if place not in self.found]
        if missing:
            one = min(missing, key=lambda e: e.place)
            self.differ(one.timestep, one.episode, "end of an episode", f"length {one.length}", "none")
        if all_values:
            self._find_missing_values()

    def _find_missing_values(self) -> None:
        for name, points in self._expected.series.items():
            found = self._found_series.get(name, {})
            left = [step for step in points if step not in found and step <= self._expected.end_step]
            if left and name not in CLOCKED:
                self.differ(min(left), None, name, _plain(points[min(left)]), "none")

    @property
    def amounts(self) -> ComparedAmounts:
        return ComparedAmounts(
            steps=self._step,
            episodes=len(self.found),
            recordings=self._recordings,
            values=self._values,
            weights=self.has_weights,
        )

    def figures(self) -> list[ComparedFigure]:
        """Final mean return and the area under the curve, of both; none of a training that was cut."""
        if not self._has_ended:
            return []
        recorded, found = _in_order(self._episodes.values()), _in_order(self.found.values())
        pairs = {
            "final mean return": (final_mean(recorded), final_mean(found)),
            "mean return over all steps": (step_mean(recorded), step_mean(found)),
        }
        return [
            ComparedFigure(name=name, recorded=before, found=now, deviation=deviation(before, now))
            for name, (before, now) in pairs.items()
        ]

    def digests(self) -> tuple[str, str]:
        """Of the recorded and the repeated events that were compared; equal when every event is."""
        common = {
            name: {step: self._expected.series[name][step] for step in points}
            for name, points in self._found_series.items()
        }
        return digest(self._episodes.values(), common), digest(self.found.values(), self._found_series)

    def differ(self, step: int, episode: int | None, quantity: str, recorded: Value, found: Value) -> None:
        if self.first is None or step < self.first.step:
            self.first = EventDifference(
                step=step, episode=episode, quantity=quantity, recorded=recorded, found=found
            )


def to_compared(event: EpisodeEvent) -> ComparedEpisode:
    """From the wire. Actions that came in several events are not compared."""
    trace = event.trace
    is_whole = trace is not None and trace.start == 0 and trace.count == event.steps
    returned = event.return_
    return ComparedEpisode(
        timestep=event.timestep or 0,
        env=event.env,
        episode=event.episode,
        seed=event.seed,
        returned=returned if returned is not None and math.isfinite(returned) else None,
        length=event.steps,
        terminated=event.terminated,
        truncated=event.truncated,
        actions=checksum(trace.actions) if is_whole and trace is not None else None,
        checksums=checksum(trace.checksums) if is_whole and trace is not None else None,
    )


def metric_values(event: MetricEvent) -> dict[str, float]:
    return {name: as_float(value) for name, value in event.values.items()}


def checksum(data: bytes) -> int | None:
    return zlib.crc32(data) if data else None


def is_same(recorded: Value, found: Value) -> bool:
    """To the last bit; two NaN are the same."""
    if isinstance(recorded, float) and isinstance(found, float) and math.isnan(recorded):
        return math.isnan(found)
    return recorded == found


def final_mean(episodes: list[ComparedEpisode]) -> float | None:
    returns = [e.returned for e in episodes if e.returned is not None][-REWARD_WINDOW:]
    return sum(returns) / len(returns) if returns else None


def step_mean(episodes: list[ComparedEpisode]) -> float | None:
    """The area under the curve of returns, divided by its steps: an episode counts as long as it lasted."""
    known = [(e.returned, e.length) for e in episodes if e.returned is not None and e.length]
    steps = sum(length for _, length in known)
    return sum(returned * length for returned, length in known) / steps if steps else None


def deviation(recorded: float | None, found: float | None) -> float | None:
    if recorded is None or found is None:
        return None
    if recorded == found:
        return 0.0
    return abs(found - recorded) / abs(recorded) if recorded else None


def digest(episodes: Iterable[ComparedEpisode], series: Mapping[str, Mapping[int, float]]) -> str:
    found = hashlib.sha256()
    for e in _in_order(episodes):
        row = (e.timestep, e.env, e.length, e.returned, e.terminated, e.truncated)
        found.update(f"{row!r}\n".encode())
    for name in sorted(series):
        for step in sorted(series[name]):
            found.update(f"{name} {step} {series[name][step]!r}\n".encode())
    return found.hexdigest()


def _in_order(episodes: Iterable[ComparedEpisode]) -> list[ComparedEpisode]:
    return sorted(episodes, key=lambda e: e.place)


def _plain(value: object) -> Value:
    """As it is reported: JSON has no NaN."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return float(value) if isinstance(value, (int, float)) else None if value is None else str(value)
