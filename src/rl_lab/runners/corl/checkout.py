"""The user's CORL checkout: where it is, which scripts it offers, why a folder is not a checkout."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NamedTuple

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.corl.scripts import CorlScript, read_script
from rl_lab.runners.script_text.files import NotAScript

VARIABLE = "RL_LAB_CORL"
UPSTREAM = "https://github.com/tinkoff-ai/CORL"
ALGORITHMS = "algorithms"
OFFLINE = "offline"
"""Folder of the scripts in a newer checkout; in the first versions they were in `algorithms` itself."""
FINETUNE = "finetune"
MAX_FILES = 200


class CorlCheckout(NamedTuple):
    root: Path
    scripts: tuple[CorlScript, ...]
    """Sorted by name; at least one."""
    skipped: tuple[str, ...]
    """Files that are not offered, each with the reason."""


def named_root() -> str:
    """The folder set in RL_LAB_CORL; "" if not set."""
    return os.environ.get(VARIABLE, "").strip()


def open_checkout(root: Path) -> CorlCheckout:
    """Reads a checkout; raises InvalidInput with the reason if the folder is not one."""
    try:
        return _opened(root)
    except OSError as error:
        raise _refused(f"{root} cannot be read: {error.strerror}.") from None


def _opened(root: Path) -> CorlCheckout:
    if not (root / ALGORITHMS).is_dir():
        raise _refused(_why_no_folder(root))
    inner = root / ALGORITHMS / OFFLINE
    folder = inner if inner.is_dir() else root / ALGORITHMS
    scripts: dict[str, CorlScript] = {}
    skipped = []
    for path in sorted(folder.glob("*.py"))[:MAX_FILES]:
        if path.name == "__init__.py":
            continue
        try:
            script = read_script(path)
        except NotAScript as reason:
            skipped.append(f"{path.relative_to(root)}: {reason}")
            continue
        scripts.setdefault(script.id, script)
    if not scripts:
        raise _refused(
            f"{folder} contains no script of CORL: no file has a dataclass that `pyrallis.wrap` fills and learns "
            "from a dataset of d4rl."
        )
    if any((root / ALGORITHMS / FINETUNE).glob("*.py")):
        skipped.append(f"{ALGORITHMS}/{FINETUNE}: these scripts go on to train in the environment")
    return CorlCheckout(root, tuple(scripts[id_] for id_ in sorted(scripts)), tuple(skipped))


def _why_no_folder(root: Path) -> str:
    if not root.exists():
        return f"There is no folder {root}."
    if not root.is_dir():
        return f"{root} is a file, not a folder."
    around = next((one for one in root.parents if (one / ALGORITHMS).is_dir()), None)
    if around is not None and ALGORITHMS in root.parts:
        return f"{root} is a folder inside a checkout; use {around}."
    return f"{root} is not a CORL checkout: it has no folder “{ALGORITHMS}” with scripts."


def _refused(message: str) -> InvalidInput:
    return InvalidInput.of_field("root", message)
