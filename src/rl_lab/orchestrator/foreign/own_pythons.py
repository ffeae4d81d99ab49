"""Python interpreters other than the lab's: which modules they have, and making one for a runner.

One made by the lab is stored in `<home>/interpreters/<runner>`. Until it is complete it contains a marker file: an
incomplete one is never used and is removed at the next start.
"""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import OwnInterpreter, RunnerSpec
from rl_lab.orchestrator.foreign.confined_pythons import wait_for_output
from rl_lab.orchestrator.foreign.installations import (
    PIP_INSTALL,
    InstallationFailed,
    Installations,
    LogLine,
    run_command,
)
from rl_lab.orchestrator.foreign.interpreter_probe import PROGRAM
from rl_lab.orchestrator.worker_variables import worker_variables

FOLDER, MARK = "interpreters", ".unfinished"
NOT_SET: dict[str, object] = {"folder": "", "script": None, "module": None, "given": []}


def own_python(home: Path, runner_id: str) -> Path:
    """Where the lab makes a runner's own Python."""
    return home / FOLDER / runner_id / "bin" / "python"


def is_whole(interpreter: OwnInterpreter) -> bool:
    path = Path(interpreter.path)
    return os.access(path, os.X_OK) and not (path.parents[1] / MARK).exists()


def missing_modules(python: str, modules: Sequence[str]) -> list[str]:
    """Those this Python does not have, found without importing them. All of them when it does not answer."""
    path = Path(python)
    packages = sorted(path.parents[1].glob("lib/python3*/site-packages"))
    changed = tuple(_changed_at(one) for one in (path, *packages))
    return list(_ask(python, tuple(modules), changed))


@lru_cache(maxsize=64)
def _ask(python: str, modules: tuple[str, ...], _changed: tuple[int, ...]) -> tuple[str, ...]:
    asked = json.dumps({**NOT_SET, "modules": modules})
    try:
        said = wait_for_output(python, ["-I", str(PROGRAM), asked], worker_variables(), [str(PROGRAM)])
        missing = json.loads(said)["missing"]
        return tuple(name for name in modules if name in missing)
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, TypeError):
        return modules


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


class OwnPythons:
    def __init__(self, home: Path, installations: Installations) -> None:
        self._folder = home / FOLDER
        self._installations = installations

    async def open(self) -> None:
        """Removes incomplete ones of a lab that was killed."""
        await asyncio.to_thread(self._remove_incomplete)

    def prepare(self, spec: RunnerSpec) -> None:
        """Starts to make the runner's own Python in the background."""
        interpreter = self._require_makeable(spec)
        self._installations.begin(spec.id, lambda log: _make(interpreter, log))

    def _require_makeable(self, spec: RunnerSpec) -> OwnInterpreter:
        interpreter = spec.interpreter
        if interpreter is None:
            setting = f"RL_LAB_{(spec.root_setting or spec.id).upper()}_PYTHON"
            raise InvalidInput.of_field(
                "runner",
                f"{spec.name} runs in the lab's own Python. To use a separate one, start the lab with {setting}=own.",
            )
        if self._folder not in Path(interpreter.path).parents:
            packages = " ".join(f'"{one}"' for one in interpreter.packages)
            raise InvalidInput.of_field(
                "runner",
                f"{interpreter.path} is your own Python, so the lab changes nothing in it. "
                f"You can: {interpreter.path} -m pip install {packages}",
            )
        return interpreter

    def _remove_incomplete(self) -> None:
        for mark in self._folder.glob(f"*/{MARK}"):
            shutil.rmtree(mark.parent, ignore_errors=True)


async def _make(interpreter: OwnInterpreter, log: LogLine) -> None:
    folder = Path(interpreter.path).parents[1]
    try:
        await asyncio.to_thread(_begin, folder)
        await run_command([sys.executable, "-m", "venv", str(folder)], log)
        await run_command([interpreter.path, *PIP_INSTALL, *interpreter.packages], log)
        (folder / MARK).unlink()
    except InstallationFailed as error:
        raise InstallationFailed(
            f"{error} The incomplete Python was removed; solve this and try again."
        ) from None
    finally:
        if (folder / MARK).exists():
            shutil.rmtree(folder, ignore_errors=True)


def _begin(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARK).touch()
