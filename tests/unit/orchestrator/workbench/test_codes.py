"""Saved code: what is refused before it is stored, renamed, deleted with its last version."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import MAX_CODE_BYTES, CodePatch, NewCode
from rl_lab.orchestrator.workbench.codes import Codes

GOOD = "def reward_function(obs):\n    return 1.0\n"
pytestmark = pytest.mark.anyio
REWARD = CodeKind.reward


async def ignore(_kind: CodeKind, _sha256: str) -> None:
    """Nothing was tried before."""


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("def reward_function(obs)\n    return 1\n", "Line 1: Syntax error"),
        ("x = 1", "must define reward_function"),
        ("def reward_function(obs, velocity):\n    return 1\n", "Line 1: Unknown argument “velocity”"),
        ("def reward_function(observation):\n    return 1\n", "Unknown argument"),
        ("async def reward_function(obs):\n    return 1\n", "without async"),
        (GOOD + "#" * MAX_CODE_BYTES, "at most 256 KiB"),
        (GOOD + "# \ud800", "not valid text"),
        ("(" * 10_000, "Syntax error|cannot be read"),
        ("", "must define reward_function"),
    ],
)
async def test_code_that_could_not_run_is_refused_at_its_line(
    tmp_path: Path, source: str, message: str
) -> None:
    async with temporary_context(tmp_path) as context:
        with pytest.raises(InvalidInput, match=message) as caught:
            await Codes(context, ignore).save(REWARD, NewCode(name="bad", source=source))
        assert {error.field for error in caught.value.errors} == {"source"}
        assert await Codes(context, ignore).list(REWARD) == []


async def test_unicode_survives_saving(tmp_path: Path) -> None:
    source = GOOD + "# Größe 速度 🚀\n"
    async with temporary_context(tmp_path) as context:
        saved = await Codes(context, ignore).save(REWARD, NewCode(name="size", source=source))
    assert saved.source == source


async def test_a_rename_keeps_versions_and_note(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        parts = Codes(context, ignore)
        await parts.save(REWARD, NewCode(name="one", source=GOOD))
        changed = await parts.change(REWARD, "one", CodePatch(name="two", note="why"))
        with pytest.raises(NotFound):
            await parts.get(REWARD, "one")
    assert (changed.name, changed.note, len(changed.versions)) == ("two", "why", 1)


async def test_a_name_goes_with_its_last_version(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        parts = Codes(context, ignore)
        await parts.save(REWARD, NewCode(name="one", source=GOOD))
        await parts.remove_version(REWARD, "one", 1)
        assert await parts.list(REWARD) == []
