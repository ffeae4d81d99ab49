"""Versions of datasets whose job has ended and which are not in place yet: whoever looks for one waits for it.

The end of a job is written before its follow-up puts the version into place; a client that has seen the end may ask
for the version in between.
"""

from __future__ import annotations

import asyncio

from sqlalchemy import Connection

from rl_lab.core.datasets.operations import DatasetConfig, new_names
from rl_lab.core.errors import LabError
from rl_lab.core.runs import RunStatus
from rl_lab.orchestrator.execution.finisher import FOLLOW_UP
from rl_lab.store import runs
from rl_lab.store.sql import meta
from rl_lab.store.sql.database import Database

EVERY_S, TRIES = 0.05, 200
"""A follow-up that takes longer has failed, or is repeated when the lab starts again."""


async def wait_for_versions(db: Database, name: str | None = None) -> None:
    """Until every ended job on this dataset, or on any, has put its versions into place."""
    for _ in range(TRIES):
        if not await db.read(lambda conn: _is_one_due(conn, name)):
            return
        await asyncio.sleep(EVERY_S)


def _is_one_due(conn: Connection, name: str | None) -> bool:
    ended = [key.removeprefix(FOLLOW_UP) for key in meta.keys(conn, FOLLOW_UP)]
    return any(_makes(conn, run_id, name) for run_id in ended)


def _makes(conn: Connection, run_id: str, name: str | None) -> bool:
    try:
        run = runs.get(conn, run_id)
    except LabError:
        return False  # deleted meanwhile
    if run.status is not RunStatus.succeeded or not isinstance(run.config, DatasetConfig):
        return False
    made = {one.lower() for one in new_names(run.config.operation)}
    return bool(made) if name is None else name.lower() in made
