"""Wrappers of an environment, as they are chosen."""

from __future__ import annotations

import pytest

from rl_lab.cli.arguments.wrapper_argument import environment_arguments
from rl_lab.core.errors import InvalidInput
from rl_lab.core.wrappers import BY_ID, describe_wrapper, list_wrappers, read_wrappers, without_wrappers


def test_wrappers_keep_their_order_and_get_their_defaults() -> None:
    found = read_wrappers({"wrappers": [{"id": "frame_stack", "frames": 2}, {"id": "time_limit"}], "x": 1})
    assert [one.id for one in found] == ["frame_stack", "time_limit"]
    assert found[1].model_dump() == {"id": "time_limit", "steps": 500}


def test_other_arguments_of_the_environment_stay() -> None:
    assert without_wrappers({"wrappers": [], "gravity": -5}) == {"gravity": -5}


@pytest.mark.parametrize(
    ("given", "field", "message"),
    [
        ("time_limit", "env_kwargs.wrappers", "must be a list"),
        ([{"id": "time_limt"}], "env_kwargs.wrappers.0", "Did you mean time_limit?"),
        ([{"id": "flatten"}, {"id": "time_limit", "steps": 0}], "env_kwargs.wrappers.1.steps", "at least 1"),
        ([{"id": "scale_reward", "factor": float("nan")}], "env_kwargs.wrappers.0.factor", "finite"),
        ([{"id": "flatten", "much": 1}], "env_kwargs.wrappers.0.much", "no such field"),
        ([{"id": "flatten"}] * 17, "env_kwargs.wrappers", "At most 16"),
        ([None], "env_kwargs.wrappers.0", "There is no wrapper"),
    ],
)
def test_a_wrong_wrapper_is_named_by_its_place(given: object, field: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        read_wrappers({"wrappers": given})
    assert refused.value.errors[0].field == field
    assert message in refused.value.errors[0].message


def test_every_wrapper_is_offered_with_its_settings_and_a_description() -> None:
    offered = list_wrappers()
    assert [one.id for one in offered] == list(BY_ID)
    assert all(one.description and "id" not in one.params_schema["properties"] for one in offered)


def test_the_command_line_reads_wrappers_with_lists_in_their_settings() -> None:
    written = ["frame_stack:frames=4", "normalise_observations:mean=[0, 1],deviation=[2, 3]", "flatten"]
    assert environment_arguments(["gravity=-5"], written) == {
        "gravity": -5,
        "wrappers": [
            {"id": "frame_stack", "frames": 4},
            {"id": "normalise_observations", "mean": [0, 1], "deviation": [2, 3]},
            {"id": "flatten"},
        ],
    }


def test_a_wrapper_is_described_by_its_settings() -> None:
    assert describe_wrapper({"id": "frame_stack", "frames": 4}) == "frame_stack(frames=4)"
    assert describe_wrapper({"id": "flatten"}) == "flatten"
