"""The command line says what a reward does and costs before it creates the training."""

from __future__ import annotations

from typing import Any

import pytest
from support.fake_lab import FakeLab

from rl_lab.cli.run_creation import create_run
from rl_lab.core.errors import InvalidInput

REWARDED: dict[str, Any] = {
    "env_id": "CartPole-v1",
    "runner": "turbo",
    "algorithm": "ppo",
    "tags": None,
    "reward": {"name": "gentle", "version": 2, "sha256": "a" * 64},
}
CHECK = {"is_usable": True, "calls": 1000, "calls_per_second": 1e5, "slowdown": 0.04, "remarks": []}
RANDOM = {"level": "warning", "line": None, "message": "The same step gave different numbers."}
CHECKED, CREATED = "/api/runs/reward-check", "/api/runs"


class CheckingLab(FakeLab):
    def __init__(self, check: Any) -> None:
        super().__init__({f"POST {CHECKED}": check, f"POST {CREATED}": {"id": "r1"}})

    def post(self, address: str, body: Any = None) -> Any:
        found = super().post(address, body)
        if isinstance(found, Exception):
            raise found
        return found


def create(lab: Any, wanted: dict[str, Any] = REWARDED, *, quiet: bool = False) -> list[str]:
    assert create_run(lab, wanted, yes=False, quiet=quiet) == {"id": "r1"}
    return [address for address, _ in lab.sent("POST")]


def test_a_reward_is_checked_first_and_its_cost_and_warnings_are_printed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert create(CheckingLab({**CHECK, "remarks": [RANDOM]})) == [CHECKED, CREATED]
    first, second = capsys.readouterr().err.splitlines()
    assert (
        first
        == "gentle@v2 works on 1,000 steps of CartPole-v1. This costs about 4% of this training's speed."
    )
    assert second == "gentle@v2: warning: The same step gave different numbers."


def test_what_was_not_tried_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    untried = {"level": "info", "message": "It was not tried before the training. It exists elsewhere only."}
    create(CheckingLab({"is_usable": True, "calls": 0, "remarks": [untried]}))
    assert capsys.readouterr().err.startswith("gentle@v2: info: It was not tried before the training.")


def test_what_else_is_wrong_is_said_by_the_creation(capsys: pytest.CaptureFixture[str]) -> None:
    assert create(CheckingLab(InvalidInput.of_field("runner", "It needs vectors."))) == [CHECKED, CREATED]
    assert capsys.readouterr().err == ""


def test_the_environments_own_reward_and_json_output_are_not_held_up() -> None:
    assert create(CheckingLab(CHECK), {**REWARDED, "reward": None}) == [CREATED]
    assert create(CheckingLab(CHECK), quiet=True) == [CREATED]
