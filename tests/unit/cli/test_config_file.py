"""`rl-lab train --config`: settings of an earlier run, some of them replaced."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from rl_lab.cli.config_file import read_config, replace_settings
from rl_lab.core.errors import InvalidInput


def test_options_replace_the_settings_of_the_file_and_parameters_are_merged() -> None:
    base = {
        "kind": "train",
        "env_id": "A",
        "algorithm": "dqn",
        "runner": "turbo",
        "seed": 3,
        "params": {"a": 1, "b": 2},
    }
    given = {
        "env_id": None,
        "algorithm": None,
        "runner": None,
        "seed": 9,
        "params": {"b": 5},
        "record": True,
        "tags": [],
    }
    assert replace_settings(base, given) == {**base, "seed": 9, "params": {"a": 1, "b": 5}}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "not the configuration"),
        ('{"kind": 1}', "not the"),
        ("[" * 100_000, "is not JSON"),
        (" " * (1 << 20) + "{}", "too large"),
    ],
    ids=["cut", "list", "other", "deep", "large"],
)
def test_a_file_that_is_no_configuration_is_refused(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "config.json"
    path.write_text(content)
    with pytest.raises(InvalidInput, match=message):
        read_config(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_config(tmp_path / "none.json")


def test_an_endless_file_is_refused() -> None:
    with pytest.raises(InvalidInput, match="too large"):
        read_config(Path("/dev/zero"))


def test_a_new_end_takes_the_place_of_all_ends_of_the_file() -> None:
    base = {
        "algorithm": "ppo",
        "total_timesteps": 9,
        "length": "short",
        "max_episodes": 4,
        "expected_steps": 5,
    }
    changed = replace_settings(base, {"max_seconds": 60})
    assert changed == {"runner": None, "algorithm": "ppo", "max_seconds": 60}
    assert replace_settings(base, {"seed": 1}) == {"runner": None, **base, "seed": 1}


def test_a_configuration_may_come_from_the_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b'{"algorithm": "ppo"}')))
    assert read_config(Path("-")) == {"algorithm": "ppo"}
