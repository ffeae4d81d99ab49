"""`python -m rl_lab.orchestrator.adoption.reader HOME QUIET_S`: follows orders on stdin until stdin is closed."""

from __future__ import annotations

import os
import resource
import select
import sys
import time
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.adoption.reader.adoption import Adoption
from rl_lab.orchestrator.adoption.reader.keeper import AdoptionLeft

MEMORY_BYTES = 8 << 30
"""A file that unpacks into more is refused before it uses up the memory of the machine."""


class Adopter:
    def __init__(self, home: Path, quiet_s: float) -> None:
        self._home = home
        self._quiet_s = quiet_s
        self._adoptions: dict[str, Adoption] = {}
        self._at_work: dict[str, Iterator[None]] = {}
        self._current = ""
        """The adoption at work."""
        self._orders: deque[m.Order] = deque()
        """Heard, and not obeyed yet: an order that takes long is paused, too."""
        self._rest = b""

    def serve(self) -> None:
        """One small step of each adoption at a time; orders and followed runs have their turn in between."""
        while self._hear(self._wait_s()):
            for adoption_id in list(self._adoptions):
                self._current = adoption_id
                with suppress(AdoptionLeft):
                    self._step(adoption_id)

    def _step(self, adoption_id: str) -> None:
        adoption = self._adoptions.get(adoption_id)
        work = self._at_work.get(adoption_id)
        if adoption is None:
            return
        if work is not None and next(work, self) is self:
            del self._at_work[adoption_id]
        if adoption_id not in self._at_work:
            adoption.look()
        if adoption.is_over:
            del self._adoptions[adoption_id]

    def _pause(self) -> None:
        """Between two blocks of a file: obeys the orders that have come, one to leave the adoption at work too."""
        is_served = self._hear(0.0)
        adoption = self._adoptions.get(self._current)
        if not is_served or adoption is None:
            raise AdoptionLeft
        adoption.report_progress()

    def _wait_s(self) -> float | None:
        if self._at_work:
            return 0.0
        soonest = min((a.next_at for a in self._adoptions.values()), default=None)
        return None if soonest is None else max(0.0, soonest - time.time())

    def _hear(self, timeout_s: float | None) -> bool:
        """Orders that have come; False when no more can come."""
        readable, _, _ = select.select([0], [], [], timeout_s)
        if not readable:
            return True
        data = os.read(0, 1 << 20)
        *lines, self._rest = (self._rest + data).split(b"\n")
        self._orders.extend(m.orders.decode(line) for line in lines)
        while self._orders:
            self._obey(self._orders.popleft())
        return bool(data)

    def _obey(self, order: m.Order) -> None:
        match order:
            case m.Adopt():
                adoption = Adoption(self._home, order, send, self._quiet_s, pause=self._pause)
                self._adoptions[order.id] = adoption
                self._at_work[order.id] = adoption.work()
            case m.LeaveRun():
                for adoption in self._adoptions.values():
                    adoption.leave(order.run_id)
            case m.LeaveFolder():
                self._at_work.pop(order.id, None)
                left = self._adoptions.get(order.id)
                if left is not None:
                    left.end(is_handed_over=order.is_handed_over)
                    self._adoptions.pop(order.id, None)


def send(report: m.Report) -> None:
    data = memoryview(m.encoder.encode(report) + b"\n")
    while data:
        data = data[os.write(1, data) :]


def main() -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, hard))
    os.nice(10)
    # The lab is gone: what is stored stays, and the next lab continues.
    with suppress(BrokenPipeError, KeyboardInterrupt):
        Adopter(Path(sys.argv[1]), float(sys.argv[2])).serve()


if __name__ == "__main__":
    main()
