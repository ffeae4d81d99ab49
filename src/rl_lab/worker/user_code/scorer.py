"""Scores steps with a user's reward, and looks at episodes with a user's evaluation code; checks what comes back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.workbench.codes import CodeKind
from rl_lab.guardian.files import Confinement
from rl_lab.worker.user_code.code_process import CALL_CPU_S, CALL_S, CodeProcess
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
    info: Sequence[Mapping[str, Any]] | None = None

    def __len__(self) -> int:
        return len(self.reward)


@dataclass(frozen=True, slots=True)
class Scored:
    """What a reward gave for each row."""

    totals: NDArray[np.float64]
    terms: NDArray[np.float64]
    """One column per term; none when the reward is one number."""
    names: tuple[str, ...]


class RewardScorer:
    """A reward, ready to score steps."""

    def __init__(self, source: str, name: str, confine: Confinement) -> None:
        self._process = CodeProcess(source, CodeKind.reward, name, confine)
        self.takes = frozenset(self._process.takes)

    def score(self, rows: StepRows, *, cpu_s: float = CALL_CPU_S, wait_s: float = CALL_S) -> Scored:
        """CodeFailed, with the row, when the reward fails or returns something that is not a finite number."""
        columns = {
            name: _column(getattr(rows, name))
            for name in self.takes - {"state"}
            if getattr(rows, name) is not None
        }
        question = {
            "columns": columns,
            "begins": np.asarray(rows.begins, np.uint8).tobytes(),
            "lanes": None if rows.lanes is None else np.asarray(rows.lanes, "<i4").tobytes(),
        }
        answer = self._process.ask("score", question, cpu_s=cpu_s, wait_s=wait_s)
        try:
            return _scored(answer, len(rows))
        except (ValueError, TypeError, RecursionError):
            raise self._process.nonsense() from None

    def end(self) -> None:
        """Ends its process at once, from any thread."""
        self._process.end()

    def close(self) -> None:
        self._process.close()


class EpisodeEvaluator:
    """Evaluation code, ready to look at whole episodes."""

    def __init__(self, source: str, name: str, confine: Confinement) -> None:
        self._process = CodeProcess(source, CodeKind.evaluation, name, confine)

    def evaluate(self, episode: Mapping[str, Any]) -> dict[str, float]:
        """`episode`: arrays and plain values by the names that the code sees."""
        fields = {name: _column(value) for name, value in episode.items()}
        answer = self._process.ask("evaluate", {"episode": fields})
        try:
            return _read_numbers(answer)
        except (ValueError, TypeError, OverflowError, RecursionError):
            raise self._process.nonsense() from None

    def close(self) -> None:
        self._process.close()


def stack_observations(observations: Sequence[Any]) -> Any:
    """Rows for `StepRows.obs`: one array where observations are arrays or numbers, plain values otherwise."""
    first = observations[0] if len(observations) else 0.0
    if isinstance(first, np.ndarray | np.generic | int | float):
        return np.asarray(observations)
    return [plain(one) for one in observations]


def plain(value: Any) -> Any:
    """A value without numpy, as `marshal` takes it; what it cannot take becomes text."""
    match value:
        case np.ndarray():
            return value.tolist()
        case np.generic():
            return value.item()
        case dict():
            return {str(key): plain(one) for key, one in value.items()}
        case tuple() | list():
            return [plain(one) for one in value]
        case bool() | int() | float() | str() | bytes() | None:
            return value
    return str(value)


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
    return isinstance(name, str) and len(name) <= MAX_NAME


def _read_numbers(answer: bytes) -> dict[str, float]:
    found = json.loads(answer)
    if not isinstance(found, dict) or len(found) > MAX_TERMS or not all(map(_is_name, found)):
        raise ValueError("these are not named numbers")
    numbers = {name: float(value) for name, value in found.items()}
    if not all(map(math.isfinite, numbers.values())):
        raise ValueError("these are not finite numbers")
    return numbers
