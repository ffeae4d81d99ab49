"""Protocols name exact versions of the code that their environment is made of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import NewCode
from rl_lab.core.workbench.protocols import NewProtocol
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.workbench.protocols import Protocols
from rl_lab.store.workbench import codes

pytestmark = pytest.mark.anyio
NO_CATALOGUE: Any = None


async def save_code(context: Context, source: str) -> None:
    new = NewCode(name="wrap", source=source)
    await context.db.write(lambda conn: codes.save(conn, CodeKind.environment, new))


def wrapped(code: str, **more: Any) -> NewProtocol:
    return NewProtocol(name="wrapped", env_kwargs={"wrappers": [{"id": "custom", "code": code}]}, **more)


async def test_a_wrapper_gets_its_version_before_contents_are_compared(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        protocols = Protocols(context, NO_CATALOGUE)
        await save_code(context, "x = 1\n")
        first = await protocols.save(wrapped("wrap"))
        assert first.env_kwargs == {"wrappers": [{"id": "custom", "code": "wrap@v1"}]}
        assert (await protocols.save(wrapped("wrap@v1"))).version == first.version
        await save_code(context, "x = 2\n")
        newer = await protocols.save(wrapped("wrap"))
    assert (newer.version, newer.env_kwargs["wrappers"][0]["code"]) == (2, "wrap@v2")


async def test_an_environment_of_ones_own_gets_its_version(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        await save_code(context, "x = 1\n")
        saved = await Protocols(context, NO_CATALOGUE).save(NewProtocol(name="own", env_id="own:wrap"))
    assert saved.env_id == "own:wrap-v1"


@pytest.mark.parametrize("code", ["nothing", "wrap@v7", "wrap@v0"])
async def test_an_unknown_wrapper_is_refused(tmp_path: Path, code: str) -> None:
    async with temporary_context(tmp_path) as context:
        await save_code(context, "x = 1\n")
        with pytest.raises(InvalidInput) as caught:
            await Protocols(context, NO_CATALOGUE).save(wrapped(code))
    assert [error.field for error in caught.value.errors] == ["env_kwargs.wrappers"]
