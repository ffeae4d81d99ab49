"""Which runners can be asked for, and what is said about the others."""

from __future__ import annotations

import pytest

from rl_lab.core.commands import FOREIGN_RUNNERS
from rl_lab.core.errors import InvalidInput
from rl_lab.runners.registry import all_specs, find_spec


@pytest.mark.parametrize("runner", ["onnx", "torchscript"])
def test_a_runner_that_only_plays_says_that_it_trains_nothing(runner: str) -> None:
    with pytest.raises(InvalidInput, match="can be evaluated, but not trained"):
        find_spec(runner)


def test_the_runners_whose_trainings_are_commands_are_listed() -> None:
    assert {spec.id for spec in all_specs() if spec.capabilities.foreign} == FOREIGN_RUNNERS
