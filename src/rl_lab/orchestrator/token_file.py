"""The file with the token: who has its content can do everything the lab can do, so it is used only if it is ours."""

from __future__ import annotations

import os
import re
import secrets
import stat
from pathlib import Path

from rl_lab.core.errors import NotReady

NAME = "token"
MAX_BYTES = 4096
TOKEN = re.compile(r"[A-Za-z0-9_-]{32,}")
"""At least 192 bits in the alphabet of `secrets.token_urlsafe`."""


def read_or_make_token(home: Path) -> str:
    """The secret every client sends; made once, readable by its owner only."""
    return read_token(home) or _make_token(home / NAME)


def read_token(home: Path) -> str | None:
    """None when there is none yet; NotReady for a file that somebody else may have written or read."""
    path = home / NAME
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _refused(path, f"cannot be opened ({error.strerror})") from None
    try:
        _require_ours(path, os.fstat(fd))
        text = os.read(fd, MAX_BYTES).decode("ascii", "replace").strip()
    finally:
        os.close(fd)
    if text and not TOKEN.fullmatch(text):
        raise _refused(path, "has no token of at least 32 letters and digits")
    return text or None


def _require_ours(path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        raise _refused(path, "is not a regular file")
    if found.st_uid not in (os.geteuid(), 0):
        raise _refused(path, "belongs to another user")
    if found.st_mode & 0o077:
        raise NotReady(
            f"Other users may read or change {path}, which holds the lab's token.",
            next_step=f"Delete it and start the lab again, which makes a new token (`rm {path}`); or, if nobody else "
            f"uses this machine, close it with `chmod 600 {path}`.",
        )


def _make_token(path: Path) -> str:
    path.unlink(missing_ok=True)
    token = secrets.token_urlsafe(32)
    # Written aside and renamed: a crash must not leave an empty token behind.
    aside = path.with_name(f".token-{os.getpid()}")
    aside.unlink(missing_ok=True)
    fd = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w") as file:
        file.write(token + "\n")
        file.flush()
        os.fsync(fd)
    aside.replace(path)
    return token


def _refused(path: Path, why: str) -> NotReady:
    return NotReady(
        f"{path} {why}, so it is not used as the lab's token.",
        next_step=f"Delete it (`rm {path}`) and start the lab again, which makes a new token.",
    )
