"""Every promise that was once found broken has a test named after its number: b1 to b24."""

from __future__ import annotations

import ast
import re
from pathlib import Path

FOUND_BROKEN = range(1, 25)
NUMBERED = re.compile(r"test_b(\d+)_\w+")


def numbers_in(file: Path) -> set[int]:
    """The numbers of the test functions in a file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    names = [node.name for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, functions)]
    return {int(match[1]) for name in names if (match := NUMBERED.fullmatch(name))}


def test_every_broken_promise_has_a_test() -> None:
    found = set().union(*map(numbers_in, Path(__file__).parent.glob("test_*.py")))
    assert sorted(set(FOUND_BROKEN) - found) == []
