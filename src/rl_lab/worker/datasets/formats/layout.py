"""From the rows of a file to the lab's layout: finds where episodes end, and what was seen last."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from rl_lab.core.datasets.manifest import REWARDS, TERMINATIONS, TRUNCATIONS, WHO
from rl_lab.core.words.amounts import plural
from rl_lab.worker.datasets.formats.rows import Array, Columns, DatasetRows, FileSteps, join_steps


class LaidOut:
    """Puts steps into the lab's layout, a part at a time; counts what had to be repaired."""

    def __init__(self, parts: Iterable[FileSteps]) -> None:
        self._parts = parts
        self._left_out = 0
        """Last steps without the observation that they led to."""
        self._repeated = 0
        """Terminal steps without it: the observation before them takes its place."""
        self._cuts = 0
        """Steps that are followed by another observation than the next row has, without an end in the file."""
        self._is_cut_off = False
        """Whether the file ends within an episode."""

    def __iter__(self) -> Iterator[DatasetRows]:
        held: FileSteps | None = None
        begins = True
        for part in self._parts:
            if not len(part):
                continue
            known = part if held is None else join_steps([held, part])
            marks = _Marks(known)
            count = marks.settled()
            if count > 0:
                yield self._place(known, marks, count, begins)
                begins = bool(marks.ends[count - 1])
            held = known.take(slice(count, None))
        if held is not None:
            self._end_last(held)
            yield self._place(held, _Marks(held), len(held), begins)

    def repairs(self) -> Iterator[str]:
        """What was left out or repaired so far, as sentences."""
        if self._left_out:
            yield (
                f"The last step of {plural(self._left_out, 'episode')} was left out: the file does not hold the "
                "observation that it led to."
            )
        if self._repeated:
            yield (
                f"{plural(self._repeated, 'terminated episode')}: the file does not hold the last observation, so "
                "the one before it is repeated. No learner looks beyond a terminal step."
            )
        if self._cuts:
            yield (
                f"{plural(self._cuts, 'further end')} of episodes: the observation after a step is not that of the "
                "next row."
            )
        if self._is_cut_off:
            yield "The file ends within an episode, which counts as truncated."

    def _end_last(self, held: FileSteps) -> None:
        if not held.ended[-1]:
            self._is_cut_off = True
            held.ended = held.ended.copy()
            held.ended[-1] = True

    def _place(self, known: FileSteps, marks: _Marks, count: int, begins: bool) -> DatasetRows:
        """The first `count` rows of `known`; `begins`: whether an episode begins with them."""
        is_step, is_last = ~marks.only_seen[:count], marks.is_last[:count]
        terminated, ends = known.terminated[:count], marks.ends[:count]
        self._cuts += int((ends & ~marks.named[:count]).sum())
        self._left_out += int((~is_step).sum())
        if known.following is None:
            self._repeated += int((ends & is_step).sum())
        # An observation that nothing led to and that leads nowhere belongs to no step.
        is_first = np.concatenate([[begins], ends[:-1]])
        kept = np.where(is_step, 1 + (ends & is_step), ~is_first).astype(np.int64)
        steps = {name: column[:count][is_step] for name, column in known.actions.items()}
        steps[REWARDS] = known.rewards[:count][is_step]
        steps[TERMINATIONS] = terminated[is_step]
        truncated = is_last & ~terminated
        if known.truncated is not None:
            truncated |= is_last & known.truncated[:count]
        steps[TRUNCATIONS] = truncated[is_step]
        if known.who is not None:
            steps[WHO] = known.who[:count][is_step]
        seen = _with_last(known.observations, known.following, kept)
        seen |= _with_last(known.infos, None, kept)
        return DatasetRows(steps, seen, is_last[is_step], _seeds(known.seeds, is_last))


class _Marks:
    """What each row is, as far as the rows behind it show."""

    def __init__(self, steps: FileSteps) -> None:
        self.ends, self.named = _ends(steps)
        self.only_seen = _only_seen(steps, self.ends)
        self.before_seen = np.concatenate([self.only_seen[1:], [False]]) & ~self.ends
        """Steps whose observation after them is all that the next row holds."""
        self.is_last = (self.ends & ~self.only_seen) | self.before_seen

    def settled(self) -> int:
        """How many rows no later row can change; a last step is not parted from what was seen after it."""
        count = len(self.ends) - 2
        return count - 1 if count > 0 and self.before_seen[count - 1] else max(0, count)


def _ends(steps: FileSteps) -> tuple[Array, Array]:
    """Which rows end an episode, and which of these ends the file names; others show in the observations."""
    named = steps.ended.copy()
    if steps.episodes is not None:
        named[:-1] |= steps.episodes[1:] != steps.episodes[:-1]
    apart = np.zeros(len(steps), bool)
    for name, after in (steps.following or {}).items():
        apart[:-1] |= _differ(after[:-1], steps.observations[name][1:])
    return named | apart, named


def _only_seen(steps: FileSteps, ends: Array) -> Array:
    if steps.only_seen is not None:
        return steps.only_seen
    return ends & ~steps.terminated if steps.following is None else np.zeros(len(steps), bool)


def _with_last(columns: Columns, following: Columns | None, kept: Array) -> Columns:
    """Each row as often as `kept` has it; the second time it is the observation after it."""
    found = {}
    has_second = kept == 2
    second = np.cumsum(kept)[has_second] - 1
    for name, values in columns.items():
        found[name] = np.repeat(values[: len(kept)], kept, axis=0)
        if following is not None:
            found[name][second] = following[name][: len(kept)][has_second]
    return found


def _seeds(seeds: Array | None, is_last: Array) -> Array:
    if seeds is None:
        return np.full(int(is_last.sum()), -1, np.int64)
    return seeds[: len(is_last)][is_last].astype(np.int64)


def _differ(first: Array, second: Array) -> Array:
    """Row by row; two NaN are equal."""
    is_other = first != second
    if first.dtype.kind == "f":
        is_other &= ~(np.isnan(first) & np.isnan(second))
    return is_other.reshape(len(first), -1).any(axis=1) if is_other.size else np.zeros(len(first), bool)
