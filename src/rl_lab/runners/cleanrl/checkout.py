"""The user's CleanRL checkout: where it is, which scripts it has, why a folder is not a checkout."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.cleanrl.scripts import Script, read_script
from rl_lab.runners.script_text.files import NotAScript

VARIABLE = "RL_LAB_CLEANRL"
UPSTREAM = "https://github.com/vwxyzjn/cleanrl"
SCRIPTS = "cleanrl"
"""The folder of the scripts in a checkout."""
SHARED = "cleanrl_utils"
"""The folder next to it with modules that the scripts share."""
MAX_FILES = 500


class Checkout(NamedTuple):
    root: Path
    scripts: tuple[Script, ...]
    """Sorted by name; at least one."""
    skipped: tuple[str, ...]
    """Files that are not scripts, each with the reason."""


def named_root() -> str:
    """The folder set in RL_LAB_CLEANRL; "" if not set."""
    return os.environ.get(VARIABLE, "").strip()


def open_checkout(root: Path) -> Checkout:
    """Reads a checkout; raises InvalidInput with the reason if the folder is not one."""
    try:
        return _opened(root)
    except OSError as error:
        raise _refused(f"{root} cannot be read: {error.strerror}.") from None


def _opened(root: Path) -> Checkout:
    folder = root / SCRIPTS
    if not folder.is_dir():
        raise _refused(_why_no_folder(root))
    scripts: dict[str, Script] = {}
    skipped = []
    for path in _candidates(folder):
        try:
            script = read_script(path)
        except NotAScript as reason:
            skipped.append(f"{path.relative_to(root)}: {reason}")
            continue
        scripts.setdefault(script.id, script)
    if not scripts:
        raise _refused(
            f"{folder} contains no training script: no file has a dataclass “Args” or uses argparse."
        )
    return Checkout(root, tuple(scripts[id_] for id_ in sorted(scripts)), tuple(skipped))


def _candidates(folder: Path) -> list[Path]:
    """The files of the folder, and files in subfolders that have the name of their subfolder."""
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
        return f"{root} is a folder inside a checkout; use its parent, {root.parent}."
    return f"{root} is not a CleanRL checkout: it has no folder “{SCRIPTS}” with scripts."


def _refused(message: str) -> InvalidInput:
    return InvalidInput.of_field("root", message)
