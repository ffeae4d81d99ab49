"""Long code is parsed in a worker: Python's parser lets no other thread of the server run."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from support.contexts import temporary_context

from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import NewCode
from rl_lab.orchestrator import code_syntax
from rl_lab.orchestrator.workbench.codes import Codes

pytestmark = pytest.mark.anyio
SLOW = "text = f'" + "{a}" * 25_000 + "'\n"
"""75 KiB that Python parses for about half a second."""


async def ignore(_kind: CodeKind, _sha256: str) -> None:
    """Nothing was tried before."""


async def test_the_lab_goes_on_while_long_code_is_parsed(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        new = NewCode(name="slow", source=SLOW + "def reward_function(obs:\n")
        saving = asyncio.create_task(Codes(context, ignore).save(CodeKind.reward, new))
        turns = 0
        while not saving.done():
            await asyncio.sleep(0.005)
            turns += 1
        with pytest.raises(InvalidInput, match="Line 2: Syntax error"):
            await saving
    assert turns > 5, "nothing else was done meanwhile"


async def test_long_code_without_a_mistake_has_no_remarks() -> None:
    source = "# words\n" * 4000 + "def reward_function(obs):\n    return 1.0\n"
    assert await code_syntax.find_remarks(source, CodeKind.reward) == []
    files = "# --- file: environment.py\nx = 1\n# --- file: other.py\n" + "# words\n" * 4000 + "y = (\n"
    (remark,) = await code_syntax.find_remarks(files, CodeKind.environment)
    assert remark.line == 4004


async def test_code_that_takes_too_long_is_refused_with_a_clear_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(code_syntax, "LONGEST_S", 0.01)
    (remark,) = await code_syntax.find_remarks(SLOW, CodeKind.reward)
    assert remark.message.startswith("The code could not be read: it took longer than")
    assert remark.message.endswith("Make it shorter, or less nested.")
