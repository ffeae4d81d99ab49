"""Guardians: the order they read, and starting them."""

from __future__ import annotations

import os
import sys
from typing import Any

from rl_lab.core.runs import Run
from rl_lab.orchestrator.worker_calls import worker_variables
from rl_lab.settings import Settings
from rl_lab.store.files.attempt_folder import AttemptFolder

JOURNAL_SEGMENT_BYTES = 64 << 20
LOG_BYTES = 10 << 20
LINE_BYTES = 1 << 20


def launch_order(run: Run, attempt: AttemptFolder, settings: Settings) -> dict[str, Any]:
    """launch.json: the worker's command line and whole environment, and the limits the guardian holds it to."""
    marker = {"RL_LAB_ATTEMPT": f"{run.id}/{attempt.number}"}
    if getattr(run.config, "device", None) == "cpu":
        marker["CUDA_VISIBLE_DEVICES"] = ""
    return {
        "argv": [sys.executable, "-P", "-m", "rl_lab.worker", str(attempt.path / "job.json")],
        "cwd": str(attempt.path.parent.parent),
        "env": worker_variables(marker),
        "stop_grace_s": settings.stop_grace_s,
        "kill_grace_s": settings.kill_grace_s,
        "limits": {
            "journal_segment_bytes": JOURNAL_SEGMENT_BYTES,
            "log_bytes": LOG_BYTES,
            "line_bytes": LINE_BYTES,
        },
        "protocol": "stdout",
    }


def spawn_guardian(attempt: AttemptFolder) -> int:
    """Starts the guardian in its own session, with nothing of ours open; returns its pid."""
    nowhere = os.devnull
    return os.posix_spawn(
        sys.executable,
        [sys.executable, "-P", "-m", "rl_lab.guardian", str(attempt.path)],
        worker_variables(attempt.inherited()),
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, nowhere, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, nowhere, os.O_WRONLY, 0),
            (os.POSIX_SPAWN_OPEN, 2, nowhere, os.O_WRONLY, 0),
        ],
        setsid=True,
    )


def has_ended(pid: int) -> bool:
    """Whether our child is gone; reaps it. A process that is not our child counts as gone."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True
