"""The reading processes: at most two, so that one large folder does not keep the others waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path

from rl_lab.orchestrator.adoption.process import AdopterProcess
from rl_lab.orchestrator.adoption.reader import messages as m

MAX_READERS = 2
HEED_S = 3.0
"""A process that has not left a folder by then is killed."""
NOT_HEEDED = "it did not stop when it was asked to."

OnReports = Callable[[Sequence[m.Report]], Awaitable[None]]
OnExit = Callable[[set[str], str, float | None], Awaitable[None]]


class Readers:
    """Overlapping folders are read by the same process: only one may write the telemetry of a run."""

    def __init__(self, home: Path, quiet_s: float, *, on_reports: OnReports, on_exit: OnExit) -> None:
        """`on_exit` gets the adoptions of a process that ended, the reason, and how long it ran unless killed."""
        self._on_reports = on_reports
        self._on_exit = on_exit
        self._readers = [
            AdopterProcess(
                home,
                quiet_s,
                on_reports=self._pass_on,
                on_exit=partial(self._exited, place),
                is_busy=partial(self._is_busy, place),
            )
            for place in range(MAX_READERS)
        ]
        self._places: dict[str, tuple[int, str]] = {}
        """Adoption → number of its process, and its folder."""
        self._reading: set[str] = set()
        """Adoptions that are read for the first time; the others are followed."""
        self._left: dict[str, asyncio.Event] = {}

    async def adopt(self, order: m.Adopt) -> None:
        place = self._choose(order.folder)
        self._places[order.id] = (place, order.folder)
        self._reading.add(order.id)
        await self._readers[place].send(order)

    async def hand_over(self, adoption_id: str) -> None:
        """Another adoption follows its folder from now on."""
        if adoption_id in self._places:
            place, _ = self._places[adoption_id]
            await self._readers[place].send(m.LeaveFolder(adoption_id, is_handed_over=True))

    async def leave(self, adoption_id: str) -> None:
        """Returns once the folder is left. A process that does not heed is killed; its other folders begin again."""
        if adoption_id not in self._places:
            return
        reader = self._readers[self._places[adoption_id][0]]
        left = self._left.setdefault(adoption_id, asyncio.Event())
        await reader.send(m.LeaveFolder(adoption_id))
        try:
            async with asyncio.timeout(HEED_S):
                await left.wait()
        except TimeoutError:
            if adoption_id in self._places:
                reader.kill(NOT_HEEDED)
                await left.wait()

    async def leave_run(self, run_id: str) -> None:
        for reader in self._readers:
            if reader.is_running:
                await reader.send(m.LeaveRun(run_id))

    def rest(self) -> None:
        """Ends the processes that have nothing left to do."""
        for place, reader in enumerate(self._readers):
            if not self._ids_of(place):
                reader.rest()

    async def close(self) -> None:
        await asyncio.gather(*(reader.close() for reader in self._readers))

    def _choose(self, folder: str) -> int:
        for place, other in self._places.values():
            if is_beneath(folder, [other]) or is_beneath(other, [folder]):
                return place
        return min(range(MAX_READERS), key=lambda place: len(self._reading & self._ids_of(place)))

    def _is_busy(self, place: int) -> bool:
        return bool(self._reading & self._ids_of(place))

    def _ids_of(self, place: int) -> set[str]:
        return {adoption_id for adoption_id, (where, _) in self._places.items() if where == place}

    async def _pass_on(self, reports: Sequence[m.Report]) -> None:
        over = set()
        for report in reports:
            if isinstance(report, m.Done):
                self._reading.discard(report.id)
            if isinstance(report, m.Left) or (isinstance(report, m.Done) and not report.is_followed):
                over.add(report.id)
        self._forget(over)
        await self._on_reports(reports)
        self._release(over)

    async def _exited(self, place: int, why: str, lived_s: float) -> None:
        lost = self._ids_of(place)
        stopped = lost & self._left.keys()
        self._forget(lost)
        if stopped:
            await self._on_reports([m.Left(adoption_id) for adoption_id in stopped])
        self._release(stopped)
        await self._on_exit(lost - stopped, why, None if stopped else lived_s)

    def _forget(self, adoption_ids: set[str]) -> None:
        self._reading -= adoption_ids
        for adoption_id in adoption_ids:
            self._places.pop(adoption_id, None)

    def _release(self, adoption_ids: set[str]) -> None:
        """Those who wait until a folder is left."""
        for adoption_id in adoption_ids & self._left.keys():
            self._left.pop(adoption_id).set()


def is_beneath(folder: str, above: Sequence[str]) -> bool:
    return any(folder == one or folder.startswith(f"{one}/") for one in above)
