"""What is wrong with evaluation code is printed before the evaluation runs."""

from __future__ import annotations

from typing import Any

import pytest
from support.fake_lab import FakeLab

from rl_lab.cli.evaluation_check import show_evaluation_check

SOFT = {"name": "soft", "version": 2, "sha256": "a" * 64}
SOURCE = "def evaluate(episode):\n    return {'x': lost}\n"
CODES = "/api/evaluation-codes"
BROKEN = {"line": 2, "level": "error", "message": "NameError: lost (episode 0 of 3)."}
PROTOCOL = {"versions": [{"version": 2, "code": None}, {"version": 1, "code": SOFT}]}


def lab(is_usable: bool, *remarks: dict[str, Any]) -> Any:
    return FakeLab(
        {
            f"GET {CODES}/soft/versions/2": {**SOFT, "source": SOURCE},
            f"POST {CODES}/check": {"is_usable": is_usable, "calls": 3, "remarks": list(remarks)},
            "GET /api/protocols/strict": PROTOCOL,
        }
    )


@pytest.mark.parametrize(("choice", "protocol"), [(SOFT, None), (None, "strict@v1")])
def test_broken_code_is_shown_at_its_line(
    choice: dict[str, Any] | None, protocol: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    found = lab(False, BROKEN)
    show_evaluation_check(found, "r1", choice, protocol)
    assert found.sent("POST") == [(f"{CODES}/check", {"source": SOURCE, "run_ids": ["r1"]})]
    first, shown, goes_on = capsys.readouterr().err.splitlines()
    assert first == "soft@v2:2: error: NameError: lost (episode 0 of 3)."
    assert shown.strip() == "return {'x': lost}"
    assert "The evaluation runs all the same" in goes_on


@pytest.mark.parametrize("protocol", [None, "strict"])
def test_without_code_nothing_is_tried(protocol: str | None) -> None:
    found = lab(True)
    show_evaluation_check(found, "r1", None, protocol)
    assert found.sent("POST") == []


def test_code_that_works_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    show_evaluation_check(lab(True, {"level": "info", "message": "Fine."}), "r1", SOFT, None)
    assert capsys.readouterr().err == ""
