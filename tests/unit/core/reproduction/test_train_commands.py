"""The command line that repeats a run."""

from typing import Any

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.reproduction.train_commands import train_command
from rl_lab.core.runners import complete_params, find_preset
from rl_lab.runners.registry import find_spec


def config_of(preset: str | None = "fast", env_id: str = "CartPole-v1", **changes: Any) -> TrainConfig:
    """A run as the lab completes it: the preset for its environment, then the user's values."""
    algorithm = find_spec("turbo").algorithm("ppo")
    chosen = find_preset(algorithm, preset, env_id) if preset else None
    params = complete_params(algorithm, chosen, changes.pop("params", {}))
    steps = changes.pop("total_timesteps", None) or (chosen and chosen.total_timesteps) or 100_000
    return TrainConfig(
        runner="turbo",
        algorithm="ppo",
        env_id=env_id,
        preset=preset,
        params=params,
        total_timesteps=steps,
        **changes,
    )


def test_an_untouched_preset_repeats_no_parameter() -> None:
    command = train_command(config_of(seed=3), find_spec("turbo"))
    assert command == "rl-lab train CartPole-v1 --algorithm ppo --runner turbo --preset fast --seed 3"


def test_only_what_the_user_changed_is_repeated() -> None:
    config = config_of(
        seed=7,
        params={"learning_rate": 0.001, "activation": "relu"},
        total_timesteps=5000,
        until="solved",
        record=False,
        env_kwargs={"render": "a b"},
    )
    command = train_command(config, find_spec("turbo"))
    assert command == (
        "rl-lab train CartPole-v1 --algorithm ppo --runner turbo --preset fast --timesteps 5000 --seed 7 "
        "--until solved --no-record --env-arg render='a b' --set learning_rate=0.001 --set activation=relu"
    )


def test_a_preset_that_no_longer_exists_is_written_out() -> None:
    config = config_of().model_copy(update={"preset": "gone"})
    command = train_command(config, find_spec("turbo")) or ""
    assert "--preset" not in command
    assert "--set n_envs=64" in command
    assert f"--timesteps {config.total_timesteps}" in command


def test_an_unknown_algorithm_has_no_command() -> None:
    config = config_of().model_copy(update={"algorithm": "gone"})
    assert train_command(config, find_spec("turbo")) is None


def test_a_script_is_run_again_as_it_was_written() -> None:
    script = TrainConfig(runner="script", algorithm="script", params={"command": ["python", "my train.py"]})
    assert train_command(script, find_spec("script")) == "rl-lab run -- python 'my train.py'"
