"""The folder of one attempt: the files the guardian reads and writes, its lock and its command pipe.

A run is alive as long as the lock is held; pids are for display only.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Any, Literal

import orjson

from rl_lab.guardian.files import (
    EXIT_FILE,
    LAUNCH_FILE,
    ExitRecord,
    Launch,
    read_exit_record,
    read_launch,
    write_record,
)

Control = Literal["stop", "pause", "resume", "checkpoint", "watch", "unwatch", "kill"]


def newest_attempt(run_folder: Path) -> Path | None:
    """None before the first one has its job.json."""
    try:
        numbers = [int(p.name) for p in (run_folder / "attempts").iterdir() if p.name.isdigit()]
    except OSError:
        return None
    newest = run_folder / "attempts" / str(max(numbers, default=0))
    return newest if (newest / "job.json").exists() else None


class AttemptFolder:
    def __init__(self, run_folder: Path, number: int) -> None:
        self.number = number
        self.path = run_folder / "attempts" / str(number)
        self.journal = self.path / "journal"

    def prepare(self, job: dict[str, Any], launch: Launch) -> None:
        """Writes the files for guardian and worker; may be repeated until the guardian has its lock."""
        self.journal.mkdir(parents=True, exist_ok=True)
        # A program that runs as another user must be able to read its job.
        reader = launch.confine.gid if launch.confine else -1
        _write_atomic(self.path / "job.json", orjson.dumps(job, option=orjson.OPT_INDENT_2), reader)
        _write_atomic(self.path / LAUNCH_FILE, write_record(launch))

    def is_prepared(self) -> bool:
        return (self.path / LAUNCH_FILE).exists()

    def inherited(self) -> dict[str, str]:
        """Variables of ours that launch.json names without their values."""
        launch = read_launch((self.path / LAUNCH_FILE).read_bytes())
        return {name: os.environ[name] for name in launch.inherit if name in os.environ}

    def was_taken(self) -> bool:
        """Whether a guardian was ever started for this attempt."""
        return (self.path / "lock").exists()

    def is_locked(self) -> bool:
        """Whether a guardian runs this attempt now."""
        try:
            fd = os.open(self.path / "lock", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            # A shared lock, so that two readers do not block each other; released by closing.
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno in (errno.EWOULDBLOCK, errno.EAGAIN)
        finally:
            os.close(fd)
        return False

    def find_exit(self) -> ExitRecord | None:
        """The guardian's record; None while there is none. For an unreadable one `error` is set."""
        try:
            data = (self.path / EXIT_FILE).read_bytes()
        except OSError:
            return None
        try:
            return read_exit_record(data)
        except ValueError as error:
            return ExitRecord(error=f"the exit record cannot be read ({error})")

    def send(self, control: Control) -> bool:
        """Sends a control message to the guardian; False when it is not running (yet, or any more)."""
        try:
            fd = os.open(self.path / "control", os.O_WRONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        except OSError:
            return False
        try:
            os.write(fd, orjson.dumps({"cmd": control}) + b"\n")
        except OSError:
            return False
        finally:
            os.close(fd)
        return True


def _write_atomic(path: Path, data: bytes, reader: int = -1) -> None:
    """`reader` is a group that may read it."""
    aside = path.with_name(f".{path.name}-{os.getpid()}")
    with aside.open("wb") as file:
        if reader >= 0:
            os.fchown(file.fileno(), -1, reader)
            os.fchmod(file.fileno(), 0o640)
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
