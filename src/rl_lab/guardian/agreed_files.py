"""The files of a program that the user approved: compared right before it is executed. Standard library only.

A binary is executed through the descriptor that was read, so another file of its name is not started in its place. A
script is opened again by its interpreter, after this comparison.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping

CHUNK = 1 << 20


class NotAgreed(Exception):
    """A file is not the one that was approved; the message says which."""


def open_agreed(argv: list[str], agreed: Mapping[str, str]) -> str | int:
    """What to execute: a descriptor of the program, or its path. Raises NotAgreed."""
    program: str | int = argv[0]
    for path, sha256 in agreed.items():
        fd = _open(path)
        is_binary = os.pread(fd, 2, 0) != b"#!"
        if _sha256_of(fd) != sha256:
            raise NotAgreed(f"{path} has changed since it was approved, so the program was not started.")
        if path == argv[0] and is_binary:
            program = fd
        else:
            os.close(fd)
    return program


def _open(path: str) -> int:
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError as error:
        raise NotAgreed(f"{path} was approved and cannot be read now: {error.strerror}.") from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        raise NotAgreed(f"{path} was approved and is no longer a file.")
    return fd


def _sha256_of(fd: int) -> str:
    digest = hashlib.sha256()
    while chunk := os.read(fd, CHUNK):
        digest.update(chunk)
    return digest.hexdigest()
