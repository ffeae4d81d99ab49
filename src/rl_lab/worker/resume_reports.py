"""What the event log says about a training that was resumed: exact, or what differs."""

from __future__ import annotations

from rl_lab.core import event_log
from rl_lab.worker.session import Session


def report_resume(session: Session, difference: str = "") -> None:
    step = f"step {session.job.timestep0:,}"
    if difference:
        message = f"Resumed from {step}; not exact: {difference}."
        session.telemetry.log("warning", message, code=event_log.RESUME_NOT_EXACT.name)
    else:
        message = f"Resumed from {step}; exact: it continues as if it had not been stopped."
        session.telemetry.log("info", message, code=event_log.RESUME_EXACT.name)
