"""Reads the file of a script as text and syntax tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from io import TextIOWrapper
from pathlib import Path
from typing import TypeVar

from rl_lab.portable.regular_files import open_regular

MAX_BYTES = 1 << 20
S = TypeVar("S")


class NotAScript(ValueError):
    """The file is not a training script: it is not Python, or it has no arguments."""


def read_source(path: Path) -> tuple[str, ast.Module]:
    """Raises NotAScript with the reason when the file cannot be parsed."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise NotAScript("it is too large to be a script")
        with open_regular(path) as file, TextIOWrapper(file, encoding="utf-8") as lines:
            text = lines.read()
        return text, ast.parse(text, filename=path.name)
    except NotAScript:
        raise
    except (OSError, ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise NotAScript(f"it cannot be read as Python ({error})") from None


def read_by_state(path: Path, read: Callable[[Path, int, int], S | str]) -> S:
    """What a cached function reads from a file with its time of change and its size: again only if one has changed.

    A str that it returns is the reason why the file is not a script: NotAScript.
    """
    try:
        state = path.stat()
    except OSError as error:
        raise NotAScript(error.strerror or str(error)) from None
    found = read(path, state.st_mtime_ns, state.st_size)
    if isinstance(found, str):
        raise NotAScript(found)
    return found
