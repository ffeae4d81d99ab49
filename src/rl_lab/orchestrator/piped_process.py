"""A PipedProcess is one of our worker modules as a child process: commands on stdin, results on stdout.

It exits when its stdin is closed, so a lab that is killed leaves none behind. The end of its stderr is kept.
"""

from __future__ import annotations

import asyncio
import sys

from rl_lab.orchestrator.worker_calls import worker_variables

ENDING_S = 2.0
"""Time it has to exit after its stdin was closed."""
BUFFER_BYTES = 1 << 20
ERROR_CHUNKS = 8


class PipedProcess:
    """Created by `start`; `close` must be called."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self.stdin: asyncio.StreamWriter = process.stdin
        self.stdout: asyncio.StreamReader = process.stdout
        self.pid = process.pid
        self._errors: list[bytes] = []
        self._reader = asyncio.create_task(self._read_errors(), name="process-errors")

    @classmethod
    async def start(cls, module: str) -> PipedProcess:
        """`python -m module`, in its own session and without the server's secrets."""
        # -P: a file in the current folder must not shadow a module.
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            module,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=worker_variables(),
            start_new_session=True,
            limit=BUFFER_BYTES,
        )
        return cls(process)

    async def exit_code(self) -> int:
        """Waits for its end; `error_lines` is complete then."""
        code = await self._process.wait()
        await asyncio.wait({self._reader}, timeout=0.5)
        return code

    def error_lines(self) -> list[str]:
        """The last lines it wrote to stderr."""
        return b"".join(self._errors).decode("utf-8", "replace").strip().splitlines()

    async def close(self) -> None:
        self.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), ENDING_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        finally:
            if self._process.returncode is None:  # the waiting task was cancelled: nothing else would kill it
                self._process.kill()
            self._reader.cancel()

    async def _read_errors(self) -> None:
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(4096):
            self._errors = [*self._errors[-ERROR_CHUNKS:], chunk]
