"""`python -m rl_lab.orchestrator.adoption.reader HOME QUIET_S`: follows orders on stdin until stdin is closed."""

from __future__ import annotations

import os
import resource
import select
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.adoption.reader.adoption import Adoption

MEMORY_BYTES = 8 << 30
"""A file that unpacks into more is refused before it uses up the memory of the machine."""


class Adopter:
    def __init__(self, home: Path, quiet_s: float) -> None:
        self._home = home
        self._quiet_s = quiet_s
        self._adoptions: dict[str, Adoption] = {}
        self._at_work: dict[str, Iterator[None]] = {}
        self._rest = b""

    def serve(self) -> None:
        """One small step of each adoption at a time; orders and followed runs have their turn in between."""
        while self._hear(self._wait_s()):
            for adoption_id, work in list(self._at_work.items()):
                if next(work, self) is self:
                    del self._at_work[adoption_id]
            for adoption_id, adoption in list(self._adoptions.items()):
                if adoption_id not in self._at_work:
                    adoption.look()
                if adoption.is_over:
                    del self._adoptions[adoption_id]

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
        for line in lines:
            self._obey(m.orders.decode(line))
        return bool(data)

    def _obey(self, order: m.Order) -> None:
        match order:
            case m.Adopt():
                adoption = Adoption(self._home, order, send, self._quiet_s)
                self._adoptions[order.id] = adoption
                self._at_work[order.id] = adoption.work()
            case m.LeaveRun():
                for adoption in self._adoptions.values():
                    adoption.leave(order.run_id)
            case m.LeaveFolder():
                self._at_work.pop(order.id, None)
                left = self._adoptions.pop(order.id, None)
                if left is not None:
                    left.end(is_handed_over=order.is_handed_over)


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
