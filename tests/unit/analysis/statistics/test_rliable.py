"""The method `rliable` against values that rliable 1.2.0 computed (`scripts/rliable_values.py`)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import RandomState

from rl_lab.analysis.statistics import rliable

FOUND: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "rliable.json").read_text())
REPLICATES: int = FOUND["replicates"]
EXACT = 1e-9


@pytest.mark.parametrize("sample", FOUND["samples"], ids=lambda one: f"seed {one['seed']}")
@pytest.mark.parametrize("name", rliable.AGGREGATES)
def test_aggregates_and_intervals_equal_rliable(sample: dict[str, Any], name: str) -> None:
    scores, aggregate = np.array(sample["scores"]), rliable.AGGREGATES[name]
    ends = rliable.interval(scores, aggregate, RandomState(sample["seed"]), REPLICATES)
    assert [float(aggregate(scores)), *ends] == pytest.approx(sample[name], abs=EXACT)


@pytest.mark.parametrize("sample", FOUND["samples"], ids=lambda one: f"seed {one['seed']}")
def test_performance_profiles_equal_rliable(sample: dict[str, Any]) -> None:
    wanted, scores = sample["profile"], np.array(sample["scores"])
    found = rliable.performance_profile(
        scores, np.array(wanted["taus"]), RandomState(sample["seed"]), REPLICATES
    )
    for one, name in zip(found, ("share", "low", "high"), strict=True):
        assert one.tolist() == pytest.approx(wanted[name], abs=EXACT)


@pytest.mark.parametrize("pair", FOUND["pairs"], ids=lambda one: f"seed {one['seed']}")
def test_probability_of_improvement_equals_rliable(pair: dict[str, Any]) -> None:
    x, y = np.array(pair["x"]), np.array(pair["y"])
    ends = rliable.improvement_interval(x, y, RandomState(pair["seed"]), REPLICATES)
    found = [float(rliable.probability_of_improvement(x, y)), *ends]
    assert found == pytest.approx(pair["improvement"], abs=EXACT)


def test_parts_of_the_draws_give_the_numbers_of_one_draw(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.array(FOUND["samples"][0]["scores"])
    whole = rliable.interval(scores, rliable.aggregate_iqm, RandomState(4), 1000)
    monkeypatch.setattr(rliable, "MOST_CELLS", 700)
    assert rliable.interval(scores, rliable.aggregate_iqm, RandomState(4), 1000) == whole
