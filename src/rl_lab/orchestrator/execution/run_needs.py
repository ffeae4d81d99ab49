"""What waiting and running runs need, from their runner and from the last runs like them."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.queue.resources import Needs, Use, needs_of
from rl_lab.runners.registry import RUNNERS, load_runner
from rl_lab.store import queue
from rl_lab.store.queue import QueuedRow

REMEMBERED = 5
"""Runs of one kind whose use is remembered; the largest one counts."""
Key = tuple[str, str | None, str | None, str | None]


class RunNeeds:
    """Each kind of run is looked up once, and again after one of it has ended."""

    def __init__(self) -> None:
        self._used: dict[Key, list[Use]] = {}

    def of(self, conn: Connection, row: QueuedRow) -> Needs:
        if row.kind is RunKind.play:
            return Needs(cores=0)  # it never waits
        key = (row.kind, row.runner, row.algorithm, row.env_id)
        if key not in self._used:
            self._used[key] = queue.list_uses(conn, row, REMEMBERED)
        used = self._used[key]
        is_training = row.kind is RunKind.train and row.runner in RUNNERS
        return needs_of(load_runner(row.runner or "").spec if is_training else None, row.config, used)

    def forget(self) -> None:
        """A run has ended, so that more is known."""
        self._used.clear()
