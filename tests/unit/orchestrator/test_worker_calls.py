"""What a failed worker call tells the person who asked for its result."""

from __future__ import annotations

import pytest

from rl_lab.core.errors import WorkerFailed
from rl_lab.guardian.confinement.confined_tree import LIMIT_CODES
from rl_lab.orchestrator.worker_calls import DOCTOR, FAILURES, _answer
from rl_lab.worker.calls import CALLS


def failure(err: bytes, name: str = "export_model") -> WorkerFailed:
    with pytest.raises(WorkerFailed) as raised:
        _answer(name, 1, b"", err)
    return raised.value


def test_a_failure_says_what_did_not_work_why_and_what_to_do() -> None:
    error = failure(b'Traceback\n{"message": "This needs torch.", "next_step": "Install it."}\n')
    assert error.detail == "The model could not be exported: This needs torch."
    assert error.next_step == "Install it."


def test_a_process_that_was_killed_is_not_named_by_its_call() -> None:
    error = failure(b"")
    assert error.detail.startswith("The model could not be exported: its process ended")
    assert error.next_step == DOCTOR
    assert "Segmentation fault" in failure(b"Segmentation fault\n").detail


def test_a_process_beyond_its_limits_or_without_an_answer_says_so() -> None:
    with pytest.raises(WorkerFailed, match="more memory than RL_LAB_OWN_CODE_MEMORY_BYTES allows"):
        _answer("check_own", LIMIT_CODES["memory"], b"", b"Traceback\n")
    with pytest.raises(WorkerFailed, match="without an answer"):
        _answer("check_own", 0, b"", b"some output\n")


def test_every_call_says_what_did_not_work() -> None:
    assert set(FAILURES) == set(CALLS)
