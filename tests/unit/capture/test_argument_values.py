"""Settings of a script with the values it uses, and the length of its training by many names."""

from __future__ import annotations

from argparse import Namespace
from typing import Any, cast

import pytest

from rl_lab.capture.argument_values import Arguments, find_total


class FakeSession:
    def __init__(self) -> None:
        self.config: dict[str, Any] = {}
        self.total: int | None = None

    def report_config(self, **what: Any) -> None:
        self.config.update(what)

    def set_total(self, total: int | None, *, is_guess: bool) -> None:
        self.total = total


def test_settings_computed_after_parsing_are_read_when_the_training_begins() -> None:
    session = FakeSession()
    arguments = Arguments(cast(Any, session))
    parsed = Namespace(num_envs=4, num_steps=128, batch_size=0, seed=3)
    arguments.add(parsed)
    assert session.config["args"]["batch_size"] == 0
    parsed.batch_size = parsed.num_envs * parsed.num_steps
    arguments.read_again()
    assert session.config["args"]["batch_size"] == 512
    parsed.batch_size = 1
    arguments.read_again()
    assert session.config["args"]["batch_size"] == 512, "what changes during the training is not a setting"


def test_a_model_adds_its_settings_without_replacing_the_scripts_own() -> None:
    session = FakeSession()
    arguments = Arguments(cast(Any, session))
    arguments.add(Namespace(gamma=0.9, lr=0.1))
    arguments.add_model("PPO", {"gamma": 0.99, "n_steps": 128})
    assert session.config["args"] == {
        "gamma": 0.9,
        "lr": 0.1,
        "algorithm": "PPO",
        "n_steps": 128,
        "PPO.gamma": 0.99,
    }


@pytest.mark.parametrize(
    ("values", "total"),
    [
        ({"total_timesteps": 500}, 500),
        ({"collector": {"total_frames": 500_100}, "logger": {"num_test": 3}}, 500_100),
        ({"max_steps": 20, "total_frames": 1e6}, 1_000_000),
        ({"num_env_steps": 300}, 300),
        ({"max-training-timesteps": 700}, 700),
        ({"env": {"max_steps": 90}}, 90),
        ({"total_timesteps": 0.5, "num_steps": 128}, None),
        ({"total_timesteps": True}, None),
    ],
)
def test_the_length_of_the_training_has_many_names(values: dict[str, Any], total: int | None) -> None:
    assert find_total(values) == total
