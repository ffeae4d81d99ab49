"""Names of derived metrics, and derived metrics that use each other."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.derived_metrics import (
    MAX_CHAIN,
    NewDerivedMetric,
    computing_order,
    read_definitions,
    stored_metrics,
)


@pytest.mark.parametrize(
    "name", ["", "9lives", "a b", "a,b", "loss", "Return", "preview", "New", "../a", "é"]
)
def test_a_name_that_means_something_else_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        NewDerivedMetric(name=name, expression="loss")


def test_a_derived_metric_is_computed_after_those_that_it_uses() -> None:
    known = read_definitions({"c": "b + a", "b": "a * 2", "a": "loss - reward"})
    assert computing_order(["c"], known) == ["a", "b", "c"]
    assert stored_metrics(["c", "kl"], known) == ["kl", "loss", "reward"]


def test_a_circle_is_refused_and_shown() -> None:
    known = read_definitions({"a": "b + 1", "b": "c", "c": "a"})
    with pytest.raises(InvalidInput, match="a → b → c → a"):
        computing_order(["a"], known)


def test_a_long_chain_is_refused() -> None:
    known = read_definitions({f"m{n}": f"m{n + 1}" for n in range(MAX_CHAIN + 5)})
    with pytest.raises(InvalidInput, match="in a row"):
        computing_order(["m0"], known)


def test_metrics_that_use_each_other_twice_are_computed_once() -> None:
    doubled = {f"m{n}": f"m{n + 1} + m{n + 1}" for n in range(MAX_CHAIN - 1)}
    assert len(computing_order(["m0"], read_definitions(doubled))) == MAX_CHAIN - 1


def test_an_expression_of_another_version_is_left_out() -> None:
    assert list(read_definitions({"a": "loss", "b": "fourier(loss)"})) == ["a"]
