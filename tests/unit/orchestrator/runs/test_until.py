"""A training until the environment is solved needs a threshold, and a runner that stops early."""

from __future__ import annotations

import pytest

from rl_lab.core.environments import Environment
from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.orchestrator.runs.requests import NewRun, train_config
from rl_lab.runners.registry import find_spec


def pendulum(threshold: float | None) -> Environment:
    return Environment(
        id="Pendulum-v1",
        name="Pendulum",
        family="classic_control",
        package="gymnasium",
        description="",
        action_space="Box(1)",
        action_space_type="continuous",
        obs_space="Box(3)",
        obs_space_type="box",
        obs_space_dims=[3],
        reward_threshold=threshold,
    )


def config_of(threshold: float | None, runner: str = "turbo", until: str = "solved") -> TrainConfig:
    new = NewRun.model_validate(
        {"env_id": "Pendulum-v1", "algorithm": "ppo", "runner": runner, "until": until}
    )
    return train_config(new, find_spec(runner), [pendulum(threshold)])


@pytest.mark.parametrize("runner", ["turbo", "sb3"])
def test_an_environment_without_a_threshold_is_refused(runner: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        config_of(None, runner)
    [error] = refused.value.errors
    assert (error.field, error.allowed) == ("until", ["timesteps"])
    assert "Pendulum-v1 has no reward threshold" in error.message
    assert "reward_threshold" in error.message


def test_with_a_threshold_or_by_steps_it_is_accepted() -> None:
    assert config_of(-200.0).until == "solved"
    assert config_of(None, until="timesteps").until == "timesteps"


def test_a_runner_that_does_not_stop_early_is_refused() -> None:
    new = NewRun.model_validate(
        {
            "env_id": "",
            "algorithm": "python",
            "runner": "script",
            "until": "solved",
            "params": {"command": ["python", "train.py"]},
        }
    )
    with pytest.raises(InvalidInput) as refused:
        train_config(new, find_spec("script"), [])
    assert "until" in [error.field for error in refused.value.errors]
