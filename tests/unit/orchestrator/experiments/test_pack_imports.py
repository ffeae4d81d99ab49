"""What a lab that was killed or closed in the middle of an import has left."""

from __future__ import annotations

import asyncio
import threading
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest
from sqlalchemy import Connection
from support.contexts import CONFIG, add_run, temporary_context

from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.reproduction.origins import PackOrigin
from rl_lab.core.reproduction.packs import RunRecord
from rl_lab.core.run_ids import new_run_id
from rl_lab.core.runs import Run
from rl_lab.orchestrator.experiments import pack_imports
from rl_lab.orchestrator.experiments.pack_imports import MOVING, PackImports
from rl_lab.orchestrator.experiments.unpacking import Unpacked
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.store import runs
from rl_lab.store.files.folders import RunFolder, list_run_ids
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders

pytestmark = pytest.mark.anyio
MINE, MOVED = OwnEnvironment("grid", 1), OwnEnvironment("grid", 2)


async def test_what_was_moved_and_never_listed_is_removed_and_nothing_else(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        listed, moved = (await add_run(context)).id, new_run_id()
        RunFolder(tmp_path, moved).create()
        folders = OwnEnvironmentFolders(tmp_path)
        for own in (MINE, MOVED):
            folders.write(own, "x = 1\n")
        notes = {
            "killed": {"runs": [moved], "own_code": [list(MOVED)]},
            "listed": {"runs": [listed], "own_code": [list(MINE)]},
            "repeated": {"runs": [], "own_code": [list(MINE)]},
            "odd": [moved],
        }
        for name, note in notes.items():
            (tmp_path / "packs" / name).mkdir(parents=True)
            (tmp_path / "packs" / name / MOVING).write_bytes(orjson.dumps(note))
        await PackImports(context).tidy_up(tmp_path / "packs")
        assert list_run_ids(tmp_path) == [listed]
        assert folders.list_versions() == [MINE]


async def test_an_import_that_is_being_written_when_the_lab_closes_is_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server cancels its requests when it closes; what the database thread does cannot be cancelled."""
    now = datetime.now(UTC)
    origin = PackOrigin(
        pack="a.zip", sha256="0" * 64, run_id="x", lab_version="1", packed_at=now, imported_at=now
    )
    run: Run = new_run(CONFIG, name="packed").model_copy(update={"status": "succeeded", "origin": origin})
    listed = SimpleNamespace(runs=[run], studies=[], datasets=[])
    preview: Any = SimpleNamespace(sha256="0" * 64, name="a.zip", manifest=listed, problems=[])
    is_writing, may_write = threading.Event(), threading.Event()
    insert = pack_imports._insert

    def wait_and_insert(conn: Connection, unpacked: Unpacked) -> list[Run]:
        is_writing.set()
        assert may_write.wait(60)
        return insert(conn, unpacked)

    async def unpack(imports: PackImports, folder: Path, *_: Any) -> Unpacked:
        RunFolder(folder, run.id).create()
        return Unpacked(runs=[RunRecord(run=run)], studies=[], rewards=[], own_code={})

    monkeypatch.setattr(pack_imports, "_insert", wait_and_insert)
    monkeypatch.setattr(PackImports, "_unpack", unpack)
    async with temporary_context(tmp_path) as context:
        folder = tmp_path / "packs" / "upload"
        folder.mkdir(parents=True)
        importing = asyncio.create_task(PackImports(context).take_in(folder, preview))
        assert await asyncio.to_thread(is_writing.wait, 60)
        importing.cancel()
        await asyncio.sleep(0)
        may_write.set()
        with pytest.raises(asyncio.CancelledError):
            await importing
        found = await context.db.read(lambda conn: runs.list_by_ids(conn, [run.id]))
        assert [one.id for one in found] == list_run_ids(tmp_path) == [run.id]
