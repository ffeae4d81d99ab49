"""Tries user code on steps or episodes in its confined process, and says what it found, at the line where it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rl_lab.core.errors import CodeFailed
from rl_lab.core.workbench.codes import CodeCheck, CodeRemark
from rl_lab.guardian.files import Confinement
from rl_lab.portable.shown_values import shown
from rl_lab.worker.user_code.scorer import EpisodeEvaluator, RewardScorer, Scored, StepRows

CPU_S, WAIT_S = 5.0, 20.0
"""Processor time and time for all calls together; code that sleeps uses no processor."""
REPEATS = 3
"""The fastest of them is the speed: others may use the machine."""
LARGE = 1e6
MAX_SHOWN = 160
NAME = "your code"
RANDOM = (
    "The same {what} gave different numbers when it was called again: random without a seed, or state kept in globals. "
    "Results depend on the order of calls; use reset() and state."
)
NO_STATE = "reset() is not called, because reward_function does not take state."
NOT_TRIED = "It was not called: name an environment or a run to try it on."


def check_reward(source: str, confine: Confinement, rows: StepRows | None, step_s: float) -> CodeCheck:
    """`step_s`: how long the environment takes for one step; None of `rows`: it is only opened."""
    check = CodeCheck(is_usable=True, isolation=confine.level)
    try:
        with closing(RewardScorer(source, NAME, confine)) as scorer:
            check.takes = sorted(scorer.takes)
            if scorer.has_reset and "state" not in scorer.takes:
                check = _with(check, CodeRemark(level="warning", message=NO_STATE))
            if rows is None or not len(rows):
                return _with(check, CodeRemark(level="info", message=NOT_TRIED))
            first, seconds = _timed_score(scorer, rows)
            others = [_timed_score(scorer, rows) for _ in range(REPEATS if seconds < 1 else 1)]
        order = reversed_episodes(rows.begins)
        with closing(RewardScorer(source, NAME, confine)) as fresh:
            moved, _ = _timed_score(fresh, rows.at(order))
    except CodeFailed as error:
        return _failed(check, error, lambda row: _row_values(rows, check.takes, row))
    check.calls, check.terms = len(rows), list(first.names)
    call_s = min(seconds for _, seconds in others) / len(rows)
    check.calls_per_second, check.slowdown = 1 / call_s, _slowdown(call_s, step_s)
    is_same = all(np.array_equal(first.totals, found.totals) for found, _ in others)
    is_same = is_same and np.array_equal(first.totals[order], moved.totals)
    return _with(check, *_value_remarks(first, is_same))


def check_evaluation(source: str, confine: Confinement, episodes: Sequence[dict[str, Any]]) -> CodeCheck:
    """`episodes`: the fields of whole episodes."""
    check = CodeCheck(is_usable=True, isolation=confine.level, takes=["episode"])
    number = 0
    try:
        with closing(EpisodeEvaluator(source, NAME, confine)) as evaluator:
            if not episodes:
                return _with(check, CodeRemark(level="info", message=NOT_TRIED))
            first = []
            begun = time.perf_counter()
            for number, episode in enumerate(episodes):  # noqa: B007  named in the error
                first.append(evaluator.evaluate(episode))
            seconds = time.perf_counter() - begun
        with closing(EpisodeEvaluator(source, NAME, confine)) as fresh:
            again = [fresh.evaluate(episode) for episode in reversed(episodes)]
    except CodeFailed as error:
        return _failed(check, error, lambda _row: f"episode {number} of {len(episodes)}")
    check.calls, check.calls_per_second = len(episodes), len(episodes) / seconds
    check.terms = list(dict.fromkeys(name for found in first for name in found))
    if first != again[::-1]:
        return _with(check, CodeRemark(level="warning", message=RANDOM.format(what="episode")))
    return check


def _timed_score(scorer: RewardScorer, rows: StepRows) -> tuple[Scored, float]:
    begun = time.perf_counter()
    found = scorer.score(rows, cpu_s=CPU_S, wait_s=WAIT_S)
    return found, time.perf_counter() - begun


def reversed_episodes(begins: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The rows with the last episode first; the steps of each episode stay in their order."""
    starts = np.flatnonzero(begins)
    if not len(starts) or starts[0] != 0:
        starts = np.concatenate([[0], starts])
    pieces = np.split(np.arange(len(begins)), starts[1:])
    return np.concatenate(pieces[::-1])


def _slowdown(call_s: float, step_s: float) -> float | None:
    """The share of the speed that is lost when every step takes a call longer."""
    return call_s / (call_s + step_s) if step_s > 0 else None


def _value_remarks(found: Scored, is_same: bool) -> Iterable[CodeRemark]:
    totals = found.totals
    if not is_same:
        yield CodeRemark(level="warning", message=RANDOM.format(what="step"))
    largest = float(np.abs(totals).max())
    if largest > LARGE:
        worst = totals[np.abs(totals).argmax()]
        text = f"It returned {worst:g}: most learners cannot learn from rewards beyond ±{LARGE:,.0f}."
        yield CodeRemark(level="warning", message=text)
    if len(totals) > 1 and totals.min() == totals.max():
        yield CodeRemark(
            level="info", message=f"It returned {totals[0]:g} for each of {len(totals):,} steps."
        )


def _failed(check: CodeCheck, error: CodeFailed, values: Callable[[int], str]) -> CodeCheck:
    reason = error.reason[:1].upper() + error.reason[1:].rstrip(".")
    if error.kind == "slow":
        reason = f"It took too long: all calls together may take {CPU_S:.0f} s of processor time"
    where = f" ({values(error.row)})" if error.row is not None else ""
    check.is_usable = False
    return _with(check, CodeRemark(line=error.line, message=f"{reason}{where}."))


def _row_values(rows: StepRows | None, takes: Iterable[str], row: int) -> str:
    """ "step 17: obs = [0.1, 0.2], action = 1" """
    if rows is None or not 0 <= row < len(rows):
        return f"step {row}"
    columns = {name: getattr(rows, name, None) for name in takes if name != "state"}
    parts = [f"{name} = {_text(column[row])}" for name, column in columns.items() if column is not None]
    return f"step {row}: {', '.join(parts)}" if parts else f"step {row}"


def _text(value: Any) -> str:
    text = str(shown(value))
    return text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + "…"


def _with(check: CodeCheck, *remarks: CodeRemark) -> CodeCheck:
    return check.model_copy(update={"remarks": [*check.remarks, *remarks]})
