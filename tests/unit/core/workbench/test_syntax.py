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
    assert remark.message == "The code has 257 KiB; at most 256 KiB are accepted."


GOOD = "def reward_function(obs):\n    größe = 1.0  # 速度 🚀\n    return {'\u202eabc': größe}\n"


@pytest.mark.parametrize("source", [GOOD, GOOD.replace("\n", "\r\n"), GOOD.replace("    ", "\t")])
def test_names_texts_line_ends_and_tabs_of_any_kind_are_accepted(source: str) -> None:
    assert check_syntax(source, CodeKind.reward) == []


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ("\0", "NUL"),
        ("\ud800", r"'\ud800'"),
        ("\ufeff", "U+FEFF"),
        ("\u00a0", "U+00A0"),
        ("🚀 = 1", "U+1F680"),
        ("if 1:\n\tx = 1\n        y = 2", "inconsistent use of tabs"),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_characters_that_python_refuses_are_named_at_their_line(wrong: str, words: str, end: str) -> None:
    before = f"text = '\u2028\x0c'{end}"
    (remark,) = check_syntax(f"{before}{wrong}{end}{GOOD}", CodeKind.reward)
    assert remark.line == (4 if "tabs" in words else 2)
    assert words in remark.message
