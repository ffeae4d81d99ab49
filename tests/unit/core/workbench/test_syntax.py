"""User code is read without executing it."""

from __future__ import annotations

import pytest

from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import MAX_CODE_BYTES
from rl_lab.core.workbench.syntax import check_syntax


@pytest.mark.parametrize("source", ["-" * 9000 + "1", "not " * 3000 + "1"])
def test_code_that_is_nested_too_deeply_gets_a_reason(source: str) -> None:
    (remark,) = check_syntax(source, CodeKind.reward)
    reason = remark.message.removeprefix("The code cannot be read: ")
    assert reason != remark.message
    assert reason.strip(" .")


def test_code_that_is_too_long_is_not_parsed() -> None:
    (remark,) = check_syntax("x = (\n" + "#" * MAX_CODE_BYTES, CodeKind.reward)
    assert remark.message == "The code has 256 KiB; at most 256 KiB are accepted."
