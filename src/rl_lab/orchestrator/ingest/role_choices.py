"""A user's choice of the environments that a captured script trains in, carried out by the ingest thread."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass

import msgspec

from rl_lab.core.errors import NotFound
from rl_lab.core.runs import Progress, Summary
from rl_lab.core.script_environments import EnvironmentRole
from rl_lab.orchestrator.ingest.role_changes import apply_choice, rearrange
from rl_lab.orchestrator.ingest.run_state import RunState
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import TelemetryDb

Roles = Mapping[int, EnvironmentRole]
"""By the number of the environment."""
Figures = tuple[Progress, Summary]


@dataclass
class RoleChoice:
    folder: RunFolder
    roles: Roles
    figures: asyncio.Future[Figures]
    """Of the run, after its episodes are sorted again."""

    def answer(self, figures: Figures) -> None:
        if not self.figures.done():
            self.figures.set_result(figures)

    def fail(self, error: Exception) -> None:
        if not self.figures.done():
            self.figures.set_exception(error)


def choose_roles(db: TelemetryDb, state: RunState, roles: Roles) -> Figures:
    apply_choice(state, roles)
    db.rearrange(rearrange(db.all_episodes(), state))
    return state.progress(), state.summary()


def choose_in_file(folder: RunFolder, roles: Roles) -> Figures:
    """For a run that has ended: no journal is being read."""
    if not folder.telemetry.exists():
        raise NotFound("This run has no environments of a script: it has reported nothing.")
    with closing(TelemetryDb(folder.telemetry)) as db:
        stored = db.state()
        return choose_roles(db, msgspec.convert(stored, RunState) if stored else RunState(), roles)
