"""Starts a Python that nobody has approved: it may read the system, itself and what is named, and write nothing."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from rl_lab.core.errors import InvalidInput
from rl_lab.guardian.confinement.confined_exec import BECOME
from rl_lab.guardian.files import Confinement, Launch, write_record
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.foreign.interpreter_folders import folders_of

PACKAGE = Path(__file__).resolve().parents[3]
STARTER = [sys.executable, "-I", "-S", "-c", BECOME, str(PACKAGE)]
"""Reads the order on stdin, confines itself and becomes the program."""
TIMEOUT_S = 20.0
MAX_OUTPUT_BYTES = 4 << 20
FIELD = "params.command"


async def confined_output(
    python: str, words: Sequence[str], env: Mapping[str, str], reads: Sequence[str] = ()
) -> bytes:
    """What it prints; InvalidInput when it takes too long."""
    order = await asyncio.to_thread(order_of, python, words, env, reads)
    process = await asyncio.create_subprocess_exec(
        *STARTER,
        cwd="/",
        start_new_session=True,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        return await asyncio.wait_for(_talk(process, order), TIMEOUT_S)
    except TimeoutError:
        raise InvalidInput.of_field(
            FIELD, f"{python} did not answer within {TIMEOUT_S:.0f} s; name another interpreter."
        ) from None
    finally:
        # With the processes it started: it has its own process group.
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


async def _talk(process: asyncio.subprocess.Process, order: bytes) -> bytes:
    """More output than any honest answer has is cut: it cannot fill the memory."""
    assert process.stdin is not None
    assert process.stdout is not None
    with suppress(ConnectionError):
        process.stdin.write(order)
        await process.stdin.drain()
    process.stdin.close()
    found = b""
    while len(found) < MAX_OUTPUT_BYTES and (chunk := await process.stdout.read(1 << 16)):
        found += chunk
    return found


def wait_for_output(
    python: str, words: Sequence[str], env: Mapping[str, str], reads: Sequence[str] = ()
) -> bytes:
    """The same for a thread; OSError or SubprocessError when it cannot be started or takes too long."""
    order = order_of(python, words, env, reads)
    return subprocess.run(
        STARTER, input=order, capture_output=True, cwd="/", timeout=TIMEOUT_S, check=True
    ).stdout


def order_of(python: str, words: Sequence[str], env: Mapping[str, str], reads: Sequence[str] = ()) -> bytes:
    """What STARTER reads on stdin."""
    held = probe()
    launch = Launch(
        argv=[python, *words],
        env=dict(env),
        confine=Confinement(
            landlock=held.landlock, seccomp=held.seccomp, reads=[*folders_of(python, env), *reads]
        ),
    )
    return write_record(launch)
