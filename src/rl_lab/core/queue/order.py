"""The order of waiting runs: by priority, then by place. Places make it fair, and let a user move runs.

A place is a number; its whole part is the *round*. Each study (a single run is a study of its own) gets one place per
round, so runs of several studies alternate. A run that enters the queue goes to the end of its round, one that a user
moves goes between its new neighbours and keeps their round. Only the moved rows are written, in one transaction.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

STEP = 2.0**-20
"""Between two runs of one round; leaves room for moves in between."""
BEGIN = 0.25
"""Of the first run of a round: there is room for moves before it."""


class QueuePlace(NamedTuple):
    """Where a run waits."""

    run_id: str
    priority: int
    place: float


def round_of(place: float) -> int:
    return math.floor(place)


def find_round(first: float | None, last_of_study: float | None) -> int:
    """The round of a run that enters now; `first` is the place of the next run to start."""
    if first is None:
        return 0
    after_study = round_of(first) if last_of_study is None else round_of(last_of_study) + 1
    return max(round_of(first), after_study)


def end_of_round(round_: int, last: float | None) -> float:
    """The place after the last run of a round."""
    return round_ + BEGIN if last is None else last + STEP


def move_block(waiting: Sequence[QueuePlace], moved: Collection[str], at: int) -> list[QueuePlace]:
    """Moves runs together; returns the rows that change.

    `waiting` is in the order of start, `at` the number of other runs that start before the moved ones. A priority
    changes only as far as the new place requires: it lies between those of the neighbours.
    """
    block = [row for row in waiting if row.run_id in moved]
    rest = [row for row in waiting if row.run_id not in moved]
    before, after = rest[:at], rest[at:]
    placed = [_between_priorities(row, before, after) for row in block]
    found: list[QueuePlace] = []
    for priority, group in groupby(placed, key=lambda row: row.priority):
        rows = list(group)
        lower = before[-1].place if before and before[-1].priority == priority else None
        upper = after[0].place if after and after[0].priority == priority else None
        places = _places_between(lower, upper, len(rows))
        if places is None:
            same = [row for row in before if row.priority == priority]
            found += _spread(same, rows, [row for row in after if row.priority == priority])
        else:
            found += [row._replace(place=place) for row, place in zip(rows, places, strict=True)]
    known = set(waiting)
    return [row for row in found if row not in known]


def _between_priorities(
    row: QueuePlace, before: Sequence[QueuePlace], after: Sequence[QueuePlace]
) -> QueuePlace:
    priority = row.priority
    if after:
        priority = max(priority, after[0].priority)
    if before:
        priority = min(priority, before[-1].priority)
    return row._replace(priority=priority)


def _places_between(lower: float | None, upper: float | None, count: int) -> list[float] | None:
    """Increasing places in between; None when there is no room."""
    if upper is None:
        begin = BEGIN if lower is None else lower + STEP
        return [begin + STEP * number for number in range(count)]
    floor = float(round_of(upper)) if lower is None else lower
    step = (upper - floor) / (count + 1)
    places = [floor + step * number for number in range(1, count + 1)]
    return places if _is_increasing([floor, *places, upper]) else None


def _is_increasing(places: Sequence[float]) -> bool:
    return all(a < b for a, b in pairwise(places))


def _spread(
    before: Sequence[QueuePlace], rows: Iterable[QueuePlace], after: Sequence[QueuePlace]
) -> list[QueuePlace]:
    """New places for all runs of a priority, evenly within each round."""
    neighbour = (before or after)[-1 if before else 0]
    moved = [row._replace(place=neighbour.place) for row in rows]
    found = []
    for round_, group in groupby([*before, *moved, *after], key=lambda row: round_of(row.place)):
        members = list(group)
        step = 0.5 / len(members)
        found += [row._replace(place=round_ + BEGIN + step * i) for i, row in enumerate(members)]
    return found
