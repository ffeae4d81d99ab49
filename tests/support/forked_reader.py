"""The process that reads adopted folders, forked from the preloaded one.

A lab with the variable `REAL_READERS` starts real ones.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import types
from asyncio import subprocess
from typing import Any

from support.forked_child import ForkedChild, fork_child

READER = "rl_lab.orchestrator.adoption.reader"
READER_MAIN = f"{READER}.__main__"


def reading_asyncio(requests: socket.socket) -> types.SimpleNamespace:
    """Takes the place of the module `asyncio` in `adoption/process.py`, which starts nothing but readers with it."""

    async def start(*argv: str, env: dict[str, str], **given: Any) -> ForkedChild | subprocess.Process:
        if "REAL_READERS" in os.environ:
            return await asyncio.create_subprocess_exec(*argv, env=env, **given)
        assert argv[:4] == (sys.executable, "-P", "-m", READER), argv
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        assert given == {**pipes, "start_new_session": True}, given
        return await fork_child(requests, READER_MAIN, argv[4:], env)

    return types.SimpleNamespace(**{**vars(asyncio), "create_subprocess_exec": start})
