"""An exception as one line."""

from __future__ import annotations

import pytest

from rl_lab.portable.error_text import error_text

ERRORS = {
    "one line": (ValueError("too far"), "ValueError: too far"),
    "two lines": (ValueError("shapes differ\n\n  (3,) and (4,)"), "ValueError: shapes differ (3,) and (4,)"),
    "no message": (KeyError(), "KeyError"),
    "syntax": (SyntaxError("invalid syntax", ("a.py", 1, 2, "x ==", 1, 3)), "SyntaxError: invalid syntax"),
}


@pytest.mark.parametrize("name", ERRORS)
def test_the_type_and_every_line_of_the_message_are_kept(name: str) -> None:
    error, text = ERRORS[name]
    assert error_text(error) == text
