"""`rl-lab runs --kind`: plays and jobs are runs, too."""

from __future__ import annotations

import pytest
from support.fake_lab import put_fake_lab

from rl_lab.cli.main import run


def test_plays_are_listed_by_their_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = put_fake_lab(monkeypatch, {"GET /api/runs": {"items": [], "total": 0}})
    assert run(["runs", "--kind", "play"]) == 0
    [(_, query)] = lab.sent("GET")
    assert query["kind"] == "play"


def test_an_unknown_kind_is_refused_with_those_that_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = put_fake_lab(monkeypatch, {})
    assert run(["runs", "--kind", "plays"]) == 2
    assert lab.asked == []
    assert "play, dataset, all" in capsys.readouterr().err
