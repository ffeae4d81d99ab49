"""A program in a terminal of its own, as a person would start it."""

from __future__ import annotations

import os
import pty
import select
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from support.waiting import DEADLINE_S


class Terminal:
    """What the program prints is read with `until`; `type` sends keys to it."""

    def __init__(self, process: subprocess.Popen[bytes], master: int) -> None:
        self.process = process
        self.printed = ""
        self._master = master

    def until(self, words: str) -> str:
        """Everything printed so far, once it contains these words."""
        while words not in self.printed:
            readable, _, _ = select.select([self._master], [], [], DEADLINE_S)
            assert readable, f"waited for {words!r}; the program printed {self.printed!r}"
            self.printed += os.read(self._master, 65536).decode().replace("\r\n", "\n")
        return self.printed

    def forget(self) -> None:
        self.printed = ""

    def type(self, keys: str) -> None:
        os.write(self._master, keys.encode())


@contextmanager
def in_terminal(arguments: Sequence[str], environment: Mapping[str, str]) -> Iterator[Terminal]:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        # A session of its own, which the terminal controls.
        ["setsid", "--ctty", *arguments],
        env=dict(environment),
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    try:
        yield Terminal(process, master)
    finally:
        process.terminate()
        try:
            process.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(master)
