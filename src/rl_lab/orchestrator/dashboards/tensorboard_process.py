"""One TensorBoard process: started on a free port of this machine alone, ended by closing its stdin."""

from __future__ import annotations

import asyncio
import json
import secrets
import signal
import time
from pathlib import Path

from rl_lab.core.errors import WorkerFailed
from rl_lab.orchestrator.piped_process import PipedProcess

START_S = 90.0
RELOAD_S = 3
"""How often TensorBoard looks for new data."""
LOOK_AT_LOG = "Try again; if it stays so, `pip install --upgrade tensorboard` may help."


class TensorboardProcess:
    """Created by `start`; `wait` returns when the process has exited."""

    url: str

    def __init__(self, process: PipedProcess) -> None:
        self._process = process
        self.used = time.monotonic()

    @classmethod
    async def start(cls, folder: Path, title: str) -> TensorboardProcess:
        """Returns once it answers; raises WorkerFailed with its error output."""
        started = cls(await PipedProcess.start("rl_lab.worker.tensorboard"))
        try:
            started.url = await asyncio.wait_for(started._ask(folder, title), START_S)
        except TimeoutError:
            await started.close()
            raise WorkerFailed(
                f"TensorBoard did not answer within {START_S:.0f} s.{started.last_output()}",
                next_step="The machine may be busy: try again.",
            ) from None
        except BaseException:
            await started.close()
            raise
        return started

    async def _ask(self, folder: Path, title: str) -> str:
        stdin, stdout = self._process.stdin, self._process.stdout
        # Not as arguments: everybody on the machine may read those, and the prefix is a secret.
        prefix = f"/{secrets.token_urlsafe(16)}"
        wanted = {"folder": str(folder), "prefix": prefix, "reload_s": RELOAD_S, "title": title}
        try:
            stdin.write(json.dumps(wanted).encode() + b"\n")
            await stdin.drain()
        except ConnectionError:
            pass  # it exited: the missing answer is reported below
        line = (await stdout.readline()).decode().strip()
        if not line.startswith("http://"):
            raise WorkerFailed(f"TensorBoard did not start: {await self._ended()}", next_step=LOOK_AT_LOG)
        self.used = time.monotonic()
        return line

    @property
    def pid(self) -> int:
        return self._process.pid

    async def wait(self) -> str:
        """Notes every use until the process exits; returns the reason."""
        while await self._process.stdout.readline():
            self.used = time.monotonic()
        return await self._ended()

    async def _ended(self) -> str:
        code = await self._process.exit_code()
        if code < 0:
            return f"its process was killed by signal {-code} ({signal.Signals(-code).name}).{self.last_output()}"
        return f"its process ended with exit code {code}.{self.last_output()}"

    def last_output(self) -> str:
        lines = self._process.error_lines()
        return f" Its last output: {' | '.join(line.strip() for line in lines[-3:])}" if lines else ""

    async def close(self) -> None:
        await self._process.close()
