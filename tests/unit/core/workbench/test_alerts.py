"""Conditions of alerts as they are typed, and rules that cannot be."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.alert_conditions import read_condition
from rl_lab.core.workbench.alerts import AlertRule


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("return > 400", ("return", "above", 400.0, ())),
        ("return>=475", ("return", "at_least", 475.0, ())),
        ("ema(loss, 0.9) < 1e-3", ("ema(loss, 0.9)", "below", 0.001, ())),
        ("`ep len` ≤ 10k", ("`ep len`", "at_most", 10_000.0, ())),
        ("mean_reward rises by 50", ("mean_reward", "rises_by", 50.0, ())),
        ("mean_reward stalls for 50k steps", ("mean_reward", "stalls_for", 50_000.0, ())),
        ("loss is nan", ("loss", "not_a_number", None, ())),
        ("loss is not a number", ("loss", "not_a_number", None, ())),
        ("ended", ("", "ended", None, ())),
        ("ended failed or lost", ("", "ended", None, ("failed", "lost"))),
    ],
)
def test_a_condition_is_read(text: str, expected: tuple[Any, ...]) -> None:
    assert tuple(read_condition(text)) == expected


@pytest.mark.parametrize("text", ["", "return", "return > much", "ended happily", "1 < x < 2", "loss == 3"])
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput):
        read_condition(text)


@pytest.mark.parametrize(
    "rule",
    [
        {"comparison": "above", "value": 1},
        {"comparison": "above", "expression": "loss"},
        {"comparison": "above", "expression": "loss", "value": float("nan")},
        {"comparison": "not_a_number", "expression": "loss", "value": 1},
        {"comparison": "not_a_number", "expression": "1 / loss"},
        {"comparison": "stalls_for", "expression": "loss", "value": 0},
        {"comparison": "ended", "expression": "loss"},
        {"comparison": "ended", "statuses": ["running"]},
        {"comparison": "ended", "scope": {"tag": "a", "env_id": "b"}},
        {"comparison": "ended", "points": 0},
        {"comparison": "ended", "command": []},
        {"comparison": "ended", "command": [" "]},
        {"comparison": "ended", "command": ["a\0b"]},
        {"comparison": "ended", "webhook": "ftp://127.0.0.1/"},
        {"comparison": "ended", "more": 1},
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(rule: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        AlertRule.model_validate(rule)


def test_a_condition_is_written_as_a_sentence() -> None:
    rule = AlertRule(comparison="above", expression="return / length", value=1.5, points=3)
    assert rule.words == "return / length is above 1.5, 3 points in a row"
    assert AlertRule(comparison="ended", statuses=["failed"]).words == "the run has ended as failed"
