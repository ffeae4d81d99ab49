"""A worker process from start to end: it takes over stdout, sends hello, does the job and reports how it ended."""

from __future__ import annotations

import importlib
import os
from pathlib import Path
from typing import Any

from rl_lab.worker.stdio import claim_stdio
from rl_lab.worker.telemetry import Telemetry


def main(argv: list[str]) -> int:
    """Exit code 0 when the job ended well or was stopped, 1 when it failed."""
    protocol_fd, command_fd = claim_stdio()
    telemetry = Telemetry(protocol_fd)
    telemetry.status("hello", message=f"Process {os.getpid()} has started.")
    try:
        run_job(Path(argv[1]), telemetry, command_fd)
    except BaseException as error:  # the edge of the process: every end is explained
        from rl_lab.worker.failures import report_failure

        report_failure(telemetry, error)
        return 1
    finally:
        telemetry.close()
    return 0


def run_job(path: Path, telemetry: Telemetry, command_fd: int) -> None:
    # Imported after hello: the lab sees a living worker while these load.
    from rl_lab.core.job_file import read_job
    from rl_lab.portable.control import Control
    from rl_lab.worker.session import Session

    control = Control(command_fd)
    control.stop_on_signal()
    job = read_job(path)
    session = Session(job, telemetry, control)
    try:
        session.report_end(load_kind(job.kind)(session))
    except Exception as error:
        from rl_lab.worker.failures import blame_rewards

        blamed = blame_rewards(error) if session.recorder.has_undefined_return else None
        if blamed is None:
            raise
        raise blamed from error
    finally:
        session.close()


def load_kind(kind: str) -> Any:
    """The function that does a job of this kind."""
    from rl_lab.core.errors import InvalidInput
    from rl_lab.core.jobs.kinds import worker_functions

    functions = worker_functions()
    if kind not in functions:
        raise InvalidInput.of_field("kind", f"A worker cannot do a job of kind “{kind}”.", sorted(functions))
    module, _, name = functions[kind].partition(":")
    return getattr(importlib.import_module(module), name)
