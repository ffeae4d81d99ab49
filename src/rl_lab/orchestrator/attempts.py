"""The folder of one attempt: what the guardian reads, the lock it holds, the record it leaves.

A run is alive as long as the lock is held; pids are for display only.
"""

from __future__ import annotations

import errno
import fcntl
import os
import sys
from pathlib import Path
from typing import Any, Literal

import msgspec
import orjson

from rl_lab.core.runs import Run
from rl_lab.orchestrator.endings import ExitRecord
from rl_lab.orchestrator.worker_calls import worker_environment
from rl_lab.settings import Settings

Command = Literal["stop", "pause", "resume", "checkpoint", "watch", "unwatch", "kill"]
JOURNAL_SEGMENT_BYTES = 64 << 20
LOG_BYTES = 10 << 20
LINE_BYTES = 1 << 20

_exit_decoder = msgspec.json.Decoder(ExitRecord)


class AttemptFolder:
    def __init__(self, run_folder: Path, number: int) -> None:
        self.number = number
        self.path = run_folder / "attempts" / str(number)
        self.journal = self.path / "journal"

    def prepare(self, job: dict[str, Any], launch: dict[str, Any]) -> None:
        """Writes what guardian and worker read; may be done again until the guardian has its lock."""
        self.journal.mkdir(parents=True, exist_ok=True)
        _write_atomic(self.path / "job.json", orjson.dumps(job, option=orjson.OPT_INDENT_2))
        _write_atomic(self.path / "launch.json", orjson.dumps(launch, option=orjson.OPT_INDENT_2))

    def is_prepared(self) -> bool:
        return (self.path / "launch.json").exists()

    def inherited(self) -> dict[str, str]:
        """Variables of ours that launch.json names without their values."""
        names = orjson.loads((self.path / "launch.json").read_bytes()).get("inherit", ())
        return {name: os.environ[name] for name in names if name in os.environ}

    def was_taken(self) -> bool:
        """Whether a guardian ever held this attempt."""
        return (self.path / "lock").exists()

    def is_locked(self) -> bool:
        """Whether a guardian holds this attempt now."""
        try:
            fd = os.open(self.path / "lock", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            # Shared, so that two lookers do not see each other; freed at once by closing.
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno in (errno.EWOULDBLOCK, errno.EAGAIN)
        finally:
            os.close(fd)
        return False

    def find_exit(self) -> ExitRecord | None:
        """The guardian's record; None while there is none. An unreadable one says so in `error`."""
        try:
            data = (self.path / "exit.json").read_bytes()
        except OSError:
            return None
        try:
            return _exit_decoder.decode(data)
        except msgspec.DecodeError as error:
            return ExitRecord(error=f"the exit record cannot be read ({error})")

    def send(self, command: Command) -> bool:
        """Hands a command to the guardian; False when it is not listening (yet, or any more)."""
        try:
            fd = os.open(self.path / "control", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            os.write(fd, orjson.dumps({"cmd": command}) + b"\n")
        except OSError:
            return False
        finally:
            os.close(fd)
        return True


def launch_order(run: Run, attempt: AttemptFolder, settings: Settings) -> dict[str, Any]:
    """launch.json: the worker's command line and whole environment, and the limits the guardian holds it to."""
    marker = {"RL_LAB_ATTEMPT": f"{run.id}/{attempt.number}"}
    if getattr(run.config, "device", None) == "cpu":
        marker["CUDA_VISIBLE_DEVICES"] = ""
    return {
        "argv": [sys.executable, "-P", "-m", "rl_lab.worker", str(attempt.path / "job.json")],
        "cwd": str(attempt.path.parent.parent),
        "env": worker_environment(marker),
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
        [sys.executable, "-P", "-m", "rl_lab.worker.guardian", str(attempt.path)],
        worker_environment(attempt.inherited()),
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


def _write_atomic(path: Path, data: bytes) -> None:
    aside = path.with_name(f".{path.name}-{os.getpid()}")
    with aside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
