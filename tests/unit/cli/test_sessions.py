"""`rl-lab sessions`: what it needs to be told."""

from __future__ import annotations

import pytest

from rl_lab.cli.main import run


@pytest.mark.parametrize(
    ("arguments", "next_step"),
    [
        (["end"], "`rl-lab sessions` lists the IDs"),
        (["end", "aaaaaaaaaaaa", "--all"], "`rl-lab sessions` lists the IDs"),
        (["--all"], "`rl-lab sessions end --all`"),
        (["stop", "aaaaaaaaaaaa"], "`rl-lab sessions --help`"),
    ],
)
def test_wrong_use_is_answered_with_the_right_one(
    arguments: list[str], next_step: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["sessions", *arguments]) == 2
    assert next_step in capsys.readouterr().err
