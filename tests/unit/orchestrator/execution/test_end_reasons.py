"""How a run ended, case by case."""

from __future__ import annotations

import itertools

import pytest

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.protocol.events import FinishedEvent
from rl_lab.core.runs import EndReason, RunStatus
from rl_lab.guardian.files import ExitRecord
from rl_lab.orchestrator.execution.end_reasons import Evidence, decide

DONE = FinishedEvent(outcome="succeeded")
FAILED = FinishedEvent(
    outcome="failed", cause="diverged", message="Learning diverged.", next_step="Lower the rate."
)
STOPPED = FinishedEvent(outcome="stopped")


def evidence(**changes: object) -> Evidence:
    known = Evidence(ExitRecord(exit_code=0), DONE, stop_asked=False, said_hello=True, checkpoint_step=4000)
    return known._replace(**changes)  # type: ignore[arg-type]


LIMIT = EndReason(cause="time-limit", message="Ended after 10 minutes, at step 9.")
ENDED = FinishedEvent(outcome="stopped", cause="stopped")

CASES = {
    "tree with too much memory": (
        evidence(
            finished=None, exit=ExitRecord(signal=9, killed_by="memory", error="It used more than 8.0 GiB.")
        ),
        "failed",
        "memory-limit",
    ),
    "script that ended at its limit": (
        evidence(limit_reached=LIMIT, finished=ENDED),
        "succeeded",
        "time-limit",
    ),
    "program that was killed at its limit": (
        evidence(
            limit_reached=LIMIT, finished=None, exit=ExitRecord(signal=9, killed_by="ladder", stopped=True)
        ),
        "succeeded",
        "time-limit",
    ),
    "script that failed at its limit": (
        evidence(limit_reached=LIMIT, finished=FinishedEvent(outcome="failed", cause="x")),
        "failed",
        "x",
    ),
    "script that finished before its limit was noticed": (evidence(limit_reached=LIMIT), "succeeded", "done"),
    "script that crashed when asked to end": (
        evidence(limit_reached=LIMIT, finished=None, exit=ExitRecord(exit_code=3, stopped=True)),
        "failed",
        "exit:3",
    ),
    "all proofs": (evidence(), "succeeded", "done"),
    "exit code lies": (evidence(exit=ExitRecord(exit_code=3)), "failed", "exit:3"),
    "no finished event": (evidence(finished=None), "failed", "no-finished-event"),
    "program without finished event": (evidence(finished=None, who="program"), "succeeded", "done"),
    "program without any event": (
        evidence(finished=None, who="program", said_hello=False),
        "failed",
        "no-finished-event",
    ),
    "program that failed": (
        evidence(finished=None, who="program", exit=ExitRecord(exit_code=4)),
        "failed",
        "exit:4",
    ),
    "program that was stopped": (
        evidence(finished=None, who="program", exit=ExitRecord(exit_code=0, stopped=True)),
        "stopped",
        "stopped",
    ),
    "no last word, bad exit": (evidence(finished=None, exit=ExitRecord(exit_code=2)), "failed", "exit:2"),
    "said why it failed": (evidence(finished=FAILED, exit=ExitRecord(exit_code=1)), "failed", "diverged"),
    "stopped politely": (
        evidence(finished=STOPPED, stop_asked=True, exit=ExitRecord(exit_code=0, stopped=True)),
        "stopped",
        "stopped",
    ),
    "done before the stop came": (
        evidence(stop_asked=True, exit=ExitRecord(exit_code=0, stopped=True)),
        "succeeded",
        "done",
    ),
    "stopped by force": (
        evidence(finished=None, stop_asked=True, exit=ExitRecord(signal=9, stopped=True, killed_by="ladder")),
        "stopped",
        "stopped-by-force",
    ),
    "crashed while stopping": (
        evidence(finished=FAILED, stop_asked=True, exit=ExitRecord(exit_code=1, stopped=True)),
        "failed",
        "diverged",
    ),
    "stopped from outside": (evidence(finished=STOPPED), "stopped", "stopped"),
    "memory": (evidence(finished=None, exit=ExitRecord(signal=9, oom=True)), "failed", "out-of-memory"),
    "killed": (evidence(finished=None, exit=ExitRecord(signal=9)), "failed", "killed:9"),
    "killed after success": (evidence(exit=ExitRecord(signal=11)), "failed", "killed:11"),
    "guardian gone": (evidence(exit=None), "lost", "guardian-killed"),
    "guardian gone while stopping": (evidence(exit=None, stop_asked=True), "lost", "guardian-killed"),
    "another boot": (evidence(exit=None, rebooted=True), "lost", "power-loss"),
    "ended before the boot": (evidence(rebooted=True), "succeeded", "done"),
    "folder gone": (evidence(folder_gone=True), "failed", "folder-gone"),
    "never started": (
        evidence(exit=ExitRecord(error="no such file"), finished=None),
        "failed",
        "not-started",
    ),
    "journal cut": (
        evidence(exit=ExitRecord(exit_code=0, error="The disk was full")),
        "failed",
        "incomplete",
    ),
    "start took too long": (
        evidence(
            exit=ExitRecord(signal=9, killed_by="kill"), finished=None, said_hello=False, start_timed_out=True
        ),
        "failed",
        "start-timeout",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_each_case_has_its_state_and_cause(name: str) -> None:
    given, status, cause = CASES[name]
    ending = decide(given)
    assert (ending.status, ending.reason.cause) == (status, cause)
    assert ending.reason.message
    if status != "succeeded":
        assert ending.reason.next_step


def test_success_is_never_claimed_without_all_proofs() -> None:
    exits = [None, ExitRecord(), *(ExitRecord(exit_code=c) for c in (0, 1, 3)), ExitRecord(signal=9)]
    exits += [ExitRecord(exit_code=0, error="x"), ExitRecord(exit_code=0, oom=True)]
    words = [None, DONE, FAILED, STOPPED]
    flags = [False, True]
    for exit, finished, stop, hello, reboot, gone in itertools.product(
        exits, words, flags, flags, flags, flags
    ):
        ending = decide(
            Evidence(exit, finished, stop, hello, checkpoint_step=None, rebooted=reboot, folder_gone=gone)
        )
        if ending.status is RunStatus.succeeded:
            assert exit == ExitRecord(exit_code=0)
            assert finished is DONE
            assert not gone


def test_the_next_step_names_the_checkpoint_or_says_there_is_none() -> None:
    with_one = decide(evidence(exit=None, checkpoint_step=12_000)).reason
    assert "step 12,000" in with_one.next_step
    without = decide(evidence(exit=None, checkpoint_step=None)).reason
    assert "start a new run with the same settings" in without.next_step


@pytest.mark.parametrize(
    ("kind", "hint"),
    [
        (RunKind.train, "No checkpoint was saved"),
        (RunKind.play, "What was played is kept"),
        (RunKind.dataset, "Resume does it again from the beginning."),
    ],
)
def test_what_to_do_next_depends_on_the_kind_of_run(kind: RunKind, hint: str) -> None:
    killed = evidence(kind=kind, checkpoint_step=None, finished=None, exit=ExitRecord(signal=9))
    assert hint in decide(killed).reason.next_step
