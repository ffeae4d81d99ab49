"""Scores steps with a user's reward, and looks at episodes with a user's evaluation code; checks what comes back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.analysis.wording import count
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.guardian.files import Confinement
from rl_lab.worker.user_code.code_process import CALL_CPU_S, CALL_S, CodeProcess
from rl_lab.worker.user_code.step_values import plain
from rl_lab.worker.user_code.wire import MAX_NAME, MAX_TERMS, to_column


@dataclass(frozen=True, slots=True)
class StepRows:
    """Steps to score, of one or several environments; each environment's steps are in their order."""

    obs: Any
    action: Any
    next_obs: Any
    reward: NDArray[np.float64]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]
    begins: NDArray[np.bool_]
    """Which rows are the first of an episode."""
    lanes: NDArray[np.int32] | None = None
    """The environment of each row; None when there is only one."""
    info: list[dict[str, Any]] | None = None
    """Plain values, as `plain_info` makes them; None where there are none, or where no code takes them."""

    def __len__(self) -> int:
        return len(self.reward)

    def at(self, rows: slice | NDArray[np.int64]) -> StepRows:
        """Some of the rows, in this order."""
        return replace(self, **{one.name: _rows_of(getattr(self, one.name), rows) for one in fields(self)})


@dataclass(frozen=True, slots=True)
class Scored:
    """What a reward gave for each row."""

    totals: NDArray[np.float64]
    terms: NDArray[np.float64]
    """One column per term; none when the reward is one number."""
    names: tuple[str, ...]

    @property
    def returned(self) -> float:
        return added_up(self.totals)


class RewardScorer:
    """A reward, ready to score steps."""

    def __init__(
        self, source: str, name: str, confine: Confinement, started: CodeProcess | None = None
    ) -> None:
        """CodeFailed when the code cannot be executed, NotReady when its process cannot be confined.

        `started`: its process, where that was started before it is needed.
        """
        self._process = started or CodeProcess(source, CodeKind.reward, name, confine)
        self._process.open()
        self.takes = frozenset(self._process.takes)
        self.has_reset = self._process.has_reset

    def score(self, rows: StepRows, *, cpu_s: float = CALL_CPU_S, wait_s: float = CALL_S) -> Scored:
        """CodeFailed, with the row, when the reward fails or returns something that is not a finite number."""
        columns = {
            name: rows.info if name == "info" else _column(getattr(rows, name))
            for name in self.takes - {"state"}
        }
        question = {
            "columns": columns,
            "begins": np.asarray(rows.begins, np.uint8).tobytes(),
            "lanes": None if rows.lanes is None else np.asarray(rows.lanes, "<i4").tobytes(),
        }
        answer = self._process.ask("score", question, count(len(rows), "step"), cpu_s=cpu_s, wait_s=wait_s)
        try:
            return _scored(answer, len(rows))
        except (ValueError, TypeError, RecursionError):
            raise self._process.invalid_answer() from None

    def end(self) -> None:
        """Ends its process at once, from any thread."""
        self._process.end()

    def close(self) -> None:
        self._process.close()


class EpisodeEvaluator:
    """Evaluation code, ready to look at whole episodes."""

    def __init__(self, source: str, name: str, confine: Confinement) -> None:
        self._process = CodeProcess(source, CodeKind.evaluation, name, confine)
        self._process.open()

    def evaluate(self, episode: Mapping[str, Any]) -> dict[str, float]:
        """`episode`: arrays and plain values by the names that the code sees."""
        given = {name: _column(value) for name, value in episode.items()}
        answer = self._process.ask("evaluate", {"episode": given}, "one episode")
        try:
            return _read_numbers(answer)
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise self._process.invalid_answer() from None

    def close(self) -> None:
        self._process.close()


def added_up(values: Sequence[float] | NDArray[np.float64], start: float = 0.0) -> float:
    """One after the other, as trainings do: the order decides how a sum is rounded."""
    return float(np.cumsum(np.concatenate(([start], values)))[-1])


def _rows_of(column: Any, rows: slice | NDArray[np.int64]) -> Any:
    if column is None or isinstance(column, np.ndarray) or isinstance(rows, slice):
        return None if column is None else column[rows]
    return [column[row] for row in rows]


def _column(value: Any) -> Any:
    return to_column(value) if isinstance(value, np.ndarray) else plain(value)


def _scored(answer: bytes, n: int) -> Scored:
    """ValueError or TypeError for what is no answer: the code may have written to the connection itself."""
    size = int.from_bytes(answer[:4], "little")
    names = _read_names(answer[4 : 4 + size])
    numbers = np.frombuffer(answer[4 + size :], np.float64)
    if len(numbers) != n * (1 + len(names)) or not np.isfinite(numbers).all():
        raise ValueError("these are not the numbers that were asked for")
    return Scored(numbers[:n], numbers[n:].reshape(n, len(names)), names)


def _read_names(written: bytes) -> tuple[str, ...]:
    names = json.loads(written)
    if not isinstance(names, list) or len(names) > MAX_TERMS or not all(map(_is_name, names)):
        raise ValueError("these are not names of terms")
    return tuple(names)


def _is_name(name: Any) -> bool:
    return isinstance(name, str) and len(name) <= MAX_NAME and name.isprintable()


def _read_numbers(answer: bytes) -> dict[str, float]:
    found = json.loads(answer)
    if not isinstance(found, dict) or len(found) > MAX_TERMS or not all(map(_is_name, found)):
        raise ValueError("these are not named numbers")
    numbers = {name: float(value) for name, value in found.items()}
    if not all(map(math.isfinite, numbers.values())):
        raise ValueError("these are not finite numbers")
    return numbers
