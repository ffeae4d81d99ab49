"""Shims: scripts named `python` that start one of several interpreters (pyenv, asdf).

The shim only chooses: its answer must be one of the interpreters that the lab itself finds next to it.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path

from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.foreign.confined_pythons import confined_output
from rl_lab.orchestrator.foreign.interpreter_folders import is_beneath
from rl_lab.portable.regular_files import open_regular

SHIMS = "shims"
INSTALLED = ("versions/*/bin/python*", "installs/python/*/bin/python*")
FIELD = "params.command"
QUESTION = "import sys; print(sys.executable)"


async def behind_shim(python: str, env: Mapping[str, str]) -> str:
    """The interpreter that a shim chooses, or `python` itself; InvalidInput for any other script in its place."""
    if not await asyncio.to_thread(is_script, python):
        return python
    root = Path(python).parent.parent
    known = await asyncio.to_thread(interpreters_in, root) if Path(python).parent.name == SHIMS else []
    if not known:
        raise InvalidInput.of_field(
            FIELD, f"{python} is a script that starts another program. Name the interpreter that it starts."
        )
    said = (await confined_output(python, ["-c", QUESTION], env, [str(root)])).strip()
    chosen = next((one for one in known if os.fsencode(one) == said), None)
    if chosen is None:
        raise InvalidInput.of_field(
            FIELD, f"{python} chooses no interpreter below {root}. Name one itself, e.g. {known[0]}."
        )
    return chosen


def is_script(python: str) -> bool:
    try:
        with open_regular(python) as file:
            return file.read(2) == b"#!"
    except OSError as error:
        raise InvalidInput.of_field(FIELD, f"{python} cannot be read: {error.strerror}.") from None


def interpreters_in(root: Path) -> list[str]:
    """None where the folder holds more than interpreters: a shim may read all of it."""
    if is_beneath(os.path.realpath(Path.home()), [os.path.realpath(root)]):
        return []
    found = (path for pattern in INSTALLED for path in root.glob(pattern))
    return sorted(str(path) for path in found if os.access(path, os.X_OK) and not path.is_dir())
