"""How many trainings and jobs may run at the same time: from the settings, changed at run time, kept in lab.db."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.queue.lanes import Lane, Slots
from rl_lab.core.queue.state import SlotsChange
from rl_lab.orchestrator.context import Context
from rl_lab.store.sql import meta

KEY = "slots"
_FIELDS = {Lane.training: "training_slots", Lane.job: "job_slots", Lane.play: "play_slots"}
PLAYS = 16
"""Plays at the same time: a limit for scripts that forget to end theirs."""


class SlotLimits:
    def __init__(self, context: Context) -> None:
        settings = context.settings
        self._db = context.db
        self.default: Slots = {
            Lane.training: settings.max_running,
            Lane.job: settings.max_jobs,
            Lane.play: PLAYS,
        }
        self.value: Slots = self.default

    async def open(self) -> None:
        self._take(await self._db.read(lambda conn: meta.find(conn, KEY)) or {})

    async def change(self, change: SlotsChange) -> None:
        def work(conn: Connection) -> dict[str, int]:
            kept = {**(meta.find(conn, KEY) or {}), **change.model_dump(exclude_unset=True)}
            kept = {name: value for name, value in kept.items() if value is not None}
            meta.put(conn, KEY, kept)
            return kept

        self._take(await self._db.write(work))

    def _take(self, kept: dict[str, int]) -> None:
        self.value = {lane: kept.get(name, self.default[lane]) for lane, name in _FIELDS.items()}
