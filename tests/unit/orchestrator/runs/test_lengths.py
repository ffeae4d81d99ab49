"""How and how long are two choices of a new run."""

from typing import Any

import pytest

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs import TrainConfig
from rl_lab.core.train_commands import train_command
from rl_lab.orchestrator.runs.requests import NewRun, train_config
from rl_lab.runners.registry import find_spec

CARTPOLE = Environment(
    id="CartPole-v1",
    name="Cart Pole",
    family="classic_control",
    package="gymnasium",
    description="",
    action_space="Discrete(2)",
    action_space_type="discrete",
    obs_space="Box(4)",
    obs_space_type="box",
    obs_space_dims=[4],
)


def config_of(runner: str = "turbo", **wanted: Any) -> TrainConfig:
    new = NewRun(env_id="CartPole-v1", algorithm="ppo", runner=runner, **wanted)
    return train_config(new, find_spec(runner), [CARTPOLE])


def test_a_length_sets_the_steps_and_keeps_how_to_learn() -> None:
    fast, short = config_of(preset="fast"), config_of(preset="fast", length="short")
    assert short.params == fast.params
    assert short.total_timesteps < fast.total_timesteps
    assert (short.preset, short.length, fast.length) == ("fast", "short", None)


def test_steps_override_a_length() -> None:
    config = config_of(length="long", total_timesteps=77)
    assert (config.total_timesteps, config.length) == (77, None)


def test_a_length_may_still_be_named_as_a_preset() -> None:
    assert config_of(preset="short").total_timesteps == config_of(length="short").total_timesteps
    assert config_of(preset="short").params == config_of(preset="stable").params


@pytest.mark.parametrize("wanted", ["fast", "endless"])
def test_an_unknown_length_is_refused_with_the_known_ones(wanted: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        config_of(length=wanted)
    assert refused.value.errors[0].field == "length"
    assert refused.value.errors[0].allowed == ["long", "medium", "short"]


def test_the_command_repeats_the_length_by_its_name() -> None:
    command = train_command(config_of(length="short", seed=1), find_spec("turbo"))
    assert (
        command
        == "rl-lab train CartPole-v1 --algorithm ppo --runner turbo --preset fast --length short --seed 1"
    )
