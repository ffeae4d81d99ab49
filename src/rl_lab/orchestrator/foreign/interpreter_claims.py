"""Claims of an interpreter about itself: checked field by field, since foreign code in it may have written them.

A path is accepted only if it exists and can be printed; which of them are opened is decided elsewhere.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.foreign.interpreter_folders import SHARED_PARTS, user_bases

OLDEST = (3, 10)
FIELD = "params.command"
MAX_PATH, MAX_PATHS = 4096, 500
MAX_NAME, MAX_NAMES = 200, 3000
MAX_SENTENCE = 300


class Claims(NamedTuple):
    version: str
    path: list[str]
    """Its sys.path and prefixes."""
    places: list[str]
    """All it would import from: `path`, editable installs, the user's own packages."""
    missing: list[str]
    mentioned: list[str]
    problem: str | None
    file: str | None
    user_base: str | None


def read_claims(python: str, out: bytes, env: Mapping[str, str]) -> Claims:
    """InvalidInput when it does not answer, or is too old."""
    said = _object(python, out)
    version = _version(python, said.get("version"))
    path = [*_places(said.get("path")), *_places(said.get("prefixes"))]
    editable = _places(said.get("places"))
    # It only says which of the possible folders it uses.
    bases = user_bases(env.get("PYTHONUSERBASE"), version)
    base = next((one for one in bases if str(one) == said.get("user_base") and one.is_dir()), None)
    # Of ~/.local only the folders of Python: next to them are the keys and tokens of other programs.
    of_user = [base / name for name in SHARED_PARTS] if base else []
    file, problem = said.get("file"), said.get("problem")
    return Claims(
        version=version,
        path=path,
        places=[*path, *editable, *(str(one) for one in of_user if one.is_dir())],
        missing=_names(said.get("missing")),
        mentioned=_names(said.get("mentioned")),
        problem=_sentence(problem) if isinstance(problem, str) else None,
        file=os.path.normpath(file) if is_python_file(file) else None,
        user_base=str(base) if base else None,
    )


def _places(said: object) -> list[str]:
    return [os.path.normpath(one) for one in _texts(said, MAX_PATHS, MAX_PATH) if is_place(one)]


def is_place(path: str) -> bool:
    """Whether it is the absolute path of an existing folder or regular file, and can be shown."""
    if len(path) > MAX_PATH or not path.isprintable() or path[:1] != "/":
        return False
    try:
        mode = Path(path).stat().st_mode
    except (OSError, ValueError):
        return False
    return stat.S_ISDIR(mode) or stat.S_ISREG(mode)


def is_python_file(said: object) -> TypeGuard[str]:
    return isinstance(said, str) and said.endswith(".py") and is_place(said)


def _object(python: str, out: bytes) -> dict[str, Any]:
    wanted = ".".join(map(str, OLDEST))
    try:
        said = json.loads(out)
    except (ValueError, RecursionError):
        said = None
    if not isinstance(said, dict):
        raise _wrong(
            f"{python} does not answer like a Python of version {wanted} or newer. It may read only the system, its "
            "own folder and the script's; name the interpreter itself, not a program that starts it."
        )
    if "trouble" in said:
        raise _wrong(f"{python} cannot be started: {_sentence(str(said['trouble']))}.")
    return said


def _version(python: str, said: object) -> str:
    wanted = ".".join(map(str, OLDEST))
    numbers = said if isinstance(said, list) else []
    if len(numbers) != 3 or not all(type(n) is int and 0 <= n < 1000 for n in numbers):
        raise _wrong(f"{python} does not answer like a Python of version {wanted} or newer.")
    version = ".".join(map(str, numbers))
    if tuple(numbers) < OLDEST:
        raise _wrong(f"{python} is Python {version}; scripts need {wanted} or newer.")
    return version


def _texts(said: object, most: int, longest: int) -> list[str]:
    entries = said if isinstance(said, list) else []
    return [one for one in entries[:most] if isinstance(one, str) and len(one) <= longest]


def _names(said: object) -> list[str]:
    return [one for one in _texts(said, MAX_NAMES, MAX_NAME) if one.isidentifier()]


def _sentence(text: str) -> str:
    shown = "".join(letter if letter.isprintable() else " " for letter in text[:MAX_SENTENCE])
    return shown if len(text) <= MAX_SENTENCE else shown + "…"


def _wrong(message: str) -> InvalidInput:
    return InvalidInput.of_field(FIELD, message)
