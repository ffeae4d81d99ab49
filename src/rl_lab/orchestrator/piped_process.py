"""A PipedProcess is one of our worker modules as a child process: commands on stdin, results on stdout.

It exits when its stdin is closed, so a lab that is killed leaves none behind. The end of its stderr is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.worker_process import end_worker, order_end, start_worker

ENDING_S = 2.0
"""Time it has to exit after its stdin was closed."""
ERROR_CHUNKS = 8


class PipedProcess:
    """Created by `start`; `close` must be called."""

    def __init__(self, process: asyncio.subprocess.Process, *, is_confined: bool = False) -> None:
        assert process.stdin is not None and process.stdout is not None
        self._process = process
        self._is_confined = is_confined
        self.stdin: asyncio.StreamWriter = process.stdin
        self.stdout: asyncio.StreamReader = process.stdout
        self.pid = process.pid
        self._errors: list[bytes] = []
        self._reader = asyncio.create_task(self._read_errors(), name="process-errors")

    @classmethod
    async def start(
        cls, module: str, confine: Confinement | None = None, variables: Mapping[str, str] | None = None
    ) -> PipedProcess:
        """`python -m module`; `confine` is what it may use, where it looks at something of foreign code."""
        process = await start_worker(module, confine=confine, variables=variables)
        return cls(process, is_confined=confine is not None)

    async def exit_code(self) -> int:
        """Waits for its end; `error_lines` is complete then."""
        code = await self._process.wait()
        await asyncio.wait({self._reader}, timeout=0.5)
        return code

    def error_lines(self) -> list[str]:
        """The last lines it wrote to stderr."""
        return b"".join(self._errors).decode("utf-8", "replace").strip().splitlines()

    def kill(self) -> None:
        """Ends it with everything it started, without waiting; `close` is still needed."""
        order_end(self._process, is_confined=self._is_confined)

    async def close(self) -> None:
        self.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), ENDING_S)
        except TimeoutError:
            await end_worker(self._process, is_confined=self._is_confined)
        finally:
            if self._process.returncode is None:  # the waiting task was cancelled: nothing else would kill it
                order_end(self._process, is_confined=self._is_confined)
            self._reader.cancel()

    async def _read_errors(self) -> None:
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(4096):
            self._errors = [*self._errors[-ERROR_CHUNKS:], chunk]
