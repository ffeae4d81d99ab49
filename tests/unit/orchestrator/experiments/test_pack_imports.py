"""What a lab that was killed in the middle of an import has left."""

from __future__ import annotations

from pathlib import Path

import orjson
import pytest
from support.contexts import add_run, temporary_context

from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.run_ids import new_run_id
from rl_lab.orchestrator.experiments.pack_imports import MOVING, PackImports
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
