"""The user's reward of a training: scores its steps in a confined process and reports the returns that it gives.

The learner learns from it. The environment's own reward stays what episodes are recorded and reported with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.errors import CodeFailed
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.guardian.files import Confinement, confinement_of
from rl_lab.portable.emitter import Emitter
from rl_lab.portable.shown_values import MAX_SHOWN_VALUES, shown
from rl_lab.worker.own_returns import OwnReturns
from rl_lab.worker.user_code.code_process import CodeProcess
from rl_lab.worker.user_code.noted_steps import NotedSteps
from rl_lab.worker.user_code.scorer import RewardScorer, Scored, StepRows
from rl_lab.worker.user_code.step_values import nbytes_of

PART_ROWS, PART_BYTES = 2048, 32 << 20
"""Of one message: code that took 5 s for 1,000 steps when it was tried must answer in time, and has little memory."""
LOOKED_AT = 8
"""Rows whose size is measured, where rows may differ in size."""
MAX_SHOWN = 300
"""Characters of an observation in a message."""
TRAINING_STEP, DATASET_STEP = "training step {:,}", "step {:,} of the dataset"
NEXT_STEP = (
    "Correct the code on the Workbench, where it can be tried before training, and train again. Checkpoints that this "
    "run has saved are kept, and a new run can start from one."
)


class OwnReward:
    def __init__(self, given: Mapping[str, Any], telemetry: Emitter | None = None) -> None:
        """`given`: source, name and confinement, as in the inputs of a job."""
        self.name = str(given["name"])
        self._given = given
        self._telemetry = telemetry
        self._started: CodeProcess | None = None
        self._scorer: RewardScorer | None = None
        self.returns = OwnReturns()

    @cached_property
    def noted(self) -> NotedSteps:
        """Steps of a training's environments that are to be scored."""
        return NotedSteps(with_info="info" in self.takes, stacked=self.takes)

    def start(self) -> None:
        """Starts its process and does not wait for it: libraries are loaded meanwhile."""
        source, name, confine = self._code
        self._started = CodeProcess(source, CodeKind.reward, name, confine)

    def open(self) -> None:
        """Waits for its process, so that no step does; CodeFailed when the code cannot be executed."""
        self._open()

    @property
    def takes(self) -> frozenset[str]:
        """The arguments that the code asks for."""
        return self._open().takes

    def score(self, rows: StepRows, last_step: int) -> NDArray[np.float64]:
        """The reward of each step; `last_step` is the training step of the last row. CodeFailed says where."""
        scored = self.scored(rows, last_step)
        found = self.returns.add(rows, scored)
        if self._telemetry is not None and found:
            make, first = self._telemetry.maker("metric"), last_step - len(rows) + 1
            self._telemetry.emit_many(make(values=values, step=first + row) for row, values in found)
        return scored.totals

    def score_noted(self, last_step: int) -> NDArray[np.float64]:
        """The same for the steps that were noted since the last time."""
        return self.score(self.noted.take(), last_step) if len(self.noted) else np.zeros(0)

    def scored(self, rows: StepRows, last_step: int | None = None, place: str = TRAINING_STEP) -> Scored:
        """Rewards and terms, without counting returns. `place`: what the number of a step counts, for messages."""
        scorer, parts = self._open(), []
        for part in cut(rows):
            try:
                parts.append(scorer.score(rows.at(part) if len(rows) > part.stop - part.start else rows))
            except CodeFailed as error:
                first = None if last_step is None else last_step - len(rows) + 1
                raise _explained(error, rows, part.start, place, first) from None
        return joined(parts)

    @contextmanager
    def bringing_back(self) -> Iterator[None]:
        """Around the simulation of a checkpoint's unfinished episodes: what the code remembers depends on their steps.

        Their sums are in the checkpoint.
        """
        noted = self.noted
        noted.is_paused, noted.on_full = "state" not in self.takes, self._score_again
        try:
            yield
            self._score_again()
        finally:
            noted.is_paused, noted.on_full = False, None

    def _score_again(self) -> None:
        if len(self.noted):
            self.scored(self.noted.take())

    def state(self) -> dict[str, Any]:
        return self.returns.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        self.returns.restore(state)

    def close(self) -> None:
        opened = self._scorer or self._started
        if opened is not None:
            opened.close()
        self._scorer = self._started = None

    def _open(self) -> RewardScorer:
        if self._scorer is None:
            self._scorer = RewardScorer(*self._code, self._started)
        return self._scorer

    @property
    def _code(self) -> tuple[str, str, Confinement]:
        return str(self._given["source"]), self.name, confinement_of(self._given["confine"])


def cut(rows: StepRows) -> list[slice]:
    """The rows of each message."""
    row_bytes = sum(_row_bytes(column) for column in (rows.obs, rows.next_obs, rows.info))
    most = max(1, min(PART_ROWS, PART_BYTES // max(1, row_bytes)))
    return [slice(start, min(start + most, len(rows))) for start in range(0, len(rows), most)]


def _row_bytes(column: Sequence[Any] | NDArray[Any] | None) -> int:
    """Of one row; of values that are no array, the largest of some."""
    if column is None or not len(column):
        return 0
    if isinstance(column, np.ndarray):
        return int(column.nbytes) // len(column)
    return max(map(nbytes_of, column[:: max(1, len(column) // LOOKED_AT)]))


def joined(parts: list[Scored]) -> Scored:
    """Terms that the code returned only later are 0 before."""
    if len(parts) == 1:
        return parts[0]
    names = tuple(dict.fromkeys(name for part in parts for name in part.names))
    totals = np.concatenate([part.totals for part in parts]) if parts else np.zeros(0)
    terms = np.zeros((len(totals), len(names)))
    start = 0
    for part in parts:
        stop = start + len(part.totals)
        for k, name in enumerate(part.names):
            terms[start:stop, names.index(name)] = part.terms[:, k]
        start = stop
    return Scored(totals, terms, names)


def _explained(
    error: CodeFailed, rows: StepRows, first_row: int, place: str, first_step: int | None
) -> CodeFailed:
    """The same with the step, and what the code was given."""
    detail = error.detail
    if error.row is not None and 0 <= error.row < len(rows) - first_row:
        row = first_row + error.row
        at = "" if first_step is None else f" at {place.format(first_step + row)}"
        given = f"observation {_text(rows.obs[row])} and action {_text(rows.action[row])}"
        detail = f"{detail.rstrip('.')}{at}, with {given}."
    return CodeFailed(
        detail, reason=error.reason, line=error.line, row=error.row, kind=error.kind, next_step=NEXT_STEP
    )


def _text(value: Any) -> str:
    is_short = isinstance(value, np.ndarray) and value.size <= MAX_SHOWN_VALUES
    text = np.array2string(value, precision=4, separator=", ") if is_short else str(shown(value))
    text = " ".join(text.split())
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}…"
