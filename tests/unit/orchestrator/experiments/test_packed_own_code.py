"""Environments that come with a pack: one code per id, each parsed once, and only what this lab does not have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import orjson
import pytest
from support.contexts import CONFIG

from rl_lab.core.errors import InvalidInput
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.reproduction.packs import RunRecord
from rl_lab.core.run_ids import new_run_id
from rl_lab.orchestrator.execution.own_code_files import OWN_CODE_FILE
from rl_lab.orchestrator.experiments import packed_own_code
from rl_lab.orchestrator.runs.creation import new_run
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders

GRID = OwnEnvironment("grid", 1)


def records(home: Path, sources: Sequence[str]) -> list[RunRecord]:
    """Unpacked runs in the same environment, each with its code."""
    found = []
    for source in sources:
        run = new_run(CONFIG, name="one").model_copy(update={"id": new_run_id()})
        folder = RunFolder(home, run.id)
        folder.create()
        folder.write_atomic(OWN_CODE_FILE, orjson.dumps({"grid-v1": source}))
        found.append(RunRecord.model_construct(run=run))
    return found


def test_runs_with_the_same_code_share_it(tmp_path: Path) -> None:
    found = packed_own_code.read_all_own_code(tmp_path, records(tmp_path, ["x = 1\n"] * 3))
    assert found == {GRID: "x = 1\n"}


def test_a_pack_with_two_codes_of_one_id_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="two of its runs have different code of own:grid-v1"):
        packed_own_code.read_all_own_code(tmp_path, records(tmp_path, ["x = 1\n", "x = 2\n"]))


def test_what_this_lab_has_is_not_new(tmp_path: Path) -> None:
    OwnEnvironmentFolders(tmp_path).write(GRID, "x = 1\n")
    other = OwnEnvironment("grid", 2)
    assert packed_own_code.find_new(tmp_path, {GRID: "x = 1\n", other: "x = 2\n"}) == {other: "x = 2\n"}
    with pytest.raises(InvalidInput, match="this lab has another environment own:grid-v1"):
        packed_own_code.find_new(tmp_path, {GRID: "x = 2\n"})


@pytest.mark.anyio
@pytest.mark.parametrize("source", ["x = (\n", "# --- file: ../x.py\n", "# --- file: other.py\n"])
async def test_damaged_code_is_refused(source: str) -> None:
    with pytest.raises(InvalidInput, match="The pack is refused: the code of own:grid-v1 cannot be used"):
        await packed_own_code.require_python({GRID: source})


@pytest.mark.anyio
async def test_each_code_is_parsed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []

    async def require_syntax(source: str, *_: Any) -> None:
        parsed.append(source)

    monkeypatch.setattr(packed_own_code, "require_syntax", require_syntax)
    await packed_own_code.require_python({GRID: "x = 1\n", GRID._replace(version=2): "x = 2\n"})
    assert parsed == ["x = 1\n", "x = 2\n"]
