"""What the knobs do by themselves: archiving by age and by number, and cutting logs."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import update
from support.contexts import add_run, get, messages, temporary_context

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.runs import Run, RunStatus
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.housekeeping.auto_archive import AutoArchive
from rl_lab.orchestrator.housekeeping.log_files import LogFiles
from rl_lab.orchestrator.housekeeping.pruning import Knobs
from rl_lab.store import artifacts
from rl_lab.store.sql.tables import runs

ENDED = (RunStatus.queued, RunStatus.starting, RunStatus.succeeded)


async def pin_a_file(context: Context, run: Run) -> None:
    file = Artifact(id="pinned", run_id=run.id, path="a", kind="file", created_at=run.created_at, pinned=True)
    await context.db.write(lambda conn: artifacts.upsert(conn, file))


async def end_days_ago(context: Context, run: Run, days: int) -> None:
    at = datetime.now(UTC) - timedelta(days=days)
    await context.db.write(
        lambda conn: conn.execute(update(runs).where(runs.c.id == run.id).values(ended_at=at))
    )


def test_runs_are_archived_by_age_unless_pinned(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path, archive_after_days=30) as context:
            old, new, pinned = [await add_run(context, *ENDED) for _ in range(3)]
            for run in (old, pinned):
                await end_days_ago(context, run, 31)
            await pin_a_file(context, pinned)
            await AutoArchive(context, Knobs(context)).tend()
            found = [(await get(context, run.id)).archived for run in (old, new, pinned)]
            assert found == [True, False, False]
            assert "Archived: it ended more than 30 days ago." in await messages(context, old.id)

    asyncio.run(story())


def test_the_oldest_ended_trainings_beyond_the_limit_are_archived(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path, runs_per_algorithm=2) as context:
            waiting = await add_run(context, RunStatus.queued)
            ended = [await add_run(context, *ENDED) for _ in range(3)]
            await AutoArchive(context, Knobs(context)).tend()
            assert [(await get(context, run.id)).archived for run in ended].count(True) == 2
            assert not (await get(context, waiting.id)).archived
            assert "Archived: of TOY, only the newest 2 runs stay in the list." in await messages(
                context, ended[0].id
            )

    asyncio.run(story())


def test_nothing_is_archived_by_itself_unless_it_is_turned_on(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            old = await add_run(context, *ENDED)
            await end_days_ago(context, old, 9999)
            await AutoArchive(context, Knobs(context)).tend()
            assert not (await get(context, old.id)).archived

    asyncio.run(story())


def test_the_end_of_a_long_log_is_kept(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path, log_bytes=1 << 16) as context:
            run = await add_run(context, *ENDED)
            for attempt, name in ((1, "log.txt"), (2, "log.1.txt"), (2, "log.txt")):
                folder = context.folders.find(run.id).attempt(attempt)
                folder.mkdir(parents=True, exist_ok=True)
                lines = [f"{attempt} {name} line {n:05}\n" for n in range(2000)]
                (folder / name).write_text("".join(lines))
            logs = LogFiles(context, Knobs(context))
            await logs.cut(run.id)
            await logs.cut(run.id)
            newest = context.folders.find(run.id).attempt(2)
            assert (newest / "log.txt").read_text().count("\n") == 2000
            kept = (newest / "log.1.txt").read_text()
            assert kept.startswith("2 log.1.txt line") and kept.endswith("line 01999\n")
            assert not (context.folders.find(run.id).attempt(1) / "log.txt").exists()
            total = sum(path.stat().st_size for path in newest.iterdir())
            assert total <= 1 << 16
            assert [m for m in await messages(context, run.id) if m.startswith("Log cut")] == [
                "Log cut to its last 65.5 kB."
            ]

    asyncio.run(story())
