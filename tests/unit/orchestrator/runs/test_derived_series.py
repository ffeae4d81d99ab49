"""Expressions over the metrics of one run: what it stores, and what every run has."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from rl_lab.core.workbench.expressions import parse_expression
from rl_lab.orchestrator.runs.derived_series import evaluate_for, read_derived
from rl_lab.store.telemetry.series import StoredSeries


class FakeTelemetry:
    """Stores these values, one per episode."""

    def __init__(self, **series: list[float]) -> None:
        self._series = {name: _series(name, values) for name, values in series.items()}

    def series_names(self) -> list[str]:
        return list(self._series)

    def tails(self, names: Collection[str], _most: int) -> dict[str, StoredSeries]:
        return {name: one for name, one in self._series.items() if name in names}


def _series(name: str, values: list[float]) -> StoredSeries:
    places = np.arange(len(values))
    return StoredSeries(name, places, places * 10, places.astype(float), np.array(values), len(values))


def last(telemetry: Any, expression: str) -> float | None:
    found = evaluate_for(telemetry, parse_expression(expression), {})
    return None if found is None else float(found.value[-1])


def test_a_run_that_stores_no_mean_reward_has_that_of_its_last_100_episodes() -> None:
    telemetry = FakeTelemetry(reward=[1000.0, *[1.0] * 60, *[3.0] * 40])
    assert last(telemetry, "mean_reward") == 1.8
    assert last(telemetry, "mean_reward + 1") == 2.8


def test_a_mean_reward_that_a_run_stores_counts() -> None:
    assert last(FakeTelemetry(reward=[1.0, 3.0], mean_reward=[7.0]), "mean_reward") == 7.0


def test_a_derived_metric_may_use_it_and_it_is_listed_nowhere_else() -> None:
    telemetry: Any = FakeTelemetry(reward=[1.0, 3.0])
    definitions = {"double": parse_expression("mean_reward * 2")}
    found = read_derived(telemetry, None, definitions)
    assert {name: one.value[-1] for name, one in found.items()} == {"double": 4.0}
    assert read_derived(telemetry, ["mean_reward"], definitions) == {}
