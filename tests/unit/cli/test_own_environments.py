"""`rl-lab own-environments`: versions are shown and deleted as those of rewards are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.fake_lab import FakeLab, put_fake_lab

from rl_lab.cli.main import run

ADDRESS = "/api/own-environments/grid"


def version(number: int) -> dict[str, Any]:
    return {
        "kind": "environment",
        "name": "grid",
        "version": number,
        "source": f"x = {number}\n",
        "used_by": 0,
    }


GRID = {"name": "grid", "versions": [version(2), version(1)]}


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> FakeLab:
    answers = {
        f"GET {ADDRESS}": GRID,
        f"GET {ADDRESS}/versions/2": version(2),
        f"DELETE {ADDRESS}": GRID,
        f"DELETE {ADDRESS}/versions/2": version(2),
    }
    return put_fake_lab(monkeypatch, answers)


def test_several_versions_are_only_deleted_with_all(lab: FakeLab, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["own-environments", "delete", "grid"]) != 0
    assert lab.sent("DELETE") == []
    assert "“grid” has 2 versions; name one, or delete all with --all." in capsys.readouterr().err
    assert run(["own-environments", "delete", "grid", "--all"]) == 0
    assert lab.sent("DELETE") == [(ADDRESS, {})]


def test_one_version_is_deleted_by_its_number(lab: FakeLab, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["own-environments", "delete", "grid@v2"]) == 0
    assert lab.sent("DELETE") == [(f"{ADDRESS}/versions/2", {})]
    assert "Deleted grid@v2. Runs in it can still be watched and resumed." in capsys.readouterr().out


def test_one_version_is_printed_as_json(lab: FakeLab, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["own-environments", "show", "grid@v2", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["version"] == 2
    assert run(["own-environments", "show", "grid", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["versions"]) == 2
