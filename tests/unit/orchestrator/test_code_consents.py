"""User code on a machine without Landlock: asked for once per contents."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import ConsentNeeded
from rl_lab.core.workbench.codes import code_hash
from rl_lab.guardian.confinement.probe import Available
from rl_lab.orchestrator import code_consents
from rl_lab.orchestrator.code_consents import CodeConsents

pytestmark = pytest.mark.anyio
ONE, OTHER = code_hash("one"), code_hash("other")


async def test_a_machine_that_confines_asks_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_consents, "probe", lambda: Available("linux", 7, True))
    async with temporary_context(tmp_path) as context:
        await CodeConsents(context).require(ONE, "the reward x")


async def test_approval_is_for_contents_and_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(code_consents, "probe", lambda: Available("linux"))
    async with temporary_context(tmp_path) as context:
        consents = CodeConsents(context)
        with pytest.raises(ConsentNeeded, match="Not isolated") as refused:
            await consents.require(ONE, "the reward x")
        assert [(one.field, one.allowed) for one in refused.value.errors] == [("consent", [ONE])]
        with pytest.raises(ConsentNeeded):
            await consents.require(ONE, "the reward x", OTHER)
        await consents.require(ONE, "the reward x", ONE)
        await consents.require(ONE, "the reward x")
        with pytest.raises(ConsentNeeded):
            await consents.require(OTHER, "the reward x")
