"""A Context without a Lab: a temporary home with a SQLite database, for tests of single parts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from rl_lab.core.jobs.kinds import JobConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context, open_context
from rl_lab.orchestrator.home import make_home
from rl_lab.orchestrator.runs.creation import create_folder, new_run
from rl_lab.settings import Settings
from rl_lab.store import events, runs

CONFIG = TrainConfig(algorithm="toy", env_id="CartPole-v1", runner="fake", total_timesteps=100)


@asynccontextmanager
async def temporary_context(home: Path, **changes: Any) -> AsyncIterator[Context]:
    make_home(home)
    async with open_context(Settings(**{"home": home, "min_free_bytes": 0, **changes})) as context:
        yield context


async def add_run(
    context: Context,
    *status: RunStatus,
    name: str = "one",
    priority: int = 0,
    config: JobConfig = CONFIG,
) -> Run:
    """A run with its folder, taken through these states."""
    run = new_run(config, name=name, priority=priority)
    create_folder(context.home, run)
    run = await context.db.write(lambda conn: runs.insert(conn, run))
    for state in status:
        run = await change(context, run, state)
    return run


async def change(context: Context, run: Run, to: RunStatus) -> Run:
    changed = await context.db.write(
        lambda conn: runs.change_status(conn, run.id, expected=run.status, to=to, message="For the test.")
    )
    assert changed is not None
    return changed


async def get(context: Context, run_id: str) -> Run:
    return await context.db.read(lambda conn: runs.get(conn, run_id))


async def messages(context: Context, run_id: str) -> list[str]:
    """Of the event log, oldest first."""
    found = await context.db.read(lambda conn: events.list_page(conn, run_id))
    return [event.message for event in found]
