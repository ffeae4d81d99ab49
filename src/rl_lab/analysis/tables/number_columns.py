"""Columns of the table of runs with derived metrics and numbers of evaluation code, each number with its protocol.

Their names are those of the filter of runs: `metrics.soft_landings`, `metrics.soft_landings@nightly@v2` by one version.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rl_lab.analysis.tables.batches import Kind, TableColumn
from rl_lab.core.run_query import METRIC
from rl_lab.core.runs import Run

PROTOCOL = "@protocol"
"""Ends the name of the column that says by which protocol each number was measured."""


def number_columns(runs: Sequence[Run]) -> list[TableColumn]:
    """By name; a number is followed by its versions and its protocol."""
    kinds = {name: _kind(name) for run in runs for name in number_values(run)}
    return [TableColumn(name, kinds[name]) for name in sorted(kinds)]


def number_values(run: Run) -> dict[str, Any]:
    """A metric of the training keeps its name, as in lists."""
    summary = run.summary
    numbers = {name: value for name, value in summary.numbers.items() if name not in summary.metrics}
    values: dict[str, Any] = {**numbers, **summary.derived}
    for name in numbers:
        if name in summary.cited and "@" not in name and name not in summary.derived:
            values[name + PROTOCOL] = summary.cited[name]
    return {METRIC + name: value for name, value in values.items()}


def _kind(name: str) -> Kind:
    return "text" if name.endswith(PROTOCOL) else "float"
