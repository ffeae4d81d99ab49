"""A Renderer is a drawing process and the pipes to it; it lives only while someone watches."""

from __future__ import annotations

import asyncio
import contextlib
import struct
import sys
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from rl_lab.core.errors import NotReady, WorkerFailed
from rl_lab.orchestrator.worker_calls import worker_variables

MAX_RENDERERS = 16
"""Drawing processes at once; each takes up to a tenth of a core and 100 MB."""
MAX_MESSAGE_BYTES = 32 << 20
ENDING_S = 2.0


class Renderers:
    """Starts drawing processes and ends them all when the lab closes."""

    def __init__(self) -> None:
        self._open: set[Renderer] = set()

    async def start(self, first: dict[str, Any]) -> Renderer:
        if len(self._open) >= MAX_RENDERERS:
            raise NotReady(
                f"{MAX_RENDERERS} pictures are being drawn already.",
                next_step="Close a replay, preview or live feed in another tab.",
            )
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-P", "-m", "rl_lab.worker.rendering",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=worker_variables(), start_new_session=True, limit=1 << 20,
        )  # fmt: skip
        renderer = Renderer(process, self._open.discard)
        self._open.add(renderer)
        await renderer.send(first)
        return renderer

    async def close(self) -> None:
        await asyncio.gather(*(renderer.close() for renderer in list(self._open)))


class Renderer:
    """Send wishes, read picture messages. A closed pipe ends the process by itself."""

    def __init__(self, process: asyncio.subprocess.Process, on_close: Any) -> None:
        self._process = process
        self._on_close = on_close
        self._errors: list[bytes] = []
        self._stderr = asyncio.create_task(self._read_errors(), name="renderer-errors")

    async def send(self, message: dict[str, Any]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        payload = msgspec.msgpack.encode(message)
        with contextlib.suppress(ConnectionError):  # it died: `messages` says why
            stdin.write(struct.pack("<I", len(payload)) + payload)
            await stdin.drain()

    async def messages(self) -> AsyncIterator[bytes]:
        """Picture messages (worker/rendering/frame_protocol.py); raises WorkerFailed when the process exits."""
        stdout = self._process.stdout
        assert stdout is not None
        try:
            while True:
                (size,) = struct.unpack("<I", await stdout.readexactly(4))
                if size > MAX_MESSAGE_BYTES:
                    raise WorkerFailed("A picture was too large to be sent.")
                yield await stdout.readexactly(size)
        except asyncio.IncompleteReadError:
            await self._explain()

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
            if self._process.returncode is None:  # whoever waited was told to leave: nobody comes again
                self._process.kill()
            self._stderr.cancel()

    async def _explain(self) -> None:
        code = await self._process.wait()
        if code == 0:
            return
        await asyncio.wait({self._stderr}, timeout=0.5)
        lines = b"".join(self._errors).decode("utf-8", "replace").strip().splitlines()
        raise WorkerFailed(
            f"The drawing process ended with exit code {code}: {lines[-1] if lines else 'it said nothing'}",
            next_step="Open it again; `rl-lab doctor` checks the installation.",
        )

    async def _read_errors(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        while chunk := await stderr.read(4096):
            self._errors = [*self._errors[-8:], chunk]
