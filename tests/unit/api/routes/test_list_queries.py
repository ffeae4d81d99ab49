"""Lists ask the database the same number of times for one row and for twenty."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa
from support.contexts import CONFIG, add_run, temporary_context

from rl_lab.api.routes.evaluations import list_evaluations
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.event_log import LOG
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.dashboards.service import Dashboards
from rl_lab.orchestrator.foreign.consents import Consents
from rl_lab.orchestrator.housekeeping.service import Housekeeping
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store import artifacts, consents, events, runs

List = Callable[[Context, Run], Awaitable[Any]]


def queries_of(context: Context) -> RunQueries:
    catalogue: Any = SimpleNamespace()
    return RunQueries(context, catalogue)


async def list_runs(context: Context, parent: Run) -> Any:
    return (await queries_of(context).list_runs(limit=100)).items


async def list_evaluations_of_run(context: Context, parent: Run) -> Any:
    return await list_evaluations(parent.id, queries_of(context))


async def list_artifacts(context: Context, parent: Run) -> Any:
    return await queries_of(context).artifacts(parent.id)


async def list_events(context: Context, parent: Run) -> Any:
    return await queries_of(context).events(parent.id)


async def list_usage(context: Context, parent: Run) -> Any:
    return (await Housekeeping(context).usage.read(100, "-bytes")).runs


async def list_consents(context: Context, parent: Run) -> Any:
    return await Consents(context).list()


async def list_runs_of_a_tensorboard(context: Context, parent: Run) -> Any:
    found = (await queries_of(context).list_runs(limit=100)).items
    return await Dashboards(context).tensorboards._runs([run.id for run in found])


LISTS = [
    list_runs,
    list_evaluations_of_run,
    list_artifacts,
    list_events,
    list_usage,
    list_consents,
    list_runs_of_a_tensorboard,
]


@pytest.mark.parametrize("listed", LISTS)
def test_a_list_of_twenty_takes_as_many_statements_as_a_list_of_one(tmp_path: Path, listed: List) -> None:
    one = asyncio.run(count_statements(tmp_path / "one", listed, 1))
    twenty = asyncio.run(count_statements(tmp_path / "twenty", listed, 20))
    assert one[0] <= 3 < 20 <= twenty[0], "rows"
    assert one[1] == twenty[1], "statements"


async def count_statements(home: Path, listed: List, rows: int) -> tuple[int, int]:
    """How many rows came back, and how many statements that took."""
    async with temporary_context(home) as context:
        parent = await fill(context, rows)
        with counting(context) as statements:
            found = await listed(context, parent)
        return len(found), len(statements)


async def fill(context: Context, rows: int) -> Run:
    """A training with so many evaluations with a video each, files, events and approved scripts."""
    parent = await add_run(context)

    def work(conn: sa.Connection) -> None:
        for number in range(rows):
            evaluation = new_run(EvaluateConfig(run_id=parent.id), name="evaluation", parent_id=parent.id)
            runs.insert(conn, evaluation)
            for run_id in (parent.id, evaluation.id):
                path = f"{number}.mp4"
                video = Artifact(
                    id=artifacts.artifact_id(run_id, path),
                    run_id=run_id,
                    path=path,
                    kind="video",
                    title=path,
                    size=1,
                    created_at=parent.created_at + timedelta(seconds=number),
                )
                artifacts.upsert(conn, video)
            runs.insert(conn, new_run(CONFIG, name=f"training {number}"))
            events.append(conn, parent.id, LOG, f"event {number}")
            consents.put(conn, f"{number:064x}", f"script {number}")

    await context.db.write(work)
    return parent


@contextmanager
def counting(context: Context) -> Iterator[list[str]]:
    """Statements of the readers; a transaction's BEGIN is not one of them."""
    statements: list[str] = []

    def note(_conn: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if not statement.startswith("BEGIN"):
            statements.append(statement)

    engine = context.db._reader
    sa.event.listen(engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        sa.event.remove(engine, "before_cursor_execute", note)
