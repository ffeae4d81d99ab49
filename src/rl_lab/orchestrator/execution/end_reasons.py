"""How a run ended, told from the evidence: exit record, the worker's last word, what was asked. Pure.

Success needs three proofs: exit code 0, a `finished` event that says so, and a journal read to its end (the
caller waits for that). Whatever cannot be proven is never a success.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import NamedTuple

from rl_lab.core.protocol.events import FinishedEvent
from rl_lab.core.runs import EndReason, RunStatus
from rl_lab.guardian.files import ExitRecord


class Evidence(NamedTuple):
    """All that is known when nothing more will come."""

    exit: ExitRecord | None
    """None: the guardian is gone and left no record."""
    finished: FinishedEvent | None
    stop_asked: bool
    said_hello: bool
    checkpoint_step: int | None
    """Training steps behind the newest whole checkpoint; None = there is none."""
    rebooted: bool = False
    folder_gone: bool = False
    start_timed_out: bool = False
    overrun: EndReason | None = None
    """The limit a foreign run was stopped for."""
    who: str = "worker"
    """What the process is called to people: worker, script, program."""
    can_resume: bool = True


class Ending(NamedTuple):
    status: RunStatus
    reason: EndReason


def decide(evidence: Evidence) -> Ending:
    """The first rule that knows the case decides; the last one knows every case."""
    for rule in RULES:
        ending = rule(evidence)
        if ending is not None:
            return ending
    raise AssertionError("the last rule answers always")


def _folder_gone(e: Evidence) -> Ending | None:
    if not e.folder_gone:
        return None
    return _end(
        RunStatus.failed,
        "folder-gone",
        "The run's folder was deleted or moved while it was in use.",
        "Start a new run with the same settings.",
    )


def _rebooted(e: Evidence) -> Ending | None:
    if e.exit is not None or not e.rebooted:
        return None
    return _end(
        RunStatus.lost, "power-loss", "The machine was restarted or lost power while the run was going.",
        _resume_words(e),
    )  # fmt: skip


def _guardian_gone(e: Evidence) -> Ending | None:
    if e.exit is not None:
        return None
    return _end(
        RunStatus.lost,
        "guardian-killed",
        "The process that looked after the run is gone: power loss, or the guardian was killed.",
        _resume_words(e),
    )


def _never_started(e: Evidence) -> Ending | None:
    if e.exit is None or e.exit.exit_code is not None or e.exit.signal is not None:
        return None
    words = e.exit.error or f"The {e.who} could not be started."
    return _end(RunStatus.failed, "not-started", words, "`rl-lab doctor` checks the installation.")


def _incomplete(e: Evidence) -> Ending | None:
    if e.exit is None or not e.exit.error:
        return None
    return _end(RunStatus.failed, "incomplete", e.exit.error, _resume_words(e))


def _overran(e: Evidence) -> Ending | None:
    if e.exit is not None and e.exit.killed_by == "limit":
        return _end(
            RunStatus.failed, "too-many-processes", e.exit.error or "It had too many processes at once.",
            "Start fewer workers or environments in parallel.",
        )  # fmt: skip
    if e.overrun is None or (e.finished is not None and e.finished.outcome == "succeeded"):
        return None
    words = f"{e.overrun.next_step} {_resume_words(e)}"
    return _end(RunStatus.failed, e.overrun.cause, e.overrun.message, words)


def _start_timed_out(e: Evidence) -> Ending | None:
    if not e.start_timed_out or e.said_hello:
        return None
    return _end(
        RunStatus.failed,
        "start-timeout",
        f"The {e.who} did not say a word within the time it has to start, and was ended.",
        "See the log; a machine that is very busy may need fewer runs at once.",
    )


def _stopped(e: Evidence) -> Ending | None:
    if e.exit is None or not (e.stop_asked or e.exit.stopped):
        return None
    if e.finished is not None and e.finished.outcome == "succeeded" and e.exit.exit_code == 0:
        return None  # it was done before the stop reached it
    if e.finished is not None and e.finished.outcome == "failed":
        return None
    if e.exit.killed_by is None and e.exit.exit_code != 0 and not _was_terminated(e.exit):
        return None
    polite = e.exit.exit_code == 0
    message = (
        "Stopped as asked."
        if polite
        else f"Stopped as asked, by force: the {e.who} was ended without a last checkpoint."
    )
    return _end(RunStatus.stopped, "stopped" if polite else "stopped-by-force", message, _resume_words(e))


def _out_of_memory(e: Evidence) -> Ending | None:
    said = e.finished is not None and e.finished.cause == "out-of-memory"
    if e.exit is None or not (e.exit.oom or said):
        return None
    if said and e.finished is not None and e.finished.message:
        return _end(RunStatus.failed, "out-of-memory", e.finished.message, e.finished.next_step)
    return _end(
        RunStatus.failed,
        "out-of-memory",
        f"The system ended the {e.who} because memory ran out (it used {_gib(e.exit.max_rss_bytes)}).",
        f"Use a smaller replay buffer, batch or network, or fewer environments at once. {_resume_words(e)}",
    )


def _killed(e: Evidence) -> Ending | None:
    if e.exit is None or e.exit.signal is None:
        return None
    name = _signal_name(e.exit.signal)
    hints: dict[int, str] = {
        signal.SIGKILL: "Somebody or the system ended it; too little memory is the usual cause.",
        signal.SIGSEGV: "A native library crashed; the log may say which one.",
        signal.SIGXFSZ: "It wrote a file larger than allowed.",
    }
    hint = hints.get(e.exit.signal, "The log may say more.")
    return _end(
        RunStatus.failed, f"killed:{e.exit.signal}", f"The {e.who} was killed by {name}.",
        f"{hint} {_resume_words(e)}",
    )  # fmt: skip


def _said_failed(e: Evidence) -> Ending | None:
    if e.finished is None or e.finished.outcome != "failed":
        return None
    return _end(
        RunStatus.failed,
        e.finished.cause or "failed",
        e.finished.message or f"The {e.who} reported a failure without saying why.",
        e.finished.next_step or f"See the log. {_resume_words(e)}",
    )


def _lied(e: Evidence) -> Ending | None:
    if e.finished is None or e.exit is None or e.exit.exit_code == 0:
        return None
    return _end(
        RunStatus.failed,
        f"exit:{e.exit.exit_code}",
        f"The {e.who} said it had {_words(e.finished.outcome)}, but ended with exit code {e.exit.exit_code}.",
        f"Its results may be incomplete; see the log. {_resume_words(e)}",
    )


def _succeeded(e: Evidence) -> Ending | None:
    if e.finished is None or e.finished.outcome != "succeeded":
        return None
    return _end(
        RunStatus.succeeded, e.finished.cause or "done", e.finished.message or "Done.", e.finished.next_step
    )


def _stopped_by_itself(e: Evidence) -> Ending | None:
    if e.finished is None:
        return None
    message = e.finished.message or f"The {e.who} was told to stop from outside the lab, and did."
    return _end(RunStatus.stopped, e.finished.cause or "stopped", message, _resume_words(e))


def _silent(e: Evidence) -> Ending:
    code = e.exit.exit_code if e.exit is not None else None
    words = "ended without saying how it went" if code == 0 else f"ended with exit code {code}"
    return _end(
        RunStatus.failed,
        "no-last-word" if code == 0 else f"exit:{code}",
        f"The {e.who} {words}.",
        f"The log has its last output. {_protocol_words(e) or _resume_words(e)}",
    )


RULES: tuple[Callable[[Evidence], Ending | None], ...] = (
    _folder_gone, _rebooted, _guardian_gone, _never_started, _overran, _incomplete, _start_timed_out, _stopped,
    _out_of_memory, _killed, _said_failed, _lied, _succeeded, _stopped_by_itself, _silent,
)  # fmt: skip
"""In the order in which they are asked."""


def _end(status: RunStatus, cause: str, message: str, next_step: str) -> Ending:
    return Ending(status, EndReason(cause=cause, message=message, next_step=next_step.strip()))


def _protocol_words(e: Evidence) -> str:
    if e.who != "program" or e.exit is None or e.exit.exit_code != 0:
        return ""
    return 'A program\'s last line is {"type":"finished"}; `rl-lab check-worker -- COMMAND` tells what else it lacks.'


def _resume_words(e: Evidence) -> str:
    if e.checkpoint_step is None:
        return "No checkpoint was saved; start a new run with the same settings."
    if not e.can_resume:
        return f"Its checkpoint at step {e.checkpoint_step:,} is kept; the {e.who} itself must know how to go on."
    return f"Resume goes on from the checkpoint at step {e.checkpoint_step:,}."


def _was_terminated(record: ExitRecord) -> bool:
    return record.signal in (signal.SIGTERM, signal.SIGKILL)


def _words(outcome: str) -> str:
    return {"succeeded": "succeeded", "stopped": "stopped"}.get(outcome, outcome)


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB" if size else "an unknown amount"
