"""A child process ends with its owner, also when the owner is cancelled."""

from __future__ import annotations

import asyncio
import sys

from support.waiting import DEADLINE_S

from rl_lab.orchestrator.piped_process import PipedProcess


def test_a_process_that_hangs_is_ended_even_when_the_end_is_not_waited_for() -> None:
    asyncio.run(_cancel_the_end())


async def _cancel_the_end() -> None:
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import time; time.sleep(60)", stdin=pipe, stdout=pipe, stderr=pipe
    )
    ending = asyncio.create_task(PipedProcess(process).close())
    await asyncio.sleep(0)  # it waits for the process now
    ending.cancel()
    await asyncio.gather(ending, return_exceptions=True)
    async with asyncio.timeout(DEADLINE_S):
        assert await process.wait() == -9
