"""How a script ended, as the `finished` line says it: by itself, by an exit code, by an error, or because it was told.

`os._exit` gets a last word too; it would otherwise end the process without one.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from rl_lab.capture.failures import explain, explain_exit
from rl_lab.portable.failures import Failure

if TYPE_CHECKING:
    from rl_lab.capture.session import Session

NOTHING_CAPTURED = (
    "The script ended without making an environment and without logging a number: nothing was captured."
)
NOTHING_STEP = (
    "Is this the script that trains, with the arguments it needs? Environments of Gymnasium, TensorBoard writers "
    "and wandb.log are seen."
)
OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


def succeeded() -> dict[str, Any]:
    return {"outcome": "succeeded", "message": "Done."}


def stopped(session: Session) -> dict[str, Any]:
    message = f"Stopped as asked at step {session.timestep:,}."
    return {"outcome": "stopped", "cause": "stopped", "message": message}


def failed(failure: Failure) -> dict[str, Any]:
    return {"outcome": "failed", **failure._asdict()}


def end_by_error(session: Session, error: BaseException) -> int:
    """The outcome behind an exception of the script; the exit code."""
    if isinstance(error, SystemExit):
        return _end_by_exit(session, error)
    if session.control.stop_requested and session.stop_raised_s_ago is not None:
        session.outcome = stopped(session)  # what fell over while the script was leaving
        _show(error)
        return 0
    _show(error)
    session.outcome = failed(explain(error, session))
    return 1


def _end_by_exit(session: Session, error: SystemExit) -> int:
    if session.control.stop_requested:
        session.outcome = stopped(session)
        return 0
    code = error.code
    if code is None or code == 0:
        session.outcome = succeeded()
        return 0
    if isinstance(code, int):
        session.outcome = failed(explain_exit(code))
        return code & 0xFF or 1
    print(code, file=sys.stderr)
    failure = Failure(
        "exit-code", f"The script ended itself: {str(code)[:500]}", "Its last words are in the log."
    )
    session.outcome = failed(failure)
    return 1


def last_word(session: Session) -> None:
    """Everything held back, the files, and how it ended."""
    for call in session.on_end:
        try:
            call()
        except Exception:
            import traceback

            traceback.print_exc()  # a tap's trouble is in the log; the script's end is told all the same
    session.say_gaps()
    session.save_last_checkpoint()
    session.sweep.finish()
    outcome = session.outcome or failed(explain_exit(1))
    summary: dict[str, Any] = {"timestep": session.timestep}
    if session.recorder is not None:
        summary["episodes"] = session.recorder.episodes
        if session.recorder.mean_reward is not None:
            summary["mean_reward"] = session.recorder.mean_reward
    if session.timestep:
        session.telemetry.status("progress", timestep=session.timestep, total=session.total)
    if outcome["outcome"] == "succeeded" and not session.has_environment and not session.metrics_seen:
        session.say_once("nothing_captured", f"{NOTHING_CAPTURED} {NOTHING_STEP}")
        outcome = {
            **outcome,
            "cause": "nothing-captured",
            "message": NOTHING_CAPTURED,
            "next_step": NOTHING_STEP,
        }
    session.telemetry.finished(**outcome, summary=summary)


def say_before_exit(session: Session) -> None:
    """Wrap `os._exit` and `exec`, in this process only: children end as they always did."""
    leave, execv, execve = os._exit, os.execv, os.execve

    def _exit(status: int) -> NoReturn:
        if os.getpid() == session.pid and session.outcome is None:
            session.outcome = succeeded() if status == 0 else failed(explain_exit(status))
        if os.getpid() == session.pid:
            _flush_output()
            session.say_last_word()
        leave(status)

    def before_exec() -> None:
        if os.getpid() == session.pid:
            session.not_captured(
                "The script replaced itself by another program (exec): from here on only its log is seen."
            )

    def _execv(*args: Any) -> NoReturn:
        before_exec()
        execv(*args)

    def _execve(*args: Any, **kwargs: Any) -> NoReturn:
        before_exec()
        execve(*args, **kwargs)

    os._exit, os.execv, os.execve = _exit, _execv, _execve


def _flush_output() -> None:
    """What the script printed last belongs into the log, even when it leaves in a hurry."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            return


def _show(error: BaseException) -> None:
    """The traceback as Python itself would print it: without our frames at its beginning, by the script's hook."""
    tb = _without_own_frames(error.__traceback__)
    try:
        sys.excepthook(type(error), error.with_traceback(tb), tb)
    except Exception:
        import traceback

        traceback.print_exception(type(error), error, tb)


def _without_own_frames(tb: TracebackType | None) -> TracebackType | None:
    while tb is not None:
        file = tb.tb_frame.f_code.co_filename
        if not file.startswith(OWN_FOLDER) and "runpy" not in file:
            return tb
        tb = tb.tb_next
    return None
