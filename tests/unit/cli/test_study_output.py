"""What a command prints about a study."""

from __future__ import annotations

from typing import Any, cast

import pytest

from rl_lab.cli import connection
from rl_lab.cli.client import LabClient
from rl_lab.cli.studies import study_output


class OneStudy:
    def get(self, address: str, **_: Any) -> Any:
        return {"items": []}


def detach(monkeypatch: pytest.MonkeyPatch, *, served: bool, status: str = "running") -> int:
    study = {"id": "s", "status": status}
    monkeypatch.setattr(connection, "is_served", lambda: served)
    monkeypatch.setattr(study_output, "wait_until_begun", lambda client, study: study)
    monkeypatch.setattr(study_output, "report", lambda client, study, *, as_json: None)
    return study_output.see_through(cast(LabClient, OneStudy()), study, detach=True, bell=None, as_json=False)


def test_a_detached_study_without_a_server_says_what_does_not_continue(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert detach(monkeypatch, served=False) == 0
    said = capsys.readouterr().err
    assert "No server is running" in said and "`rl-lab serve` continues the study." in said


@pytest.mark.parametrize(("served", "status"), [(True, "running"), (False, "finished")])
def test_nothing_is_said_when_the_study_continues_or_has_ended(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], served: bool, status: str
) -> None:
    detach(monkeypatch, served=served, status=status)
    assert capsys.readouterr().err == ""
