"""The reward of a new training is tried before the training is created."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.contexts import CONFIG, temporary_context

from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeCheck, CodeChoice, CodeRemark, NewCode, code_hash
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.runs.estimates import Estimates
from rl_lab.orchestrator.runs.reward_checks import RewardChecks
from rl_lab.store.workbench import codes

pytestmark = pytest.mark.anyio
SOURCE = "def reward_function(reward):\n    return reward\n"
CHOICE = CodeChoice(name="same", version=1, sha256=code_hash(SOURCE))
REWARDED = CONFIG.model_copy(update={"runner": "turbo", "algorithm": "ppo", "reward": CHOICE})
WORKS = CodeCheck(is_usable=True, calls=1000, calls_per_second=1.0)
FAILS = CodeCheck(is_usable=False, remarks=[CodeRemark(line=2, message="NameError: x (step 0).")])
UNTRIED = CodeCheck(is_usable=True, remarks=[CodeRemark(level="info", message="It was not tried.")])


class Trials:
    def __init__(self, found: CodeCheck) -> None:
        self._found = found

    async def find(self, *_: Any) -> CodeCheck:
        return self._found


async def checks(context: Context, found: CodeCheck) -> RewardChecks:
    new = NewCode(name="same", source=SOURCE)
    await context.db.write(lambda conn: codes.save(conn, CodeKind.reward, new))
    trials: Any = Trials(found)
    return RewardChecks(context, trials, Estimates(context))


async def kept(context: Context) -> CodeCheck | None:
    found = await context.db.read(lambda conn: codes.get_version(conn, CodeKind.reward, CHOICE))
    return found.check


async def test_a_reward_that_fails_is_refused_at_its_field_with_the_line(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        with pytest.raises(InvalidInput, match=r"same@v1 does not work here\. Line 2: NameError") as caught:
            await (await checks(context, FAILS)).require_usable(REWARDED)
        assert await kept(context) == FAILS
    assert [error.field for error in caught.value.errors] == ["reward"]


async def test_warnings_such_as_the_cost_are_returned_and_the_check_is_kept(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        [warning] = await (await checks(context, WORKS)).require_usable(REWARDED)
        saved = await kept(context)
    assert "of this training's speed" in warning
    assert saved is not None and saved.calls == 1000


async def test_what_was_not_tried_is_not_refused_and_not_kept(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        found = await checks(context, UNTRIED)
        assert await found.require_usable(REWARDED) == []
        assert (await found.find(REWARDED)).remarks == UNTRIED.remarks
        assert await kept(context) is None


async def test_a_training_without_an_own_reward_is_not_held_up(tmp_path: Path) -> None:
    async with temporary_context(tmp_path) as context:
        assert await (await checks(context, FAILS)).require_usable(CONFIG) == []
