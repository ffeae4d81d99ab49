"""Every type of event-log line is declared once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args, get_type_hints

from rl_lab.core.event_log import EVENT_TYPES, JOB_EVENTS, STATUS_EVENTS, WORKER_EVENTS
from rl_lab.core.jobs.kinds import KINDS
from rl_lab.core.protocol.events import StatusEvent
from rl_lab.core.run_events import RunEvent
from rl_lab.core.runs import RunStatus

SOURCE = Path(__file__).resolve().parents[3] / "src" / "rl_lab"


def test_every_state_and_every_job_kind_has_its_lines() -> None:
    assert set(STATUS_EVENTS) == set(RunStatus) - {RunStatus.created}
    assert set(JOB_EVENTS) == set(KINDS)
    assert set(WORKER_EVENTS) == set(get_args(get_type_hints(StatusEvent)["state"]))
    assert {"evaluation_started", "evaluation_complete", "film_ended", "run_failed"} <= set(EVENT_TYPES)


def test_every_type_has_a_meaning() -> None:
    assert [name for name, found in EVENT_TYPES.items() if not found.meaning.endswith(".")] == []


def test_every_type_has_an_example() -> None:
    assert [name for name, found in EVENT_TYPES.items() if not found.example] == []


def test_the_types_that_readers_of_logs_expect_are_there() -> None:
    expected = {
        "training_started",
        "environment_initialized",
        "checkpoint_saved",
        "evaluation_started",
        "evaluation_complete",
        "warning",
        "error",
    }
    assert expected <= set(EVENT_TYPES)


def test_a_former_name_is_read_as_the_name_of_today() -> None:
    line = {"id": 1, "run_id": "a", "at": "2026-01-01T00:00:00Z", "type": "evaluate_started", "message": ""}
    assert RunEvent.model_validate(line).type == "evaluation_started"


def test_no_line_is_written_with_a_type_in_quotes() -> None:
    call = re.compile(r"\bevents\.append\(\s*\w+,\s*[\w.]+,\s*(f?[\"'])")
    places = [
        str(p) for p in SOURCE.rglob("*.py") if p.parent.name != "portable" and call.search(p.read_text())
    ]
    assert places == []


def test_a_type_of_another_lab_is_still_read() -> None:
    line = {"id": 1, "run_id": "a", "at": "2026-01-01T00:00:00Z", "type": "from_the_future", "message": ""}
    assert RunEvent.model_validate(line).type == "from_the_future"
