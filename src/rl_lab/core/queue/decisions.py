"""Which waiting runs start now, and what each of the others waits for.

Runs start in their order. One that does not fit next to the running ones holds the line, so that smaller ones do not
overtake it for ever; only a run that waits for a GPU lets others pass. When nothing runs, the next run starts in any
case, with a warning: a machine that is too small for it does not grow by waiting.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.queue.lanes import Lane, Slots, lane_of
from rl_lab.core.queue.resources import Capacity, Needs, describe_shortage, lacks_gpu, take

PAUSED = "The queue is paused."


class WaitingRun(NamedTuple):
    run_id: str
    name: str
    kind: RunKind
    priority: int
    place: float
    study_id: str | None
    needs: Needs = Needs()

    @property
    def lane(self) -> Lane:
        return lane_of(self.kind)


class StartDecision(NamedTuple):
    """What becomes of a waiting run now."""

    run: WaitingRun
    place: int
    """In its lane, from 1."""
    reason: str
    starts: bool = False
    warning: str | None = None
    """It starts although it needs more than is free."""


@dataclass
class Situation:
    """What the runs have to fit next to; the free parts shrink with every run that starts."""

    slots: Slots
    taken: Counter[Lane]
    total: Capacity
    free: Capacity
    live: int = 0
    """Runs with a process."""
    paused: bool = False
    held: Mapping[str, str] = field(default_factory=dict)
    """Paused studies: their names by id."""

    def free_slots(self, lane: Lane) -> int:
        return max(0, self.slots[lane] - self.taken[lane])


def decide_starts(waiting: Sequence[WaitingRun], now: Situation) -> list[StartDecision]:
    """`waiting` in the order of start."""
    places: Counter[Lane] = Counter()
    ahead: Counter[Lane] = Counter()
    blocked: set[Lane] = set()
    found = []
    for run in waiting:
        places[run.lane] += 1
        one = _decide(run, now, ahead[run.lane], is_blocked=run.lane in blocked)
        found.append(one._replace(place=places[run.lane]))
        if run.study_id not in now.held:
            ahead[run.lane] += 1
        if one.starts:
            now.taken[run.lane] += 1
            now.free, now.live = take(now.free, run.needs), now.live + 1
        elif _holds_the_line(run, now):
            blocked.add(run.lane)
    return found


def describe_new(run: WaitingRun, now: Situation, ahead: int) -> str:
    """The reason of a run that enters the queue now, behind so many others."""
    now.taken[run.lane] += ahead
    now.live += ahead
    return _decide(run, now, ahead, is_blocked=False).reason


def _decide(run: WaitingRun, now: Situation, ahead: int, *, is_blocked: bool) -> StartDecision:
    if now.paused and run.lane is not Lane.play:
        return StartDecision(run, 0, PAUSED)
    if run.study_id is not None and run.study_id in now.held:
        return StartDecision(run, 0, f"Its study “{now.held[run.study_id]}” is paused.")
    slots = now.slots[run.lane]
    if now.free_slots(run.lane) == 0:
        return StartDecision(run, 0, describe_wait(run.lane, slots, ahead))
    short = describe_shortage(run.needs, now.total, now.free)
    if not is_blocked and (short is None or now.live == 0):
        return StartDecision(run, 0, f"A {run.lane} slot is free; it starts now.", True, short)
    if short is not None:
        return StartDecision(run, 0, f"{short} {_ahead(ahead).capitalize()}.")
    return StartDecision(run, 0, f"Waits for its turn; {_ahead(ahead)}.")


def _holds_the_line(run: WaitingRun, now: Situation) -> bool:
    """A run that only waits for a GPU takes nothing from those that pass it."""
    if now.paused or run.study_id in now.held:
        return False
    return not lacks_gpu(run.needs, now.total, now.free)


def describe_wait(lane: Lane, slots: int, ahead: int) -> str:
    """Why a run waits for a slot."""
    what = f"the only {lane} slot" if slots == 1 else f"one of {slots:,} {lane} slots"
    return f"Waits for {what}; {_ahead(ahead)}."


def _ahead(ahead: int) -> str:
    return {0: "it is next", 1: "1 run is ahead"}.get(ahead, f"{ahead:,} runs are ahead")
