"""`rl-lab run`: what is meant by --env, and which variables of this shell go along."""

from __future__ import annotations

import os

import pytest

from rl_lab.cli.commands.scripts import passed_on, split_env
from rl_lab.core.errors import InvalidInput


def test_env_names_the_environment_or_sets_variables() -> None:
    assert split_env(["CartPole-v1", "SEED=3", "PATTERN=a=b"]) == (
        "CartPole-v1",
        {"SEED": "3", "PATTERN": "a=b"},
    )
    assert split_env([]) == ("", {})


def test_two_environments_are_refused() -> None:
    with pytest.raises(InvalidInput, match="Two environments"):
        split_env(["CartPole-v1", "Acrobot-v1"])


def test_what_this_shell_sets_for_learners_goes_along_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in list(os.environ):
        monkeypatch.delenv(name)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "1")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
    monkeypatch.setenv("PYTHONPATH", "lib:/opt/x")
    found = passed_on()
    assert found.keys() == {"CUDA_VISIBLE_DEVICES", "PYTHONPATH"}
    assert all(entry.startswith("/") for entry in found["PYTHONPATH"].split(":"))
