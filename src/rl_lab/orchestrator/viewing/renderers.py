"""A Renderer is a process that draws frames, and the pipes to it; it runs only while there is a viewer."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from rl_lab.core.errors import NotReady, WorkerFailed
from rl_lab.orchestrator.worker_calls import worker_variables
from rl_lab.portable.frame_protocol import receive_message, with_length

MAX_RENDERERS = 16
"""Renderers at once; each takes up to a tenth of a core and 100 MB."""
ENDING_S = 2.0


class Renderers:
    """Starts renderers and ends them all when the lab closes."""

    def __init__(self) -> None:
        self._open: set[Renderer] = set()

    async def start(self, first: dict[str, Any]) -> Renderer:
        if len(self._open) >= MAX_RENDERERS:
            raise NotReady(
                f"{MAX_RENDERERS} live feeds, replays and previews are open already.",
                next_step="Close one of them in another tab.",
            )
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",
            "-m",
            "rl_lab.worker.rendering",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            env=worker_variables(),
            start_new_session=True,
            limit=1 << 20,
        )
        renderer = Renderer(process, self._open.discard)
        self._open.add(renderer)
        await renderer.send(first)
        return renderer

    async def close(self) -> None:
        await asyncio.gather(*(renderer.close() for renderer in list(self._open)))


class Renderer:
    """Takes commands, returns frame messages. The process exits when its stdin is closed."""

    def __init__(self, process: asyncio.subprocess.Process, on_close: Any) -> None:
        self._process = process
        self._on_close = on_close
        self._errors: list[bytes] = []
        self._stderr = asyncio.create_task(self._read_errors(), name="renderer-errors")

    async def send(self, message: dict[str, Any]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        with contextlib.suppress(ConnectionError):  # it has exited: `messages` raises the reason
            stdin.write(with_length(msgspec.msgpack.encode(message)))
            await stdin.drain()

    async def messages(self) -> AsyncIterator[bytes]:
        """Frame messages; raises WorkerFailed when the process fails."""
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while True:
                yield await receive_message(stdout)
        except EOFError:
            await self._explain()
        except ValueError as error:
            raise WorkerFailed(f"A frame was too large to be sent: {error}.") from None

    async def close(self) -> None:
        self._on_close(self)
        if self._process.stdin is not None:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), ENDING_S)
        except TimeoutError:
            self._process.kill()
            await self._process.wait()
        finally:
            if self._process.returncode is None:  # the waiting task was cancelled: nothing else would kill it
                self._process.kill()
            self._stderr.cancel()

    async def _explain(self) -> None:
        code = await self._process.wait()
        if code == 0:
            return
        await asyncio.wait({self._stderr}, timeout=0.5)
        lines = b"".join(self._errors).decode("utf-8", "replace").strip().splitlines()
        raise WorkerFailed(
            f"The renderer exited with code {code}: {lines[-1] if lines else 'no error output'}",
            next_step="Open it again; `rl-lab doctor` checks the installation.",
        )

    async def _read_errors(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        while chunk := await stderr.read(4096):
            self._errors = [*self._errors[-8:], chunk]
