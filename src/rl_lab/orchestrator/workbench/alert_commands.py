"""Executes the command of an alert: the words that the user approved, never through a shell.

It gets the variables of a worker, so none of the lab's secrets, and RL_LAB_ALERT_* with what happened. It has half a
minute; then it is ended with everything in its process group. In a lab of root it runs as the user of foreign programs.
"""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from rl_lab.core.errors import NotReady
from rl_lab.core.workbench.alerts import AlertDelivery
from rl_lab.orchestrator.foreign.script_user import script_user
from rl_lab.orchestrator.worker_variables import worker_variables
from rl_lab.settings import Settings

LIMIT_S = 30.0
AT_ONCE = 4
OUTPUT_CHARS = 4000
CHUNK = 1 << 14
GLANCE_MS = 100
"""How often it is looked at while it prints nothing."""


class AlertCommands:
    """Threads of their own, so that slow commands keep nothing else of the lab waiting.

    On threads, because the event loop of the server cannot start a program as another user.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="alert-command")

    async def run(
        self, words: Sequence[str], facts: Mapping[str, Any], limit_s: float = LIMIT_S
    ) -> AlertDelivery:
        """How it ended, and the end of what it printed. It ends with the task that waits for it."""
        named = {f"RL_LAB_ALERT_{name.upper()}": _text(value) for name, value in facts.items()}
        is_stopped, variables = threading.Event(), worker_variables(named)
        working = asyncio.get_running_loop().run_in_executor(
            self._threads, _run, words, variables, self._settings, limit_s, is_stopped
        )
        try:
            return await asyncio.shield(working)
        except asyncio.CancelledError:
            is_stopped.set()
            await asyncio.gather(working, return_exceptions=True)
            raise

    def close(self) -> None:
        """After all that waited for commands have ended."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _run(
    words: Sequence[str],
    variables: dict[str, str],
    settings: Settings,
    limit_s: float,
    is_stopped: threading.Event,
) -> AlertDelivery:
    if is_stopped.is_set():  # while it waited for a thread
        return AlertDelivery(state="failed", message="It was not started.")
    try:
        process = _start(words, variables, settings)
    except NotReady as error:
        return AlertDelivery(state="failed", tries=1, message=error.detail)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return AlertDelivery(state="failed", tries=1, message=f"{words[0]} could not be started: {reason}.")
    try:
        output = _read(process, time.monotonic() + limit_s, is_stopped)
        code = process.poll()
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        assert process.stdout is not None
        process.stdout.close()
    message = _describe(code, limit_s)
    return AlertDelivery(state="done" if code == 0 else "failed", tries=1, message=message, output=output)


def _start(words: Sequence[str], variables: dict[str, str], settings: Settings) -> subprocess.Popen[bytes]:
    user = script_user(settings)
    other: dict[str, Any] = {"cwd": Path.home()}
    if user is not None:
        other = {"cwd": "/", "user": user.uid, "group": user.gid, "extra_groups": []}
        variables = {**variables, "HOME": "/", "USER": user.name}
    return subprocess.Popen(
        list(words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=variables,
        start_new_session=True,
        **other,
    )


def _read(process: subprocess.Popen[bytes], deadline: float, is_stopped: threading.Event) -> str:
    """The end of what it prints until it exits, so that a command that prints without end takes no memory."""
    assert process.stdout is not None
    pipe, output, is_open = process.stdout.fileno(), b"", True
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    while time.monotonic() < deadline and not is_stopped.is_set():
        has_exited = process.poll() is not None
        if is_open and waiting.poll(0 if has_exited else GLANCE_MS):
            chunk = os.read(pipe, CHUNK)
            output, is_open = (output + chunk)[-4 * OUTPUT_CHARS :], bool(chunk)
        elif has_exited:
            break
        elif not is_open:
            with suppress(subprocess.TimeoutExpired):
                process.wait(GLANCE_MS / 1000)
    return output.decode("utf-8", "replace")[-OUTPUT_CHARS:]


def _describe(code: int | None, limit_s: float) -> str:
    if code is None:
        return f"It was ended after {limit_s:g} s."
    return f"It was ended by signal {-code}." if code < 0 else f"It ended with code {code}."


def _text(value: Any) -> str:
    return "" if value is None else str(value).replace("\0", " ")
