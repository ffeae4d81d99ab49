"""What an author is told about each line that leaves the protocol."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rl_lab.orchestrator.ingest.conformance import Conformance, Remark

HELLO: dict[str, Any] = {"type": "status", "state": "hello"}
FINE: list[dict[str, Any]] = [
    HELLO,
    {"type": "config", "env_id": "CartPole-v1"},
    {"type": "episode", "steps": 3, "return": 1.5, "t": 1.0},
    {"type": "finished"},
]


def check(*lines: Any, exit_code: int = 0) -> Conformance:
    checked = Conformance()
    for line in lines:
        checked.feed(line if isinstance(line, bytes) else json.dumps(line).encode())
    checked.end(exit_code)
    return checked


def remark_on(checked: Conformance, line: int | None, words: str) -> Remark:
    found = [r for r in checked.remarks if r.line == line and words in f"{r.what} {r.instead}"]
    assert len(found) == 1, checked.remarks
    return found[0]


def test_a_good_program_conforms_without_a_remark() -> None:
    checked = check(*FINE)
    assert checked.is_conformant and checked.remarks == []
    assert checked.counts == {"status": 1, "config": 1, "episode": 1, "finished": 1}


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"Epoch 1 of 10", "stderr"),
        (b"[1,2,3]", "an object"),
        (b'{"name":"loss"}', "`type`"),
        ({"type": "metrics", "name": "loss", "value": 1}, "Did you mean “metric”?"),
        ({"type": "episode", "steps": "ten"}, "Write `steps` as int"),
        ({"type": "checkpoint", "timestep": 1}, "missing required field `path`"),
        ({"type": "episode", "steps": -1}, "whole numbers"),
        ({"type": "artifact", "path": "../../secret"}, "outside the run's folder"),
        ({"type": "status", "state": "dancing"}, "`state` is wrong"),
        (b'{"type":"log","message":"' + b"x" * (1 << 20) + b'"}', "cuts out lines"),
        (b'{"type":"log","message":"\xff\xfe"}', "Not JSON"),
    ],
)
def test_a_wrong_line_is_a_fault_with_the_way_to_write_it(line: Any, words: str) -> None:
    checked = check(HELLO, line, *FINE[1:])
    assert remark_on(checked, 2, words).level == "fault"
    assert not checked.is_conformant


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ({"type": "heartbeat"}, "not shown anywhere"),
        ({"type": "episode", "steps": 1, "reward": 2.0}, "`reward` is not a field"),
        (b'{"type":"metric","name":"loss","value":NaN}', '"nan"'),
    ],
)
def test_what_the_lab_can_bear_is_advice(line: Any, words: str) -> None:
    checked = check(HELLO, line, *FINE[1:])
    assert remark_on(checked, 2, words).level == "advice"
    assert checked.is_conformant


def test_a_gap_in_seq_names_the_number_that_was_due() -> None:
    lines = [{**line, "seq": seq} for line, seq in zip(FINE, (0, 1, 3, 4), strict=True)]
    checked = check(*lines)
    assert "2 here" in remark_on(checked, 3, "goes from 1 to 3").instead


def test_some_lines_without_a_number_are_a_fault() -> None:
    checked = check({**HELLO, "seq": 0}, *FINE[1:])
    assert remark_on(checked, None, "Only 1 of 4").level == "fault"


def test_no_hello_no_time_and_no_config_are_advice() -> None:
    checked = check({"type": "metric", "name": "loss", "value": 1}, {"type": "finished"})
    assert checked.is_conformant
    for line, words in ((1, "not a hello"), (None, "No line has a `t`"), (None, "No `config` line")):
        assert remark_on(checked, line, words).level == "advice"


def test_without_a_finished_event_the_exit_code_decides() -> None:
    silent = check(*FINE[:-1])
    assert remark_on(silent, None, "no `finished` event").level == "advice" and silent.is_conformant
    assert remark_on(check(*FINE[:-1], exit_code=4), None, "without a `finished` event").level == "fault"
    assert not check().is_conformant


def test_the_list_of_artifacts_may_name_its_type_in_event() -> None:
    line = {"event": "artifacts", "run_id": "x", "video": "files/a.mp4", "wandb_url": "https://wandb.ai/r"}
    assert check(*FINE[:-1], line, FINE[-1]).remarks == []
    outside = check(*FINE[:-1], {**line, "video": "/etc/passwd"}, FINE[-1])
    assert remark_on(outside, 4, "outside the run's folder").level == "fault"


def test_a_last_word_that_the_exit_code_denies_is_a_fault() -> None:
    assert remark_on(check(*FINE, exit_code=3), None, "exited with code 3").level == "fault"
    failed = check(*FINE[:-1], {"type": "finished", "outcome": "failed"}, exit_code=1)
    assert failed.is_conformant


def test_lines_after_the_last_word_are_faults() -> None:
    assert remark_on(check(*FINE, FINE[2]), 5, "after `finished`").level == "fault"
