"""Starts one of the lab's own modules as a child process, confined or not, and ends it with all that it started.

A confined one is started by `guardian/confinement/confined_tree.py`, which stays as its parent. A process is confined
for its whole life: none is ever given work of another kind.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import rl_lab
from rl_lab.guardian.confinement.confined_tree import LIMIT_CODES, START
from rl_lab.guardian.files import Confinement, Launch, write_record
from rl_lab.orchestrator.worker_variables import worker_variables

ROOT = Path(rl_lab.__file__).parents[1]
BUFFER_BYTES = 1 << 20
LIMIT_REASONS = {
    LIMIT_CODES["limit"]: "it started too many processes and was ended",
    LIMIT_CODES["memory"]: "it used more memory than RL_LAB_OWN_CODE_MEMORY_BYTES allows and was ended",
}
"""Why a confined process was ended, by its exit code."""
ENDING_S = 5.0
"""Time the parent of a confined process has to end the tree before it is killed itself."""


async def start_worker(
    module: str,
    arguments: Sequence[str] = (),
    *,
    confine: Confinement | None = None,
    keep: Sequence[int] = (),
    variables: Mapping[str, str] | None = None,
) -> asyncio.subprocess.Process:
    """`python -m module`, in its own session and without the server's secrets; `keep` are descriptors it gets.

    `variables`: what it gets in addition; never together with `confine`.
    """
    # -P: a file in the current folder must not shadow a module.
    argv = [sys.executable, "-P", "-m", module, *arguments]
    if confine is None:
        return await _spawn(argv, worker_variables(variables), keep)
    order = os.memfd_create("rl-lab-order")
    try:
        os.write(order, write_record(Launch(argv, env=worker_variables(), confine=confine)))
        os.lseek(order, 0, os.SEEK_SET)
        become = [sys.executable, "-I", "-S", "-c", START, str(ROOT), str(order)]
        return await _spawn(become, worker_variables(), [*keep, order])
    finally:
        os.close(order)


async def _spawn(
    argv: Sequence[str], variables: Mapping[str, str], keep: Sequence[int]
) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *argv,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=variables,
        start_new_session=True,
        pass_fds=keep,
        limit=BUFFER_BYTES,
    )


async def end_worker(process: asyncio.subprocess.Process, *, is_confined: bool) -> None:
    """Ends it with everything in its process group; a confined one with everything it started."""
    order_end(process, is_confined=is_confined)
    try:
        await asyncio.wait_for(process.wait(), ENDING_S)
    except TimeoutError:
        order_end(process, is_confined=False)
        await process.wait()


def order_end(process: asyncio.subprocess.Process, *, is_confined: bool) -> None:
    """The same without waiting for it."""
    if process.returncode is not None:
        return
    if is_confined:
        process.terminate()  # its parent, which ends the tree
        return
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.kill()


def explain_exit(code: int | None, error_lines: Sequence[str]) -> str:
    """Why a process ended before it had answered: a limit, else the last line of its error output."""
    if code in LIMIT_REASONS:
        return LIMIT_REASONS[code]
    return error_lines[-1] if error_lines else f"its process ended with exit code {code}"
