"""A Renderer is a process that draws frames, and the pipes to it; it runs only while there is a viewer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

import msgspec

from rl_lab.core.errors import NotReady, WorkerFailed
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.piped_process import PipedProcess
from rl_lab.orchestrator.worker_process import explain_exit
from rl_lab.portable.frame_protocol import receive_message, with_length

MAX_RENDERERS = 16
"""Renderers at once; each takes up to a tenth of a core and 100 MB."""


class Renderers:
    """Starts renderers and ends them all when the lab closes."""

    def __init__(self) -> None:
        self._open: set[Renderer] = set()
        self._starting = 0

    async def start(self, first: dict[str, Any], confine: Confinement | None = None) -> Renderer:
        """`confine` is what it may use where it draws for a run of foreign code; None for the lab's own."""
        if len(self._open) + self._starting >= MAX_RENDERERS:
            raise NotReady(
                f"{MAX_RENDERERS} live feeds, replays and previews are open already.",
                next_step="Close one of them in another tab.",
            )
        self._starting += 1  # counted before it is waited for: many may be asked for at once
        try:
            process = await PipedProcess.start("rl_lab.worker.rendering", confine)
        finally:
            self._starting -= 1
        renderer = Renderer(process, self._open.discard)
        self._open.add(renderer)
        await renderer.send(first)
        return renderer

    async def close(self) -> None:
        await asyncio.gather(*(renderer.close() for renderer in list(self._open)))


class Renderer:
    """Takes commands, returns frame messages. The process exits when its stdin is closed."""

    def __init__(self, process: PipedProcess, on_close: Callable[[Renderer], None]) -> None:
        self._process = process
        self._on_close = on_close

    async def send(self, message: dict[str, Any]) -> None:
        stdin = self._process.stdin
        with contextlib.suppress(ConnectionError):  # it has exited: `messages` raises the reason
            stdin.write(with_length(msgspec.msgpack.encode(message)))
            await stdin.drain()

    async def messages(self) -> AsyncIterator[bytes]:
        """Frame messages; raises WorkerFailed when the process fails."""
        try:
            while True:
                yield await receive_message(self._process.stdout)
        except EOFError:
            await self._explain()
        except ValueError as error:
            raise WorkerFailed(f"A frame was too large to be sent: {error}.") from None

    async def close(self) -> None:
        self._on_close(self)
        await self._process.close()

    async def _explain(self) -> None:
        code = await self._process.exit_code()
        if code == 0:
            return
        reason = explain_exit(code, self._process.error_lines())
        raise WorkerFailed(
            f"This cannot be drawn: {reason.rstrip('.')}.",
            next_step="Open it again; `rl-lab doctor` checks the installation.",
        )
