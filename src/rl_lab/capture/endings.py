"""How a script ended, for the `finished` event: by itself, by an exit code, by an error, or by a stop of the lab.

`os._exit` is wrapped, because it would otherwise end the process without a `finished` event.
"""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

from rl_lab.capture.failures import explain, explain_exit
from rl_lab.portable.failures import Failure

if TYPE_CHECKING:
    from rl_lab.capture.session import CaptureSession

NOTHING_CAPTURED = (
    "The script ended without creating an environment and without logging a number: nothing was captured."
)
NOTHING_STEP = (
    "Check that this is the script that trains, with the arguments it needs. Gymnasium environments, TensorBoard "
    "writers and wandb.log are captured."
)
OWN_FOLDER = os.path.dirname(os.path.abspath(__file__))


def succeeded() -> dict[str, Any]:
    return {"outcome": "succeeded", "message": "Done."}


def stopped(session: CaptureSession) -> dict[str, Any]:
    message = f"Stopped as asked at step {session.timestep:,}."
    return {"outcome": "stopped", "cause": "stopped", "message": message}


def failed(failure: Failure) -> dict[str, Any]:
    return {"outcome": "failed", **failure._asdict()}


def end_by_error(session: CaptureSession, error: BaseException) -> int:
    """Sets the outcome for an exception of the script; returns the exit code."""
    if isinstance(error, SystemExit):
        return _end_by_exit(session, error)
    if session.control.stop_requested and session.stop_raised_s_ago is not None:
        session.outcome = stopped(session)  # an error during the clean-up of a stopped script
        _show(error)
        return 0
    _show(error)
    session.outcome = failed(explain(error, session))
    return 1


def _end_by_exit(session: CaptureSession, error: SystemExit) -> int:
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
        "exit-code", f"The script exited: {str(code)[:500]}", "The end of the log has its last output."
    )
    session.outcome = failed(failure)
    return 1


def finish_run(session: CaptureSession) -> None:
    """Sends everything that is still pending: values of the taps, a checkpoint, the files, the `finished` event."""
    for call in session.on_end:
        try:
            call()
        except Exception:
            import traceback

            traceback.print_exc()  # an error of a tap goes to the log; the end of the script is reported anyway
    session.arguments.read_again()
    if session.roles is not None:
        session.roles.review(is_end=True)
        session.roles.report_steps()
    session.log_gaps()
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
        session.log_once("nothing_captured", f"{NOTHING_CAPTURED} {NOTHING_STEP}")
        outcome = {
            **outcome,
            "cause": "nothing-captured",
            "message": NOTHING_CAPTURED,
            "next_step": NOTHING_STEP,
        }
    session.telemetry.finished(**outcome, summary=summary)


def wrap_exit_calls(session: CaptureSession) -> None:
    """Wrap `os._exit` and `exec`, in this process only; child processes are not affected."""
    leave, execv, execve = os._exit, os.execv, os.execve

    def _exit(status: int) -> NoReturn:
        if os.getpid() == session.pid and session.outcome is None:
            session.outcome = succeeded() if status == 0 else failed(explain_exit(status))
        if os.getpid() == session.pid:
            _flush_output()
            session.send_finished()
        leave(status)

    def before_exec() -> None:
        if os.getpid() == session.pid:
            session.not_captured(
                "The script replaced itself with another program (exec): from here on only its log is captured."
            )

    def _execv(*args: Any) -> NoReturn:
        before_exec()
        execv(*args)

    def _execve(*args: Any, **kwargs: Any) -> NoReturn:
        before_exec()
        execve(*args, **kwargs)

    os._exit, os.execv, os.execve = _exit, _execv, _execve


def _flush_output() -> None:
    """The last output of the script must reach the log, also when it ends with os._exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except Exception:
            return


def _show(error: BaseException) -> None:
    """Print the traceback as Python would: without our frames at its beginning, with the script's excepthook."""
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
