"""Hyper-parameters: defaults, presets, then what the user gave; wrong ones are named, never dropped."""

import pytest

from rl_lab.core.environments import resolve_env_id
from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import AlgorithmSpec, Params, Preset, complete_params, find_preset, param


class ToyParams(Params):
    learning_rate: float = param(1e-3, "Step size.", scale="log", gt=0, le=1)
    batch_size: int = param(64, "Samples per update.", ge=1, le=4096)


ALGORITHM = AlgorithmSpec(
    id="toy",
    name="Toy",
    description="",
    action_kinds=("discrete",),
    params=ToyParams,
    presets=(
        Preset(id="fast", title="Fast", params={"batch_size": 32}),
        Preset(id="fast", title="Fast", env_id="CartPole-v1", params={"batch_size": 16}),
    ),
)


def test_what_the_user_set_wins_over_the_preset_and_that_over_the_default() -> None:
    preset = find_preset(ALGORITHM, "Fast", "CartPole-v1")
    assert complete_params(ALGORITHM, preset, {}) == {"learning_rate": 1e-3, "batch_size": 16}
    assert complete_params(ALGORITHM, preset, {"batch_size": 8})["batch_size"] == 8


def test_a_preset_without_an_environment_serves_all_others() -> None:
    assert find_preset(ALGORITHM, "fast", "Acrobot-v1").params == {"batch_size": 32}


def test_all_wrong_fields_are_named_with_their_bounds() -> None:
    with pytest.raises(InvalidInput) as error:
        complete_params(ALGORITHM, None, {"learning_rate": 7.0, "batchsize": 3})
    by_field = {e.field: e for e in error.value.errors}
    assert by_field["params.learning_rate"].allowed == {"type": "number", "exclusiveMinimum": 0, "maximum": 1}
    assert "Did you mean batch_size" in by_field["params.batchsize"].message


def test_infinite_parameters_are_refused() -> None:
    with pytest.raises(InvalidInput):
        complete_params(ALGORITHM, None, {"learning_rate": float("nan")})


def test_an_algorithm_explains_why_it_does_not_support_the_actions() -> None:
    assert ALGORITHM.refuse_action_kind("discrete", "CartPole-v1") is None
    assert (
        ALGORITHM.refuse_action_kind("continuous", "Pendulum-v1")
        == "Toy needs discrete actions, but Pendulum-v1 has continuous actions."
    )


def test_an_old_environment_id_is_followed_and_an_unknown_one_gets_suggestions() -> None:
    known = ["CartPole-v1", "LunarLander-v3"]
    assert resolve_env_id("LunarLander-v2", known) == "LunarLander-v3"
    with pytest.raises(InvalidInput) as error:
        resolve_env_id("CartPol-v1", known)
    assert error.value.errors[0].allowed == ["CartPole-v1"]
