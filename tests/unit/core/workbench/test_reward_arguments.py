"""Which arguments a reward may have, read without executing it."""

from __future__ import annotations

import pytest

from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.syntax import check_syntax


def remarks(signature: str) -> list[str]:
    found = check_syntax(f"def reward_function({signature}):\n    return 1.0\n", CodeKind.reward)
    return [remark.sentence for remark in found]


@pytest.mark.parametrize(
    "signature", ["obs, scale=2.0, reward=0.0", "obs, /, reward", "obs, *args, **kwargs", "obs, *, scale=2.0"]
)
def test_arguments_with_a_default_and_collected_ones_need_not_be_known(signature: str) -> None:
    assert remarks(signature) == []


@pytest.mark.parametrize("signature", ["obs, *, reward", "obs, *args, reward=0.0"])
def test_an_argument_that_can_only_be_passed_by_name_is_refused(signature: str) -> None:
    assert remarks(signature) == ["Line 1: Arguments after * are not supported; list “reward” before it."]
