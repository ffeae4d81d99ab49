"""How far a job on datasets is, in episodes; and the end of one that was stopped."""

from __future__ import annotations

import time

from rl_lab.worker.session import PROGRESS_S, Session


class StoppedEarly(Exception):
    """The user has stopped the job: what it has written is removed."""


class EpisodeCount:
    def __init__(self, session: Session, total: int) -> None:
        self._session = session
        self._total = total
        self._last = 0.0
        self.done = 0
        session.telemetry.status("progress", timestep=0, total=total)

    def advance(self, episodes: int = 1) -> None:
        self.reach(self.done + episodes)

    def reach(self, episodes: int) -> None:
        """So many are done; StoppedEarly when the user has stopped the job."""
        self.done = self._session.timestep = episodes
        self.look()
        now = time.monotonic()
        if now - self._last >= PROGRESS_S or episodes >= self._total:
            self._last = now
            self._session.telemetry.status("progress", timestep=episodes, total=self._total)

    def reach_share(self, share: float) -> None:
        """The same for work that is not counted in episodes."""
        self.reach(int(self._total * share))

    def look(self) -> None:
        if self._session.should_stop():
            raise StoppedEarly
