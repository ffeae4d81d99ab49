"""The context opens the database and gives folders that can be read, archived or not."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from support.contexts import add_run, messages, temporary_context

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.orchestrator.bus import CHANGED_ARTIFACTS_TOPIC, FOLDERS_TOPIC
from rl_lab.store import artifacts
from rl_lab.store.files import archive_files


def test_a_folder_that_is_not_packed_is_opened_without_a_trace(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context)
            before = await messages(context, run.id)
            folder = await context.folders.open(run.id)
            assert folder.config.is_file()
            assert await messages(context, run.id) == before

    asyncio.run(story())


def test_an_archived_folder_is_unpacked_before_it_is_returned(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context)
            folder = context.folders.find(run.id)
            archive_files.write_archive(folder, threading.Event())
            archive_files.swap_in(folder)
            archive_files.clean_up(folder)
            assert not folder.path.exists()
            changed: list[str] = []
            context.bus.listen(FOLDERS_TOPIC, changed.append)
            opened = await asyncio.gather(*(context.folders.open(run.id) for _ in range(3)))
            assert all(one.config.is_file() for one in opened)
            assert changed == [run.id]
            assert (await messages(context, run.id))[-1] == "Unpacked to be read."
            assert run.id in context.folders.unpacked_to_read

    asyncio.run(story())


def test_a_folder_that_is_being_packed_is_wanted_back(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context)
            interrupt = threading.Event()
            context.folders.packing[run.id] = interrupt
            await context.folders.open(run.id)
            assert interrupt.is_set()

    asyncio.run(story())


def test_a_commit_that_changes_artifacts_is_published(tmp_path: Path) -> None:
    async def story() -> None:
        async with temporary_context(tmp_path) as context:
            run = await add_run(context)
            seen: list[frozenset[str]] = []
            context.bus.listen(CHANGED_ARTIFACTS_TOPIC, seen.append)
            made = Artifact(
                id="a", run_id=run.id, path="a.txt", kind="file", title="A", size=1, created_at=run.created_at
            )
            await context.db.write(lambda conn: artifacts.upsert(conn, made))
            await asyncio.sleep(0)
            assert seen == [frozenset({run.id})]

    asyncio.run(story())
