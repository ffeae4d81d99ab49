"""`rl-lab` processes forked from one that has imported the lab: importing it takes longer than most tests do.

`forked_popen` is like `subprocess.Popen` for the command line. A process is forked, gets its own arguments, variables,
folder and streams, and runs `main()` as the console script does. One preloaded process serves a whole pytest process.
"""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

from support.waiting import DEADLINE_S

READ_AT_START = ("PYTHON", "LC_", "LANG", "TZ", "OMP_", "OPENBLAS_")
"""Variables that an interpreter or a library reads once; UNBUFFERED is what the forked processes are anyway."""

IMPORTED_BEFORE = ("sitecustomize.py", "rl_lab")
"""What a folder in PYTHONPATH would replace, had the preloaded process not imported its own."""


def can_fork(variables: Mapping[str, str]) -> bool:
    """Whether a process with these variables behaves the same when it is forked."""
    folders = [Path(folder) for folder in variables.get("PYTHONPATH", "").split(os.pathsep) if folder]
    return (
        "COVERAGE_PROCESS_START" not in os.environ
        and not any(name.startswith(READ_AT_START) for name in variables if name != "PYTHONPATH")
        and not any((folder / name).exists() for folder in folders for name in IMPORTED_BEFORE)
    )


class ForkedProcess:
    """The part of `subprocess.Popen` that tests use."""

    def __init__(self, answers: socket.socket, stdout: int | None) -> None:
        self.answers = answers.makefile("rb", buffering=0)  # what a buffer holds, `select` does not see
        answers.close()
        self.pid = int(self.answers.readline())
        self.returncode: int | None = None
        self.stdout: IO[str] | None = None if stdout is None else os.fdopen(stdout)

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            if not select.select([self.answers], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired("rl-lab", timeout or 0.0)
            self.returncode = int(self.answers.readline())
            self.answers.close()
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def forked_popen(arguments: Sequence[str], env: Mapping[str, str], stderr: IO[str]) -> ForkedProcess:
    """Starts `rl-lab ARGUMENTS`; its output can be read from `stdout`."""
    reading, writing = os.pipe()
    try:
        return ForkedProcess(_start(arguments, env, writing, stderr.fileno()), reading)
    finally:
        os.close(writing)


def forked_run(arguments: Sequence[str], env: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    """Like `subprocess.run` with captured output."""
    with tempfile.TemporaryFile("w+") as stdout, tempfile.TemporaryFile("w+") as stderr:
        process = ForkedProcess(_start(arguments, env, stdout.fileno(), stderr.fileno()), None)
        try:
            code = process.wait(DEADLINE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        said = []
        for stream in (stdout, stderr):
            stream.seek(0)
            said.append(stream.read())
    return subprocess.CompletedProcess(["rl-lab", *arguments], code, *said)


def _start(arguments: Sequence[str], env: Mapping[str, str], stdout: int, stderr: int) -> socket.socket:
    with Path(os.devnull).open("rb") as stdin:
        streams = (stdin.fileno(), stdout, stderr)
        return request_fork(preloaded("labs"), "rl_lab.cli.main", arguments, env, streams)


def request_fork(
    channel: socket.socket,
    module: str,
    arguments: Sequence[str],
    env: Mapping[str, str],
    streams: tuple[int, int, int],
) -> socket.socket:
    """Asks a preloaded process to fork one that runs `main()` of the module; returns where it reports pid and end."""
    ours, theirs = socket.socketpair()
    wanted = {"module": module, "arguments": list(arguments), "env": dict(env), "cwd": str(Path.cwd())}
    with theirs, tempfile.TemporaryFile() as written:
        written.write(json.dumps(wanted).encode())
        written.flush()
        socket.send_fds(channel, [b"."], [theirs.fileno(), written.fileno(), *streams])
    return ours


@cache
def preloaded(what: str) -> socket.socket:
    """The channel to a process that imports what is needed by labs and commands, or by learners and worker calls.

    It imports all that at its first request; until then it costs next to nothing.
    """
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    fds = [theirs.fileno(), *([preloaded("learners").fileno()] if what == "labs" else [])]
    with theirs:
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("preloaded_lab.py")), *map(str, fds)],
            pass_fds=fds,
        )

    def end() -> None:
        ours.shutdown(socket.SHUT_RDWR)  # other processes may have the same channel open
        ours.close()
        process.wait()

    atexit.register(end)
    return ours
