"""How a run ended, decided from the evidence: exit record, the `finished` event, what the user asked for. Pure.

Success needs three proofs: exit code 0, a `finished` event with that outcome, and a journal read to its end (the
caller waits for that). Only a foreign program may leave out `finished`: its exit code says the same.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import NamedTuple

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.protocol.events import FinishedEvent
from rl_lab.core.runs import EndReason, RunStatus
from rl_lab.guardian.files import ExitRecord


class Evidence(NamedTuple):
    """Everything that is known after the attempt is over."""

    exit: ExitRecord | None
    """None: the guardian is gone and wrote no record."""
    finished: FinishedEvent | None
    stop_asked: bool
    said_hello: bool
    checkpoint_step: int | None
    """Training steps of the newest complete checkpoint; None = there is none."""
    rebooted: bool = False
    folder_gone: bool = False
    start_timed_out: bool = False
    overrun: EndReason | None = None
    """The limit a foreign run was stopped for."""
    limit_reached: EndReason | None = None
    """The user's limit for which a foreign run was asked to end."""
    who: str = "worker"
    """What the process is called in messages: worker, script, program."""
    can_resume: bool = True
    kind: RunKind = RunKind.train


class Ending(NamedTuple):
    status: RunStatus
    reason: EndReason


def decide(evidence: Evidence) -> Ending:
    """The first rule that applies decides; the last one always applies."""
    for rule in RULES:
        ending = rule(evidence)
        if ending is not None:
            return ending
    raise AssertionError("the last rule always applies")


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
        RunStatus.lost,
        "power-loss",
        "The machine was restarted or lost power while the run was live.",
        _resume_hint(e),
    )


def _guardian_gone(e: Evidence) -> Ending | None:
    if e.exit is not None:
        return None
    return _end(
        RunStatus.lost,
        "guardian-killed",
        "The guardian process of the run is gone: power loss, or the guardian was killed.",
        _resume_hint(e),
    )


def _never_started(e: Evidence) -> Ending | None:
    if e.exit is None or e.exit.exit_code is not None or e.exit.signal is not None:
        return None
    message = e.exit.error or f"The {e.who} could not be started."
    return _end(RunStatus.failed, "not-started", message, "`rl-lab doctor` checks the installation.")


def _incomplete(e: Evidence) -> Ending | None:
    if e.exit is None or not e.exit.error:
        return None
    return _end(RunStatus.failed, "incomplete", e.exit.error, _resume_hint(e))


def _overran(e: Evidence) -> Ending | None:
    if e.exit is not None and e.exit.killed_by == "limit":
        return _end(
            RunStatus.failed,
            "too-many-processes",
            e.exit.error or "It had too many processes at once.",
            "Start fewer workers or environments in parallel.",
        )
    if e.exit is not None and e.exit.killed_by == "memory":
        return _end(
            RunStatus.failed,
            "memory-limit",
            e.exit.error or "Its processes used too much memory together.",
            "Let its environment or replay buffer use less, or allow more with RL_LAB_OWN_CODE_MEMORY_BYTES. "
            + _resume_hint(e),
        )
    if e.overrun is None or (e.finished is not None and e.finished.outcome == "succeeded"):
        return None
    next_step = f"{e.overrun.next_step} {_resume_hint(e)}"
    return _end(RunStatus.failed, e.overrun.cause, e.overrun.message, next_step)


def _start_timed_out(e: Evidence) -> Ending | None:
    if not e.start_timed_out or e.said_hello:
        return None
    return _end(
        RunStatus.failed,
        "start-timeout",
        f"The {e.who} sent no event within the time limit for its start and was killed.",
        "See the log; on a very busy machine start fewer runs at once.",
    )


def _limit_reached(e: Evidence) -> Ending | None:
    """A foreign run that the lab asked to end, at a limit that the user set; it is complete, not stopped."""
    if (
        e.limit_reached is None
        or e.exit is None
        or (e.finished is not None and e.finished.outcome == "failed")
    ):
        return None
    if e.finished is not None and e.finished.outcome == "succeeded":
        return None  # it finished before the request reached it
    is_polite = e.exit.exit_code == 0
    if not is_polite and e.exit.killed_by is None and not _was_terminated(e.exit):
        return None
    forced = "" if is_polite else f" The {e.who} did not end when asked and was killed."
    return _end(RunStatus.succeeded, e.limit_reached.cause, f"{e.limit_reached.message}{forced}", "")


def _stopped(e: Evidence) -> Ending | None:
    if e.exit is None or not (e.stop_asked or e.exit.stopped):
        return None
    if e.finished is not None and e.finished.outcome == "succeeded" and e.exit.exit_code == 0:
        return None  # it finished before the stop reached it
    if e.finished is not None and e.finished.outcome == "failed":
        return None
    if e.exit.killed_by is None and e.exit.exit_code != 0 and not _was_terminated(e.exit):
        return None
    polite = e.exit.exit_code == 0
    message = (
        "Stopped as asked."
        if polite
        else f"Stopped as asked, by force: the {e.who} was killed without a final checkpoint."
    )
    return _end(RunStatus.stopped, "stopped" if polite else "stopped-by-force", message, _resume_hint(e))


