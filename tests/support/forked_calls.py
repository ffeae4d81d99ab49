"""Worker calls that are not confined, forked from the process that has imported torch and Gymnasium.

Where the variable `REAL_CALLS` is set, and for calls that get a file, they are real processes.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import types
from asyncio import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psutil

from support.forked_child import ForkedChild, fork_child
from support.forked_lab import can_fork

CALLS = "rl_lab.worker.calls"
NAME_LENGTH = 15
"""The kernel keeps no more of the name of a process."""


def calling_asyncio(requests: socket.socket) -> types.SimpleNamespace:
    """Takes the place of the module `asyncio` in `orchestrator/worker_process.py`."""

    async def start(
        *argv: str, env: dict[str, str], pass_fds: Sequence[int], limit: int, **given: Any
    ) -> ForkedChild | subprocess.Process:
        is_call = argv[:4] == (sys.executable, "-P", "-m", CALLS) and not pass_fds
        code = {"PYTHONPATH": env.get("PYTHONPATH", "")}
        if is_call and "REAL_CALLS" not in os.environ and can_fork(code):
            return await fork_child(requests, CALLS, argv[4:], env, limit=limit)
        return await asyncio.create_subprocess_exec(*argv, env=env, pass_fds=pass_fds, limit=limit, **given)

    return types.SimpleNamespace(**{**vars(asyncio), "create_subprocess_exec": start})


def find_calls(name: str) -> list[psutil.Process]:
    """The forked processes of this call, of all labs of this test process."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.NoSuchProcess):
            if process.name() == name[:NAME_LENGTH]:
                found.append(process)
    return found
