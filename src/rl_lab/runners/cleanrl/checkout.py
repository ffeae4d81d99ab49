"""The user's CleanRL checkout: where it is, which scripts it has, why a folder is none."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.cleanrl.scripts import NotAScript, Script, read_script

VARIABLE = "RL_LAB_CLEANRL"
UPSTREAM = "https://github.com/vwxyzjn/cleanrl"
SCRIPTS = "cleanrl"
"""The folder in a checkout that holds its scripts."""
SHARED = "cleanrl_utils"
"""The folder beside it with what scripts share."""
MAX_FILES = 500


class Checkout(NamedTuple):
    root: Path
    scripts: tuple[Script, ...]
    """By name; at least one."""
    passed_over: tuple[str, ...]
    """Files that are no scripts, each with the reason."""


def named_root() -> str:
    """The folder this process was told; "" when it was told none."""
    return os.environ.get(VARIABLE, "").strip()


def open_checkout(root: Path) -> Checkout:
    """InvalidInput, in words, when this folder is not a checkout."""
    try:
        return _opened(root)
    except OSError as error:
        raise _refused(f"{root} cannot be read: {error.strerror}.") from None


def _opened(root: Path) -> Checkout:
    folder = root / SCRIPTS
    if not folder.is_dir():
        raise _refused(_why_no_folder(root))
    scripts: dict[str, Script] = {}
    passed_over = []
    for path in _candidates(folder):
        try:
            script = read_script(path)
        except NotAScript as reason:
            passed_over.append(f"{path.relative_to(root)}: {reason}")
            continue
        scripts.setdefault(script.id, script)
    if not scripts:
        raise _refused(f"No file in {folder} is a script with arguments (a dataclass “Args” or argparse).")
    return Checkout(root, tuple(scripts[id_] for id_ in sorted(scripts)), tuple(passed_over))


def _candidates(folder: Path) -> list[Path]:
    """Its files, and those in subfolders that are called like their folder."""
    paths = []
    for path in sorted(folder.iterdir())[:MAX_FILES]:
        inner = path / f"{path.name}.py"
        if path.suffix == ".py" and path.name != "__init__.py":
            paths.append(path)
        elif path.is_dir() and inner.is_file():
            paths.append(inner)
    return paths


def _why_no_folder(root: Path) -> str:
    if not root.exists():
        return f"There is no folder {root}."
    if not root.is_dir():
        return f"{root} is a file, not a folder."
    if root.name == SCRIPTS and any(root.glob("*.py")):
        return f"{root} is the folder inside a checkout; name the one above it, {root.parent}."
    return f"{root} is not a CleanRL checkout: it has no folder “{SCRIPTS}” with scripts."


def _refused(words: str) -> InvalidInput:
    return InvalidInput.of_field("root", words)
