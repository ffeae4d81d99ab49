"""The folder of one attempt: what the guardian reads, the lock it holds, the record it leaves.

A run is alive as long as the lock is held; pids are for display only.
"""

from __future__ import annotations

import errno
import fcntl
import os
from pathlib import Path
from typing import Any, Literal

import msgspec
import orjson

Control = Literal["stop", "pause", "resume", "checkpoint", "watch", "unwatch", "kill"]


class ExitRecord(msgspec.Struct, frozen=True, kw_only=True):
    """`exit.json` as the guardian writes it."""

    exit_code: int | None = None
    signal: int | None = None
    oom: bool = False
    stopped: bool = False
    killed_by: str | None = None
    started_at: float = 0.0
    ended_at: float = 0.0
    journal_bytes: int = 0
    dropped_lines: int = 0
    max_rss_bytes: int = 0
    error: str | None = None


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

    def send(self, control: Control) -> bool:
        """Sends a control message to the guardian; False when it is not listening (yet, or any more)."""
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


def _write_atomic(path: Path, data: bytes) -> None:
    aside = path.with_name(f".{path.name}-{os.getpid()}")
    with aside.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
