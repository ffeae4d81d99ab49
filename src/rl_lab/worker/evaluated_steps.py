"""Which steps of a training have been evaluated alongside it, as a file of the run: a resumed training reads it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Evaluated:
    timestep: int
    sha256: str
    mean: float | None
    """None when it cannot be compared with others: the reward that decides has failed in it."""
    score: float | None = None
    """Its training return, which decides between checkpoints whose evaluations are equal."""

    @property
    def rank(self) -> tuple[float, float] | None:
        if self.mean is None:
            return None
        return self.mean, -math.inf if self.score is None else self.score


class EvaluatedSteps:
    def __init__(self, path: Path, timestep0: int) -> None:
        """What was measured after `timestep0` belongs to training that is done again from there, and is dropped."""
        self._path = path
        self._steps = {one.timestep: one for one in _read(path) if one.timestep <= timestep0}
        self._best = self._highest()
        if path.exists():
            path.write_text("".join(_line(one) for one in self._steps.values()), "utf-8")

    def has_since(self, timestep: int) -> bool:
        return any(step >= timestep for step in self._steps)

    def is_new_best(self, found: Evaluated, *, is_kept: bool) -> bool:
        """`is_kept`: the file of the best checkpoint so far exists; without it the next one takes its place."""
        if found.rank is None:
            return False
        return self._best is None or not is_kept or found.rank > self._best

    def ranked(self) -> list[Evaluated]:
        """Those that can be compared, the best one first; of equal ones, the earlier."""
        compared = [one for one in self._steps.values() if one.rank is not None]
        return sorted(compared, key=lambda one: (one.rank, -one.timestep), reverse=True)

    def set_best(self, found: Evaluated) -> None:
        """The best of those whose checkpoint exists."""
        self._best = found.rank

    def add(self, found: Evaluated) -> None:
        """Call when it has been reported: after a crash before this, the step is evaluated again."""
        self._steps[found.timestep] = found
        self._best = self._highest()
        with self._path.open("a", encoding="utf-8") as file:
            file.write(_line(found))

    def _highest(self) -> tuple[float, float] | None:
        return max((one.rank for one in self._steps.values() if one.rank is not None), default=None)


def _line(one: Evaluated) -> str:
    return json.dumps(asdict(one)) + "\n"


def _read(path: Path) -> Iterator[Evaluated]:
    """A line that a crash has cut off is left out."""
    try:
        lines = path.read_text("utf-8").splitlines()
    except FileNotFoundError:
        return
    for line in lines:
        try:
            fields = json.loads(line)
            mean, score = _number(fields["mean"]), _number(fields.get("score"))
            yield Evaluated(int(fields["timestep"]), str(fields["sha256"]), mean, score)
        except (ValueError, KeyError, TypeError):
            continue


def _number(value: Any) -> float | None:
    return None if value is None else float(value)
