"""The interpreter that `uv run` and `poetry run` would use, found without starting the user's program."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.foreign import ForeignParams

FIELD = "params.command"
ASK_S = 20.0
QUESTIONS = {"uv": ["uv", "python", "find"], "poetry": ["poetry", "env", "info", "--executable"]}
"""What each tool is asked when the project has no environment of its own in its folder."""


def is_project_run(words: list[str]) -> bool:
    return len(words) > 1 and Path(words[0]).name in QUESTIONS and words[1] == "run"


def unwrap(words: list[str], params: ForeignParams) -> list[str]:
    """`uv run python train.py` as the interpreter it would use and the rest; InvalidInput when there is none."""
    tool, rest = Path(words[0]).name, words[2:]
    if not rest or rest[0].startswith("-"):
        raise InvalidInput.of_field(
            FIELD,
            f"`{tool} run` must be followed by python or a script here, without options of {tool}; "
            "or name the interpreter, e.g. .venv/bin/python train.py.",
        )
    is_python = Path(rest[0]).name.startswith("python")
    return [find_project_python(tool, params), *(rest[1:] if is_python else rest)]


def find_project_python(tool: str, params: ForeignParams) -> str:
    folder = Path(params.folder) if params.folder else Path.cwd()
    for environment in _environments(tool, folder):
        for name in ("bin/python", "bin/python3"):
            if (environment / name).is_file():
                return str(environment / name)
    found = _ask(tool, folder)
    if found is None:
        raise InvalidInput.of_field(
            FIELD,
            f"The interpreter of `{tool} run` in {folder} was not found: there is no .venv, and {tool} names none. "
            f"Create it (`{tool} {'sync' if tool == 'uv' else 'install'}`), or name the interpreter yourself.",
        )
    return found


def _environments(tool: str, folder: Path) -> list[Path]:
    """Folders of virtual environments, in the order in which the tool prefers them."""
    roots = [one for one in (folder, *folder.parents) if (one / "pyproject.toml").is_file()]
    root = roots[0] if roots else folder
    named = os.environ.get("UV_PROJECT_ENVIRONMENT", "") if tool == "uv" else ""
    return [*([root / named] if named else []), root / ".venv"]


def _ask(tool: str, folder: Path) -> str | None:
    program = shutil.which(tool)
    if program is None:
        return None
    words = [program, *QUESTIONS[tool][1:]]
    try:
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=ASK_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = done.stdout.strip().splitlines()[-1:] if done.returncode == 0 else []
    return found[0] if found and Path(found[0]).is_file() else None