def _out_of_memory(e: Evidence) -> Ending | None:
    reported = e.finished is not None and e.finished.cause == "out-of-memory"
    if e.exit is None or not (e.exit.oom or reported):
        return None
    if reported and e.finished is not None and e.finished.message:
        return _end(RunStatus.failed, "out-of-memory", e.finished.message, e.finished.next_step)
    return _end(
        RunStatus.failed,
        "out-of-memory",
        f"The system killed the {e.who} because memory ran out (it used {_gib(e.exit.max_rss_bytes)}).",
        f"Use a smaller replay buffer, batch or network, or fewer environments at once. {_resume_hint(e)}",
    )


def _killed(e: Evidence) -> Ending | None:
    if e.exit is None or e.exit.signal is None:
        return None
    name = _signal_name(e.exit.signal)
    hints: dict[int, str] = {
        signal.SIGKILL: "A user or the system killed it; too little memory is the usual cause.",
        signal.SIGSEGV: "A native library crashed; the log may show which one.",
        signal.SIGXFSZ: "It wrote a file larger than allowed.",
    }
    hint = hints.get(e.exit.signal, "The log may have details.")
    return _end(
        RunStatus.failed,
        f"killed:{e.exit.signal}",
        f"The {e.who} was killed by {name}.",
        f"{hint} {_resume_hint(e)}",
    )


def _reported_failure(e: Evidence) -> Ending | None:
    if e.finished is None or e.finished.outcome != "failed":
        return None
    return _end(
        RunStatus.failed,
        e.finished.cause or "failed",
        e.finished.message or f"The {e.who} reported a failure without a reason.",
        e.finished.next_step or f"See the log. {_resume_hint(e)}",
    )


def _contradicted(e: Evidence) -> Ending | None:
    if e.finished is None or e.exit is None or e.exit.exit_code == 0:
        return None
    return _end(
        RunStatus.failed,
        f"exit:{e.exit.exit_code}",
        f"The {e.who} reported the outcome “{e.finished.outcome}”, but ended with exit code {e.exit.exit_code}.",
        f"Its results may be incomplete; see the log. {_resume_hint(e)}",
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
    message = e.finished.message or f"The {e.who} was stopped from outside the lab."
    return _end(RunStatus.stopped, e.finished.cause or "stopped", message, _resume_hint(e))


def _program_exited(e: Evidence) -> Ending | None:
    """A program need not know `finished`; one that printed no event at all is probably not meant for the lab."""
    if e.who != "program" or not e.said_hello or e.exit is None or e.exit.exit_code != 0:
        return None
    return _end(RunStatus.succeeded, "done", "The program exited with code 0.", "")


def _silent(e: Evidence) -> Ending:
    code = e.exit.exit_code if e.exit is not None else None
    what = "exited without a final `finished` event" if code == 0 else f"ended with exit code {code}"
    return _end(
        RunStatus.failed,
        "no-finished-event" if code == 0 else f"exit:{code}",
        f"The {e.who} {what}.",
        f"The log has its last output. {_protocol_hint(e) or _resume_hint(e)}",
    )


RULES: tuple[Callable[[Evidence], Ending | None], ...] = (
    _folder_gone,
    _rebooted,
    _guardian_gone,
    _never_started,
    _overran,
    _incomplete,
    _start_timed_out,
    _limit_reached,
    _stopped,
    _out_of_memory,
    _killed,
    _reported_failure,
    _contradicted,
    _succeeded,
    _stopped_by_itself,
    _program_exited,
    _silent,
)
"""In the order in which they are tried."""


def _end(status: RunStatus, cause: str, message: str, next_step: str) -> Ending:
    return Ending(status, EndReason(cause=cause, message=message, next_step=next_step.strip()))


def _protocol_hint(e: Evidence) -> str:
    if e.who != "program" or e.exit is None or e.exit.exit_code != 0:
        return ""
    return "It printed no event of the protocol; `rl-lab check-worker -- COMMAND` shows what is missing."


def _resume_hint(e: Evidence) -> str:
    if e.kind is RunKind.play:
        return "What was played is kept; start another play to go on."
    if e.kind is not RunKind.train:
        return "Resume does it again from the beginning."
    if e.checkpoint_step is None:
        return "No checkpoint was saved; start a new run with the same settings."
    if not e.can_resume:
        return f"Its checkpoint at step {e.checkpoint_step:,} is kept; the {e.who} itself must load it to continue."
    return f"Resume continues from the checkpoint at step {e.checkpoint_step:,}."


def _was_terminated(record: ExitRecord) -> bool:
    return record.signal in (signal.SIGTERM, signal.SIGKILL)


def _signal_name(number: int) -> str:
    try:
        return f"signal {number} ({signal.Signals(number).name})"
    except ValueError:
        return f"signal {number}"


def _gib(size: int) -> str:
    return f"{size / (1 << 30):.1f} GiB" if size else "an unknown amount"
