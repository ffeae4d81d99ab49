"""Recovery at start: every run that was live is followed again; the supervisor's looks then tell how it stands.

Lock held: adopted, its journal read on from the stored position. Exit record there: read to the end, then decided.
Neither: explained as lost. Nothing is killed and nothing is started twice.
"""

from __future__ import annotations

import asyncio
import logging

from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.execution.supervisor import Supervisor
from rl_lab.orchestrator.home import boot_id
from rl_lab.settings import Settings
from rl_lab.store import attempts, runs
from rl_lab.store.attempts import Attempt
from rl_lab.store.files.attempt_folder import AttemptFolder
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.sql.database import Database

log = logging.getLogger(__name__)


async def adopt_live_runs(settings: Settings, db: Database, supervisor: Supervisor) -> list[str]:
    """Ids of the runs that were taken over."""
    # An adopted run has no guardian; whether it is followed on is the matter of `Adoptions`.
    live = [run for run in await db.read(runs.list_live) if run.source is None]
    for run in live:
        await _adopt(settings, db, supervisor, run)
    return [run.id for run in live]


async def _adopt(settings: Settings, db: Database, supervisor: Supervisor, run: Run) -> None:
    row = await db.read(lambda conn: attempts.find(conn, run.id, run.attempt))
    if row is None:
        row = Attempt(run.id, run.attempt, run.updated_at)
    attempt = AttemptFolder(RunFolder(settings.home_path, run.id).path, run.attempt)
    rebooted = bool(row.boot_id) and row.boot_id != boot_id()
    watched = supervisor.watch(run, attempt, row, rebooted=rebooted)
    if run.status in (RunStatus.starting, RunStatus.stopping) and not rebooted:
        was_taken = await asyncio.to_thread(attempt.was_taken)
        if not was_taken and attempt.is_prepared():
            # The lab ended between writing the order and giving it.
            await supervisor.spawn_again(watched)
