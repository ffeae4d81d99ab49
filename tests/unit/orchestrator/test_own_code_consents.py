"""Which versions of own code a machine without Landlock may execute: those whose files are approved, by their text."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import ConsentNeeded
from rl_lab.core.own_environments import OwnEnvironment
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import NewCode, code_hash
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import code_consents
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.own_code_consents import OwnCodeConsents
from rl_lab.store import consents
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.workbench import codes

pytestmark = pytest.mark.anyio
GRID, CODE, OTHER = OwnEnvironment("grid", 1), "x = 1\n", "x = 2\n"


@pytest.fixture
async def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Context]:
    """Of a lab that has approved CODE."""
    monkeypatch.setattr(code_consents, "probe", lambda: Available("linux"))
    async with temporary_context(tmp_path) as context:
        await context.db.write(lambda conn: consents.put(conn, code_hash(CODE), "for the test"))
        yield context


async def save(context: Context, source: str) -> None:
    new = NewCode(name="grid", source=source)
    await context.db.write(lambda conn: codes.save(conn, CodeKind.environment, new))


async def test_files_that_are_removed_or_not_readable_are_not_approved(context: Context) -> None:
    folders = OwnEnvironmentFolders(context.home)
    folders.write(GRID, CODE)
    folders.write(folders.new_trial(), CODE)
    for name, data in (("odd", b"\xff\xfe"), ("gone", None)):
        folders.write(OwnEnvironment(name, 1), CODE)
        file = folders.version(OwnEnvironment(name, 1)) / "environment.py"
        file.unlink()
        if data is None:
            file.symlink_to(file.with_name("missing"))  # as when it is removed while it is read
        else:
            file.write_bytes(data)
    assert await OwnCodeConsents(context).list_approved() == ["grid-v1"]


async def test_an_approval_counts_for_the_files_and_not_for_the_text_that_was_saved(context: Context) -> None:
    """A pack may have written its own code under this number a moment earlier."""
    OwnEnvironmentFolders(context.home).write(GRID, OTHER)
    await save(context, CODE)
    own = OwnCodeConsents(context)
    assert await own.list_approved() == []
    with pytest.raises(ConsentNeeded) as refused:
        await own.require("own:grid-v1", {})
    assert refused.value.errors is not None and refused.value.errors[0].allowed == [code_hash(OTHER)]


async def test_an_approved_text_counts_for_its_files(context: Context) -> None:
    source = "# --- file: environment.py\nx = 1\n\n\n# --- file: other.py\ny = 1\n"
    OwnEnvironmentFolders(context.home).write(GRID, source)
    await save(context, source)
    own = OwnCodeConsents(context)
    await own.require("own:grid-v1", {}, code_hash(source))
    assert await own.list_approved() == ["grid-v1"]


async def test_nothing_is_read_where_files_are_protected(
    context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_consents, "probe", lambda: Available("linux", 7, True))
    monkeypatch.setattr(OwnEnvironmentFolders, "read", lambda *_: pytest.fail("its code was read"))
    OwnEnvironmentFolders(context.home).write(GRID, CODE)
    await OwnCodeConsents(context).require("own:grid-v1", {})
