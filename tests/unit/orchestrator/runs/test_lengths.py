"""How and how long are two choices of a new run."""

from typing import Any

import pytest

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.train_commands import train_command
from rl_lab.core.words.run_names import training_name
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


ANT = CARTPOLE.model_copy(update={"id": "Ant-v5", "action_space_type": "continuous"})


def ant(runner: str = "turbo", **wanted: Any) -> TrainConfig:
    new = NewRun(env_id="Ant-v5", algorithm="ppo", runner=runner, **wanted)
    return train_config(new, find_spec(runner), [ANT])


def test_a_length_is_a_time_where_the_steps_are_not_known() -> None:
    assert [ant("sb3", length=name).max_seconds for name in ("short", "medium", "long")] == [
        3600,
        14400,
        36000,
    ]
    short = ant("turbo", length="short")
    assert (short.max_seconds, short.total_timesteps, short.length) == (60, 0, "short")
    assert short.schedule_steps > 1


@pytest.mark.parametrize("limit", [{"max_seconds": 90}, {"max_episodes": 9}])
def test_a_time_or_episodes_take_the_place_of_the_presets_steps(limit: dict[str, int]) -> None:
    config = config_of(**limit)
    assert config.total_timesteps == 0
    assert config.expected_steps == config_of().total_timesteps
    assert (config.max_seconds, config.max_episodes) == (limit.get("max_seconds"), limit.get("max_episodes"))


def test_steps_and_time_may_both_be_given() -> None:
    config = config_of(max_seconds=90, total_timesteps=500)
    assert (config.total_timesteps, config.max_seconds, config.expected_steps) == (500, 90, None)
    both = config_of(max_seconds=90, length="short")
    assert (both.total_timesteps, both.max_seconds, both.length) == (50_000, 90, "short")


def test_a_posted_configuration_gives_the_same_again() -> None:
    for config in (
        config_of(max_seconds=90, seed=1),
        config_of(max_episodes=9, expected_steps=123, seed=1),
        ant(length="short", seed=1),
        config_of(length="short", seed=1),
    ):
        new = NewRun.model_validate(config.model_dump(mode="json"))
        env = ANT if config.env_id == "Ant-v5" else CARTPOLE
        assert train_config(new, find_spec("turbo"), [env]) == config


def test_the_command_repeats_times_and_episodes() -> None:
    spec, start = find_spec("turbo"), "rl-lab train CartPole-v1 --algorithm ppo --runner turbo --preset fast"
    by_time = config_of(max_seconds=5400, expected_steps=700, seed=1)
    assert train_command(by_time, spec) == f"{start} --expected-steps 700 --seed 1 --for 1h30m"
    steps_too = config_of(max_seconds=90, total_timesteps=300_000, max_episodes=5, seed=1)
    assert train_command(steps_too, spec) == f"{start} --timesteps 300000 --seed 1 --for 1m30s --episodes 5"
    named = train_command(ant(length="short", expected_steps=9, seed=1), spec) or ""
    assert named.endswith("--preset fast --length short --expected-steps 9 --seed 1")
    script = TrainConfig(
        runner="script", algorithm="python", params={"command": ["python", "a.py"]}, max_seconds=600
    )
    assert train_command(script, find_spec("script")) == "rl-lab run --for 10m -- python a.py"


def test_names_tell_apart_what_ends_the_runs() -> None:
    algorithm = find_spec("turbo").algorithm("ppo")
    names = [
        training_name(config, algorithm)
        for config in (config_of(max_seconds=1800, seed=3), config_of(max_episodes=500, seed=3))
    ]
    assert names == ["PPO on CartPole-v1 · 30 min · seed 3", "PPO on CartPole-v1 · 500 episodes · seed 3"]


def test_the_command_repeats_the_length_by_its_name() -> None:
    command = train_command(config_of(length="short", seed=1), find_spec("turbo"))
    assert (
        command
        == "rl-lab train CartPole-v1 --algorithm ppo --runner turbo --preset fast --length short --seed 1"
    )
