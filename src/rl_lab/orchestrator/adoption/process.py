"""A process that reads adopted folders: started when there is something to read, ended when nothing is followed."""

from __future__ import annotations

import asyncio
import sys
import time
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.worker_variables import worker_variables

CHUNK = 1 << 18
END_S = 5.0
ERROR_BYTES = 16 << 10
STALLED_S = 120.0
"""A process that is at work and reports nothing for so long is killed."""


class AdopterProcess:
    def __init__(
        self,
        home: Path,
        quiet_s: float,
        *,
        on_reports: Callable[[Sequence[m.Report]], Awaitable[None]],
        on_exit: Callable[[str, float], Awaitable[None]],
        is_busy: Callable[[], bool],
    ) -> None:
        """`on_exit` gets the reason and how many seconds the process ran, when it was not asked to end."""
        self._home = home
        self._quiet_s = quiet_s
        self._on_reports = on_reports
        self._on_exit = on_exit
        self._is_busy = is_busy
        self._killed_why = ""
        self._process: Process | None = None
        self._serving: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._is_closing = False

    @property
    def is_running(self) -> bool:
        return self._process is not None

    async def send(self, order: m.Order) -> None:
        """Starts the process when it is not running."""
        async with self._starting:
            process = self._process or await self._start()
            assert process.stdin is not None
            process.stdin.write(m.encoder.encode(order) + b"\n")
        try:
            await process.stdin.drain()
        except ConnectionError:
            return  # it exited; `on_exit` reports what was lost

    def rest(self) -> None:
        """Nothing is left to do: the process ends when its stdin is closed."""
        process, self._process = self._process, None
        if process is not None and process.stdin is not None:
            process.stdin.close()

    def kill(self, why: str) -> None:
        """Ends it at once; `on_exit` follows with this reason."""
        self._killed_why = why
        if self._process is not None and self._process.returncode is None:
            self._process.kill()

    async def close(self) -> None:
        self._is_closing = True
        self.rest()
        if self._serving is None:
            return
        try:
            await asyncio.wait_for(asyncio.shield(self._serving), END_S)
        except TimeoutError:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)

    async def _start(self) -> Process:
        before = self._serving
        if before is not None and before is not asyncio.current_task():
            await asyncio.gather(before, return_exceptions=True)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "rl_lab.orchestrator.adoption.reader",
            str(self._home),
            str(self._quiet_s),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=worker_variables(),
            start_new_session=True,
        )
        self._process, self._killed_why = process, ""
        self._serving = asyncio.create_task(self._serve(process), name="adopter")
        return process

    async def _serve(self, process: Process) -> None:
        """Passes on its reports until it exits; then the reason, if it was not asked to end."""
        began = time.monotonic()
        assert process.stdout is not None and process.stderr is not None
        reading_errors = asyncio.create_task(_read_end(process.stderr))
        try:
            rest = b""
            while data := await self._read(process.stdout):
                *lines, rest = (rest + data).split(b"\n")
                if lines:
                    await self._on_reports([m.reports.decode(line) for line in lines])
            code = await process.wait()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
            errors = await reading_errors
        was_wanted = self._process is process
        if was_wanted:
            self._process = None
            if not self._is_closing:
                why = self._killed_why or _reason(code, errors)
                await self._on_exit(why, time.monotonic() - began)

    async def _read(self, stream: asyncio.StreamReader) -> bytes:
        """What it reports next."""
        while True:
            try:
                async with asyncio.timeout(STALLED_S):
                    return await stream.read(CHUNK)
            except TimeoutError:
                if self._is_busy():
                    self.kill(f"nothing came of it for {STALLED_S:.0f} s.")


async def _read_end(stream: asyncio.StreamReader) -> bytes:
    kept = b""
    while data := await stream.read(CHUNK):
        kept = (kept + data)[-ERROR_BYTES:]
    return kept


def _reason(code: int, errors: bytes) -> str:
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    if code < 0:
        return f"the reading process was killed by signal {-code}."
    return f"the reading process ended with exit code {code}{': ' + lines[-1] if lines else ''}."
