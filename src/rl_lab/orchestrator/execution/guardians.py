"""Guardians: what launch.json contains, and starting them."""

from __future__ import annotations

import os
import sys

from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.policy_jobs import CertifyConfig, VerifyConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run
from rl_lab.guardian.files import Launch
from rl_lab.guardian.processes import ATTEMPT_VARIABLE, attempt_marker
from rl_lab.orchestrator.worker_variables import worker_variables
from rl_lab.settings import Settings
from rl_lab.store.files.attempt_folder import AttemptFolder

DETERMINISTIC = {
    "PYTHONHASHSEED": "0",
    "CUBLAS_WORKSPACE_CONFIG": ":4096:8",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}


def launch_of(run: Run, attempt: AttemptFolder, settings: Settings) -> Launch:
    """launch.json of one of the lab's own workers."""
    marker = {ATTEMPT_VARIABLE: attempt_marker(run.id, attempt.number)} | deterministic_variables(run.config)
    if getattr(run.config, "device", None) == "cpu":
        marker["CUDA_VISIBLE_DEVICES"] = ""
    return Launch(
        argv=[sys.executable, "-P", "-m", "rl_lab.worker", str(attempt.path / "job.json")],
        cwd=str(attempt.path.parent.parent),
        env=worker_variables(marker),
        stop_grace_s=settings.stop_grace_s,
        kill_grace_s=settings.kill_grace_s,
    )


def deterministic_variables(config: JobConfig) -> dict[str, str]:
    """What must be set before a process starts, for a run with the option --deterministic and the jobs
    that train it again."""
    is_wanted = isinstance(config, TrainConfig | VerifyConfig | CertifyConfig) and config.deterministic
    return dict(DETERMINISTIC) if is_wanted else {}


def spawn_guardian(attempt: AttemptFolder) -> int:
    """Starts the guardian in its own session, without our open files; returns its pid."""
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
    """Whether our child has exited; reaps it. A process that is not our child counts as exited."""
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    except ChildProcessError:
        return True
