"""The processes of benches, `python -m rl_lab.worker.reward_bench`: kept for a minute, with episodes in memory."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator, Coroutine
from typing import Any

import msgspec

from rl_lab.core.errors import WorkerFailed
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.piped_process import PipedProcess
from rl_lab.orchestrator.worker_process import explain_exit
from rl_lab.portable.frame_protocol import receive_message, with_length

MODULE = "rl_lab.worker.reward_bench"
KEPT_S = 60.0
ENDING_S = 1.0
"""Time a process has to stop what it does; then it is ended."""
AT_ONCE = 2
"""Benches that run at the same time."""
MOST_IDLE = 4
PROCESSES = max(1, min(4, os.cpu_count() or 1))


class BenchWorker:
    """One process and the pipes to it."""

    def __init__(self, process: PipedProcess, rights: Confinement | None) -> None:
        self._process = process
        self.rights = rights
        self.held: set[str] = set()
        """Keys of the episodes that it has in memory."""
        self.closing: asyncio.TimerHandle | None = None
        self._inbox: asyncio.Queue[dict[str, Any] | None] = asyncio.Queue()
        # Read by a task that no bench cancels: half a message must never be left in the pipe.
        self._reader = asyncio.create_task(self._read(), name="reward-bench-results")

    async def send(self, message: dict[str, Any]) -> None:
        with contextlib.suppress(ConnectionError):  # it has exited: `receive` raises the reason
            self._process.stdin.write(with_length(msgspec.msgpack.encode(message)))
            await self._process.stdin.drain()

    async def receive(self) -> dict[str, Any]:
        """WorkerFailed when it has exited."""
        message = await self._inbox.get()
        if message is None:
            self._inbox.put_nowait(None)
            raise await self._explain()
        return message

    async def end_bench(self) -> bool:
        """Whether it has stopped and can be used again."""
        try:
            async with asyncio.timeout(ENDING_S):
                await self.send({"op": "end"})
                while (await self.receive())["op"] != "idle":
                    pass
        except (TimeoutError, WorkerFailed):
            return False
        return True

    async def close(self) -> None:
        if self.closing is not None:
            self.closing.cancel()
        try:
            await self._process.close()
        finally:
            self._reader.cancel()

    async def kill(self) -> None:
        self._process.kill()
        await self.close()

    async def _read(self) -> None:
        try:
            while True:
                message = await receive_message(self._process.stdout)
                self._inbox.put_nowait(dict(msgspec.msgpack.decode(message)))
        except (EOFError, ValueError):
            self._inbox.put_nowait(None)

    async def _explain(self) -> WorkerFailed:
        code = await self._process.exit_code()
        reason = explain_exit(code, self._process.error_lines())
        return WorkerFailed(
            f"The episodes could not be simulated: {reason.rstrip('.')}.",
            next_step="Try it with fewer runs; `rl-lab doctor` checks the installation.",
        )


class BenchWorkers:
    """Lends processes to benches. A process serves one kind of rights for its whole life."""

    def __init__(self) -> None:
        self._idle: list[BenchWorker] = []
        self._turn = asyncio.Semaphore(AT_ONCE)
        self._returning: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @contextlib.asynccontextmanager
    async def lend(
        self, rights: Confinement | None, count: int, *, holding: str = ""
    ) -> AsyncIterator[list[BenchWorker]]:
        """`holding`: an episode; a process that has it in memory comes first."""
        async with self._turn:
            if self._returning:  # those of a bench that was just ended are about to be free
                await asyncio.wait(self._returning, timeout=ENDING_S)
            lent = self._take(rights, count, holding)
            try:
                while len(lent) < count:
                    process = await PipedProcess.start(MODULE, rights)
                    lent.append(BenchWorker(process, rights))
                yield lent
            finally:
                # In a task of their own: this one may be cancelled again while it waits.
                for worker in lent:
                    self._do(self._take_back(worker))

    def warm(self) -> None:
        """Starts the processes of a bench while its episodes are chosen, unless there are some or soon will be."""
        if not self._returning and not any(worker.rights is None for worker in self._idle):
            self._do(self._start_idle())

    async def close(self) -> None:
        self._is_closed = True
        await asyncio.gather(*self._returning, return_exceptions=True)
        await asyncio.gather(*(worker.close() for worker in self._idle))
        self._idle.clear()

    def _take(self, rights: Confinement | None, count: int, holding: str) -> list[BenchWorker]:
        able = [worker for worker in self._idle if worker.rights == rights]
        lent = sorted(able, key=lambda worker: holding not in worker.held)[:count]
        self._idle = [worker for worker in self._idle if worker not in lent]
        for worker in lent:
            if worker.closing is not None:
                worker.closing.cancel()
        return lent

    async def _take_back(self, worker: BenchWorker) -> None:
        if self._is_closed or not await worker.end_bench():
            await worker.kill()
            return
        self._keep(worker)

    async def _start_idle(self) -> None:
        for _ in range(PROCESSES):
            worker = BenchWorker(await PipedProcess.start(MODULE, None), None)
            if self._is_closed:
                await worker.kill()
                return
            self._keep(worker)

    def _keep(self, worker: BenchWorker) -> None:
        worker.closing = asyncio.get_running_loop().call_later(KEPT_S, self._drop_soon, worker)
        self._idle.append(worker)
        for oldest in self._idle[:-MOST_IDLE]:
            self._drop_soon(oldest)

    def _drop_soon(self, worker: BenchWorker) -> None:
        if worker in self._idle:
            self._idle.remove(worker)
            self._do(worker.close())

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="reward-bench")
        self._returning.add(task)
        task.add_done_callback(self._returning.discard)
