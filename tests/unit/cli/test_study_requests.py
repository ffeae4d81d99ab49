"""What a user types about a study becomes a request, or a clear error."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rl_lab.cli.commands.experiments.sweep import make_sweep
from rl_lab.cli.studies.study_requests import (
    parse_grid,
    parse_minutes,
    parse_ranges,
    parse_seeds,
    read_study_file,
    write_study_file,
)
from rl_lab.core.errors import InvalidInput


def test_seeds_are_a_number_or_a_list() -> None:
    assert parse_seeds("5") == 5
    assert parse_seeds("3,7,11") == [3, 7, 11]
    assert parse_seeds("3,") == [3]
    assert parse_seeds("1-3,9") == [1, 2, 3, 9]
    for wrong in ("five", "", ",", "-5", "1-", "5-1", "0-99999999", "9" * 30):
        with pytest.raises(InvalidInput, match="--seeds"):
            parse_seeds(wrong)


@pytest.mark.parametrize(
    ("text", "minutes"), [("30m", 30), ("1h30m", 90), ("90s", 1.5), ("45", 45), ("2 h", 120), ("0.5h", 30)]
)
def test_times_are_minutes(text: str, minutes: float) -> None:
    assert parse_minutes(text) == minutes


@pytest.mark.parametrize("text", ["soon", "5x", "", "m", "-5m", "1h,5m"])
def test_what_is_not_a_time_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="not a time"):
        parse_minutes(text)


def test_a_grid_takes_numbers_words_and_lists() -> None:
    assert parse_grid(["learning-rate=0.001,1e-2", "preset=fast,stable", "net_arch=[64,64],[128]"]) == {
        "learning_rate": {"values": [0.001, 0.01]},
        "preset": {"values": ["fast", "stable"]},
        "net_arch": {"values": [[64, 64], [128]]},
    }
    with pytest.raises(InvalidInput, match="at least one value"):
        parse_grid(["gamma="])
    with pytest.raises(InvalidInput, match="gamma is given twice"):
        parse_grid(["gamma=1", "gamma=2"])


def test_a_range_may_be_logarithmic_or_have_steps() -> None:
    assert parse_ranges(["lr=1e-4:1e-2:log", "gamma=0.9:0.99", "hidden=16:64:16"]) == {
        "lr": {"low": 1e-4, "high": 1e-2, "scale": "log"},
        "gamma": {"low": 0.9, "high": 0.99},
        "hidden": {"low": 16.0, "high": 64.0, "step": 16.0},
    }
    for wrong in ("lr=1", "lr=a:b", "lr=1:2:log:3"):
        with pytest.raises(InvalidInput, match="low:high"):
            parse_ranges([wrong])


def test_the_method_follows_from_the_number_of_points() -> None:
    typed: dict[str, Any] = {"grid": ["a=1"], "range": None, "random": None, "tpe": None, "prune": False}
    assert make_sweep(**typed) == {"method": "grid", "parameters": {"a": {"values": [1]}}}
    assert make_sweep(**{**typed, "tpe": 9, "prune": True})["points"] == 9
    with pytest.raises(InvalidInput, match="either"):
        make_sweep(**{**typed, "tpe": 9, "random": 9})
    with pytest.raises(InvalidInput, match="give it once"):
        make_sweep(**{**typed, "range": ["a=1:2"]})


@pytest.mark.parametrize("name", ["study.json", "study.yaml"])
def test_a_study_file_is_read_back(tmp_path: Path, name: str) -> None:
    study = {"version": 1, "base": {"env_id": "CartPole-v1"}, "seeds": [1, 2], "question": "Größer?"}
    write_study_file(tmp_path / name, study)
    assert read_study_file(tmp_path / name) == study


@pytest.mark.parametrize("text", ["[1, 2]", "a: [", "just words", "\x00"])
def test_other_files_are_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "odd.yaml"
    path.write_text(text)
    with pytest.raises(InvalidInput, match="--file"):
        read_study_file(path)
