"""Ray Tune's result.json, one JSON object per line, and params.json next to it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any, BinaryIO

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.lines import read_lines
from rl_lab.analysis.adoption.pieces import Facts, Piece, curve
from rl_lab.core.words.amounts import plural

STEP_KEYS = (
    "num_env_steps_sampled_lifetime",
    "timesteps_total",
    "agent_timesteps_total",
    "training_iteration",
)
BOOKKEEPING = frozenset(
    {
        "config",
        "hist_stats",
        "timestamp",
        "training_iteration",
        "iterations_since_restore",
        "timesteps_since_restore",
        "time_since_restore",
        "timesteps_total",
        "time_total_s",
        "time_this_iter_s",
        "pid",
        "trial_id",
        "experiment_tag",
        "date",
        "hostname",
        "node_ip",
        "done",
    }
)
"""What Ray notes about the process and its clocks; none of it is a metric."""
MAX_NAMES = 1500
MAX_DEPTH = 8


def read_results(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    found = read_lines(file, start)
    piece = Piece(found.offset, memo=memo, is_complete=found.is_complete)
    columns: dict[str, tuple[list[float], list[float], list[float]]] = {}
    bad = found.too_long
    for line in found.lines:
        row = _row(line)
        if row is None:
            bad += bool(line.strip())
            continue
        if start == 0 and isinstance(row.get("config"), dict):
            piece.facts.take(facts_of_config(row["config"]))
        step, t = _step(row), _time(row)
        for name, value in _numbers(row):
            steps, times, values = columns.setdefault(name, ([], [], []))
            steps.append(step)
            times.append(t)
            values.append(value)
    if bad:
        piece.problems.append(f"{plural(bad, 'line')} that are no results left out.")
    piece.curves = {name: curve(*column) for name, column in list(columns.items())[:MAX_NAMES]}
    return piece


def read_params(data: bytes) -> Facts | None:
    """params.json; None when it cannot be read."""
    row = _row(data)
    return None if row is None else facts_of_config(row)


def is_bookkeeping(name: str) -> bool:
    """Whether a name of Ray's, as a key or flattened with slashes, is no metric."""
    return name.partition("/")[0] in BOOKKEEPING


def _row(line: bytes) -> dict[str, Any] | None:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return row if isinstance(row, dict) else None


def _step(row: dict[str, Any]) -> float:
    for key in STEP_KEYS:
        value = row.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            return float(value)
    return 0.0


def _time(row: dict[str, Any]) -> float:
    value = row.get("timestamp")
    return float(value) if isinstance(value, int | float) else math.nan


def _numbers(row: dict[str, Any], above: str = "", depth: int = 0) -> Iterator[tuple[str, float]]:
    for key, value in row.items():
        if isinstance(value, bool) or (not above and is_bookkeeping(key)):
            continue
        name = f"{above}{key}"[:200]
        if isinstance(value, int | float):
            yield name, _float(value)
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            yield from _numbers(value, f"{name}/", depth + 1)


def _float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.nan
