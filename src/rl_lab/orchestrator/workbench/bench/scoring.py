"""Has episodes scored by several processes at once; each gets more as soon as it has finished some."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rl_lab.core.recordings import Recording
from rl_lab.orchestrator.workbench.bench.chosen_episodes import ChosenEpisode, read_recordings
from rl_lab.orchestrator.workbench.bench.processes import BenchWorker

BATCH, HELD_BATCH = 8, 32
"""Episodes in one message; those in memory need little time."""
AHEAD = 2
"""Messages that a process has before it, so that it never waits."""
FIRST_READ, NEXT_READ = 32, 128
"""Recordings that are read together; a few at first, because somebody waits."""
DELETED = "The recording was deleted meanwhile."

Item = dict[str, Any]
Event = tuple[str, dict[str, Any]]
"""`items` with what a process reported about episodes, or `problem` with what it reported about a reward."""


class EpisodeScoring:
    """The episodes of one group, and the processes that share them."""

    def __init__(
        self,
        home: Path,
        episodes: Sequence[ChosenEpisode],
        workers: Sequence[BenchWorker],
        *,
        with_steps: bool = False,
    ) -> None:
        """`with_steps`: every step's rewards are reported, too."""
        self._home = home
        self._with_steps = with_steps
        self._by_key = {one.key: one for one in episodes}
        self._workers = workers
        self._events: asyncio.Queue[Event | BaseException | None] = asyncio.Queue()
        self._held = {id(worker): deque[str]() for worker in workers}
        self._read: asyncio.Queue[tuple[str, Recording] | None] = asyncio.Queue(NEXT_READ)
        self._unread = [one for one in episodes if not self._is_held(one.key)]

    def _is_held(self, key: str) -> bool:
        """Gives the episode to the process that has it in memory."""
        holder = next((worker for worker in self._workers if key in worker.held), None)
        if holder is not None:
            self._held[id(holder)].append(key)
        return holder is not None

    async def events(self) -> AsyncGenerator[Event, None]:
        """In the order in which they come; WorkerFailed when a process has exited."""
        tasks = [asyncio.create_task(self._guarded(self._read_all()), name="bench-recordings")]
        tasks += [
            asyncio.create_task(self._guarded(self._work(worker)), name="bench-scoring")
            for worker in self._workers
        ]
        left = len(self._workers)
        try:
            while left:
                event = await self._events.get()
                if isinstance(event, BaseException):
                    raise event
                if event is None:
                    left -= 1
                else:
                    yield event
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _guarded(self, work: Any) -> None:
        try:
            await work
        except Exception as error:  # raised again where the events are read
            self._events.put_nowait(error)

    async def _read_all(self) -> None:
        at, count = 0, FIRST_READ
        while at < len(self._unread):
            wave = self._unread[at : at + count]
            found = await asyncio.to_thread(read_recordings, self._home, wave)
            for one in wave:
                recording = found.get(one.key)
                if recording is None:
                    self._put([{"key": one.key, "failed": DELETED}])
                else:
                    await self._read.put((one.key, recording))
            at, count = at + count, NEXT_READ
        await self._read.put(None)

    async def _work(self, worker: BenchWorker) -> None:
        sent: set[str] = set()
        while True:
            while len(sent) <= (AHEAD - 1) * BATCH:
                batch = await self._next(worker, wait=not sent)
                if not batch:
                    break
                sent |= {item["key"] for item in batch}
                await worker.send({"op": "score", "items": batch})
            if not sent:
                break
            sent -= await self._take(worker, await worker.receive())
        self._events.put_nowait(None)

    async def _next(self, worker: BenchWorker, *, wait: bool) -> list[Item]:
        """Episodes for this process: first those that it has in memory. Empty at the end."""
        held = self._held[id(worker)]
        if held:
            keys = [held.popleft() for _ in range(min(len(held), HELD_BATCH))]
            return [self._order(key, None) for key in keys]
        batch: list[Item] = []
        while len(batch) < BATCH:
            try:
                found = await self._read.get() if wait and not batch else self._read.get_nowait()
            except asyncio.QueueEmpty:
                break
            if found is None:
                with suppress(asyncio.QueueFull):
                    self._read.put_nowait(None)  # for the other processes
                break
            batch.append(self._order(*found))
        return batch

    def _order(self, key: str, recording: Recording | None) -> Item:
        return {"key": key, "recording": recording, "with_steps": self._with_steps}

    async def _take(self, worker: BenchWorker, message: dict[str, Any]) -> set[str]:
        """Passes on what it reported; returns the keys of the episodes that are done."""
        if message["op"] == "problem":
            self._events.put_nowait(("problem", message))
            return set()
        done = [item for item in message["items"] if not item.get("missing")]
        for item in done:
            if item.get("is_kept"):
                worker.held.add(item["key"])
            worker.held.difference_update(item.get("dropped", ()))
        self._put(done)
        missing = {item["key"] for item in message["items"] if item.get("missing")}
        return {item["key"] for item in done} | await self._send_again(worker, missing)

    async def _send_again(self, worker: BenchWorker, keys: set[str]) -> set[str]:
        """With their recordings: the process does not have them in memory any more. Returns those that are gone."""
        if not keys:
            return set()
        worker.held -= keys
        found = await asyncio.to_thread(
            read_recordings, self._home, [self._by_key[key] for key in sorted(keys)]
        )
        if found:
            items = [self._order(key, recording) for key, recording in found.items()]
            await worker.send({"op": "score", "items": items})
        gone = keys - set(found)
        self._put([{"key": key, "failed": DELETED} for key in sorted(gone)])
        return gone

    def _put(self, items: list[Item]) -> None:
        if items:
            self._events.put_nowait(("items", {"items": items}))
