"""What a script says of itself, and what of it a run's configuration takes over."""

from __future__ import annotations

from typing import Any

import pytest

from rl_lab.core.bounds import MAX_SEED
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol.events import ConfigEvent
from rl_lab.orchestrator.ingest.script_config import ARG_BYTES, config_fields, total_timesteps_field


def test_environment_seed_and_arguments_are_taken_over() -> None:
    said = ConfigEvent(env_id="CartPole-v1", env_kwargs={"gravity": 9.8}, seed=3, args={"lr": 0.1})
    reported = config_fields(said)
    config = TrainConfig(runner="script", algorithm="python", **reported)
    assert (config.env_id, config.seed, config.args) == ("CartPole-v1", 3, {"lr": 0.1})
    assert config.env_kwargs == {"gravity": 9.8}


def test_what_was_not_said_stays_as_it_was() -> None:
    assert config_fields(ConfigEvent(args={"a": 1})) == {"args": {"a": 1}}
    assert config_fields(ConfigEvent()) == {}


@pytest.mark.parametrize("seed", [-1, MAX_SEED + 1, 2**70])
def test_a_seed_no_run_could_have_is_left_out(seed: int) -> None:
    assert "seed" not in config_fields(ConfigEvent(env_id="X-v0", seed=seed))


@pytest.mark.parametrize("value", [2**70, "x" * (ARG_BYTES + 1)])
def test_arguments_no_file_could_give_back_become_short_text(value: Any) -> None:
    args = config_fields(ConfigEvent(args={"odd": value, "lr": 0.1}))["args"]
    assert args["lr"] == 0.1 and isinstance(args["odd"], str) and len(args["odd"]) <= 200


def test_endless_arguments_are_cut() -> None:
    assert len(config_fields(ConfigEvent(args={str(n): n for n in range(5000)}))["args"]) == 500


def test_a_total_beyond_reason_is_left_out() -> None:
    assert total_timesteps_field(500_000) == {"total_timesteps": 500_000}
    assert total_timesteps_field(10**12) == {} and total_timesteps_field(-5) == {}


def test_a_training_environment_that_a_user_chose_is_kept() -> None:
    event = ConfigEvent(env_id="CartPole-v1", seed=3)
    assert config_fields(event, is_chosen=True) == {"seed": 3}
