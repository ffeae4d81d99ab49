"""Installations in the background: one per runner at a time, with the last lines that pip printed."""

from __future__ import annotations

import asyncio
import os
import signal
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal

from pydantic import BaseModel

from rl_lab.orchestrator.worker_variables import worker_variables

LINES_KEPT = 20
LINE_LENGTH = 500
FOR_PIP = ("PIP_", "UV_", "SSL_CERT_", "REQUESTS_CA_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")
PIP_INSTALL = (
    "-m",
    "pip",
    "install",
    "--no-input",
    "--disable-pip-version-check",
    "--progress-bar",
    "off",
    "--only-binary",
    ":all:",
)
"""Arguments of Python. Wheels only: building a package would run its code."""

LogLine = Callable[[str], None]


class Preparation(BaseModel, frozen=True):
    """Progress of an installation for a runner."""

    state: Literal["running", "done", "failed"]
    lines: list[str] = []
    """The last lines printed by venv and pip."""
    error: str | None = None


class InstallationFailed(Exception):
    """An installation failed; the message is for the user."""


class Installations:
    def __init__(self) -> None:
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._errors: dict[str, str] = {}
        self._lines: dict[str, deque[str]] = {}

    def find(self, runner_id: str) -> Preparation | None:
        """None when none was started since the lab started."""
        task = self._tasks.get(runner_id)
        if task is None:
            return None
        lines = list(self._lines[runner_id])
        if not task.done():
            return Preparation(state="running", lines=lines)
        error = self._errors.get(runner_id) or _unexpected(task)
        return Preparation(state="failed" if error else "done", lines=lines, error=error)

    def begin(self, runner_id: str, work: Callable[[LogLine], Awaitable[None]]) -> None:
        """Starts `work` unless an installation for this runner is already running."""
        task = self._tasks.get(runner_id)
        if task is not None and not task.done():
            return
        self._errors.pop(runner_id, None)
        lines = self._lines[runner_id] = deque(maxlen=LINES_KEPT)
        self._tasks[runner_id] = asyncio.create_task(self._watch(runner_id, work(lines.append)))

    async def wait(self, runner_id: str) -> Preparation | None:
        if runner_id in self._tasks:
            await asyncio.gather(self._tasks[runner_id], return_exceptions=True)
        return self.find(runner_id)

    async def close(self) -> None:
        """Ends what is still running."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    async def _watch(self, runner_id: str, work: Awaitable[None]) -> None:
        try:
            await work
        except InstallationFailed as error:
            self._errors[runner_id] = str(error)
        except OSError as error:
            self._errors[runner_id] = f"{error.filename or 'A file'} could not be written: {error.strerror}."


def _unexpected(task: asyncio.Task[None]) -> str | None:
    if task.cancelled():
        return "The installation was cancelled."
    error = task.exception()
    return f"The installation failed with {type(error).__name__}: {error}" if error else None


async def run_command(argv: list[str], log: LogLine) -> None:
    """Logs each line the command prints; InstallationFailed when it fails. Cancelling kills its process group."""
    process = await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=pip_variables(),
        start_new_session=True,
    )
    assert process.stdout is not None
    printed: deque[str] = deque(maxlen=LINES_KEPT)
    try:
        async for line in process.stdout:
            printed.append(line.decode("utf-8", "replace").rstrip()[:LINE_LENGTH])
            log(printed[-1])
        code = await process.wait()
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
    if code != 0:
        raise InstallationFailed(_explain(argv, code, list(printed)))


def _explain(argv: list[str], code: int, printed: list[str]) -> str:
    errors = [line for line in printed if line.upper().startswith("ERROR")]
    reason = (errors or printed[-1:] or ["it printed nothing"])[0].rstrip(".")
    action = "install the packages" if "pip" in argv else "make a virtual environment"
    tool = "pip" if "pip" in argv else "Python"
    return f"{tool} could not {action} (exit code {code}): {reason}."


def pip_variables() -> dict[str, str]:
    """The variables of a worker and those pip needs to find its index; PYTHONPATH would mislead it."""
    more = {name: value for name, value in os.environ.items() if name.upper().startswith(FOR_PIP)}
    env = {**worker_variables(), **more}
    return {name: value for name, value in env.items() if not name.startswith("PYTHON")}
