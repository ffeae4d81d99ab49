"""A training from a dataset names the dataset, and not the environment."""

from __future__ import annotations

import pytest
from support.fake_lab import put_fake_lab

from rl_lab.cli.main import run


@pytest.mark.parametrize(
    ("runner", "asked_for"), [("offline", "Which dataset"), ("sb3", "Which environment")]
)
def test_what_is_missing_is_what_the_runner_learns_from(
    runner: str, asked_for: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = put_fake_lab(monkeypatch, {})
    assert run(["train", "--runner", runner, "-a", "bc"]) == 2
    assert lab.asked == []
    assert asked_for in capsys.readouterr().err
