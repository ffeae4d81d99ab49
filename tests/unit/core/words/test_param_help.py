"""The help of hyper-parameters: one table for all runners, in every schema."""

import pytest

from rl_lab.core.runners import AlgorithmSpec
from rl_lab.core.words.param_help import PARAM_HELP, describe_param, help_sentences
from rl_lab.runners.registry import find_spec

ALGORITHMS = [
    pytest.param(algorithm, id=f"{runner}-{algorithm.id}")
    for runner in ("sb3", "turbo", "offline")
    for algorithm in find_spec(runner).algorithms
]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_parameter_teaches_what_too_high_and_too_low_look_like(algorithm: AlgorithmSpec) -> None:
    for name, field in algorithm.params.model_json_schema()["properties"].items():
        is_number = {"x-too-high", "x-too-low", "x-usual"} <= set(field)
        assert is_number or "x-when" in field, name
        assert field["title"] not in (name, name.replace("_", " ")), name
        assert "x-help" not in field


def test_no_entry_is_unused() -> None:
    labels = {
        field["title"]
        for runner in ("sb3", "turbo", "offline")
        for algorithm in find_spec(runner).algorithms
        for field in algorithm.params.model_json_schema()["properties"].values()
    }
    assert {entry.label for entry in PARAM_HELP.values()} <= labels


def test_a_name_with_two_meanings_has_two_helps() -> None:
    turbo = find_spec("turbo")
    labels = {
        name: turbo.algorithm(name).params.model_json_schema()["properties"]["n_steps"]["title"]
        for name in ("ppo", "dqn")
    }
    assert labels == {"ppo": "Steps per rollout", "dqn": "Length of n-step returns"}


def test_parameters_of_continuous_actions_say_so() -> None:
    properties = find_spec("sb3").algorithm("ppo").params.model_json_schema()["properties"]
    marked = {name for name, field in properties.items() if field.get("x-actions") == "continuous"}
    assert marked == {"log_std_init", "use_sde", "squash_output", "sde_sample_freq"}


def test_an_unknown_parameter_has_a_readable_label() -> None:
    assert describe_param("num_minibatches") == {"title": "Num minibatches"}


def test_help_reads_as_sentences() -> None:
    sentences = help_sentences(describe_param("clip_range"))
    assert sentences[0] == (
        "Too high looks like: single updates change the policy abruptly, and the reward may collapse."
    )
    assert sentences[2] == "Usual: 0.1 to 0.3."
    assert help_sentences(describe_param("use_sde"))[0].startswith("On for robots")
