"""How far a job on datasets is, in episodes, steps or bytes; and the end of one that was stopped."""

from __future__ import annotations

import time

from rl_lab.worker.session import PROGRESS_S, Session


class StoppedEarly(Exception):
    """The user has stopped the job: what it has written is removed."""


class WorkCount:
    def __init__(self, session: Session, total: int, unit: str = "episode") -> None:
        self._session = session
        self._total, self._unit = total, unit
        self._last = 0.0
        self.done = 0
        session.telemetry.status("progress", timestep=0, total=total, unit=unit)

    def advance(self, amount: int = 1) -> None:
        self.reach(self.done + amount)

    def reach(self, amount: int) -> None:
        """So many are done; StoppedEarly when the user has stopped the job."""
        self.done = self._session.timestep = amount
        self.look()
        now = time.monotonic()
        if now - self._last >= PROGRESS_S or amount >= self._total:
            self._last = now
            self._session.telemetry.status("progress", timestep=amount, total=self._total, unit=self._unit)

    def reach_share(self, share: float) -> None:
        """The same for a share of the total."""
        self.reach(int(self._total * share))

    def look(self) -> None:
        if self._session.should_stop():
            raise StoppedEarly
