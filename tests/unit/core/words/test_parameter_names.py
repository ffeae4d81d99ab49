"""Short names of hyper-parameters, as people type them."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import complete_params
from rl_lab.core.words.parameter_names import SHORT_NAMES, full_name, suggest_names
from rl_lab.runners.registry import all_specs, find_spec


@pytest.mark.parametrize("runner", ["sb3", "turbo"])
def test_lr_is_answered_with_learning_rate(runner: str) -> None:
    algorithm = find_spec(runner).algorithm("ppo")
    with pytest.raises(InvalidInput) as refused:
        complete_params(algorithm, None, {"lr": 0.001})
    [error] = refused.value.errors
    assert error.field == "params.lr"
    assert error.message.endswith("has no parameter “lr”. Did you mean learning_rate?")


def test_every_short_name_stands_for_a_parameter_of_some_algorithm() -> None:
    known = {
        name
        for runner in all_specs()
        for algorithm in runner.algorithms
        for name in algorithm.params.model_fields
    }
    for short, full in SHORT_NAMES.items():
        assert known.intersection(full), short


def test_a_known_name_is_never_replaced() -> None:
    assert full_name("alpha", {"alpha", "learning_rate"}) == "alpha"
    assert full_name("LR", {"learning_rate"}) == "learning_rate"
    assert full_name("lr", {"gamma"}) == "lr"
    assert suggest_names("gama", ["gamma", "ent_coef"]) == ["gamma"]
