"""What the event log says about a training that was resumed: exact, or what differs."""

from __future__ import annotations

from rl_lab.core import event_log
from rl_lab.worker.session import Session


def report_resume(session: Session, difference: str = "") -> None:
    step = f"step {session.job.timestep0:,}"
    known = [one for one in session.job.resume_differences if one not in difference]
    found = "; ".join([*known, difference] if difference else known)
    if found:
        message = f"Resumed from {step}; not exact: {found}."
        session.telemetry.log("warning", message, code=event_log.RESUME_NOT_EXACT.name)
    else:
        message = f"Resumed from {step}; exact: it continues as if it had not been stopped."
        session.telemetry.log("info", message, code=event_log.RESUME_EXACT.name)
