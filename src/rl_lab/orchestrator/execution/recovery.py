"""Recovery at start: every run that was live is followed again, and the supervisor decides what became of it.

Lock held: the run is alive, and its journal is read from the stored position. Exit record present: the journal is
read to its end, then the end is decided. Neither: the run is lost. Nothing is killed and nothing is started twice.
"""

from __future__ import annotations

import asyncio

from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.supervisor import Supervisor
from rl_lab.orchestrator.home import boot_id
from rl_lab.store import attempts, runs
from rl_lab.store.attempts import Attempt
from rl_lab.store.files.attempt_folder import AttemptFolder


async def recover_live_runs(context: Context, supervisor: Supervisor) -> list[str]:
    """Ids of the runs that are followed again."""
    # A run adopted from another tool has no guardian; `Adoptions` decides whether to follow its folder.
    live = [run for run in await context.db.read(runs.list_live) if run.source is None]
    for run in live:
        await _recover(context, supervisor, run)
    return [run.id for run in live]


async def _recover(context: Context, supervisor: Supervisor, run: Run) -> None:
    row = await context.db.read(lambda conn: attempts.find(conn, run.id, run.attempt))
    if row is None:
        row = Attempt(run.id, run.attempt, run.updated_at)
    attempt = AttemptFolder(context.folders.find(run.id).path, run.attempt)
    rebooted = bool(row.boot_id) and row.boot_id != boot_id()
    live = supervisor.follow(run, attempt, row, rebooted=rebooted)
    if run.status in (RunStatus.starting, RunStatus.stopping) and not rebooted:
        was_taken = await asyncio.to_thread(attempt.was_taken)
        if not was_taken and attempt.is_prepared():
            # The lab was closed between writing the order and starting the guardian.
            await supervisor.spawn(live)
