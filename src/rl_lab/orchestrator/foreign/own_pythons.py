"""Pythons beside the lab's own: what they have installed, and making one for a runner that wants its own.

One the lab makes lies in `<home>/interpreters/<runner>`. Until it is whole it carries a mark, so that a half-made one
is never used and is gone at the next start.
"""

from __future__ import annotations

import asyncio
import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel

from rl_lab.core.errors import InvalidInput
from rl_lab.core.runners import OwnInterpreter, RunnerSpec
from rl_lab.orchestrator.worker_calls import worker_variables

FOLDER, MARK = "interpreters", ".unfinished"
LINES_KEPT = 20
PROBE_TIMEOUT_S = 20.0
PROBE = "import importlib.util as u, json, sys; print(json.dumps([m for m in sys.argv[1:] if u.find_spec(m) is None]))"
FOR_PIP = ("PIP_", "UV_", "SSL_CERT_", "REQUESTS_CA_", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY")


class Preparation(BaseModel, frozen=True):
    """How the making of an interpreter stands."""

    state: Literal["running", "done", "failed"]
    lines: list[str] = []
    """The last lines of what venv and pip said."""
    error: str | None = None


def own_python(home: Path, runner_id: str) -> Path:
    """Where the lab makes a runner's own Python."""
    return home / FOLDER / runner_id / "bin" / "python"


def is_whole(interpreter: OwnInterpreter) -> bool:
    path = Path(interpreter.path)
    return os.access(path, os.X_OK) and not (path.parents[1] / MARK).exists()


def missing_modules(python: str, modules: Sequence[str]) -> list[str]:
    """Those this Python does not have; asked of it without importing them. All, when it does not answer."""
    path = Path(python)
    packages = sorted(path.parents[1].glob("lib/python3*/site-packages"))
    changed = tuple(_changed_at(one) for one in (path, *packages))
    return list(_asked(python, tuple(modules), changed))


@lru_cache(maxsize=64)
def _asked(python: str, modules: tuple[str, ...], _changed: tuple[int, ...]) -> tuple[str, ...]:
    try:
        done = subprocess.run(
            [python, "-I", "-c", PROBE, *modules], capture_output=True, timeout=PROBE_TIMEOUT_S, check=True
        )
        return tuple(json.loads(done.stdout))
    except (OSError, subprocess.SubprocessError, ValueError):
        return modules


def _changed_at(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


class OwnPythons:
    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._failed: dict[str, str] = {}
        self._lines: dict[str, deque[str]] = {}

    async def open(self) -> None:
        """Half-made ones of a lab that was killed go."""
        await asyncio.to_thread(self._remove_half_made)

    async def close(self) -> None:
        """What is being made is given up, and removed."""
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)

    def find(self, runner_id: str) -> Preparation | None:
        """None when nothing was asked for since the lab started."""
        task = self._tasks.get(runner_id)
        if task is None:
            return None
        lines = list(self._lines[runner_id])
        if not task.done():
            return Preparation(state="running", lines=lines)
        error = self._failed.get(runner_id)
        return Preparation(state="failed" if error else "done", lines=lines, error=error)

    def prepare(self, spec: RunnerSpec) -> Preparation:
        """Begins to make the runner's own Python; goes on in the background. Asked again meanwhile: the same one."""
        interpreter = self._require_makeable(spec)
        running = self.find(spec.id)
        if running is None or running.state != "running":
            self._failed.pop(spec.id, None)
            self._lines[spec.id] = deque(maxlen=LINES_KEPT)
            self._tasks[spec.id] = asyncio.create_task(self._make(spec.id, interpreter))
        found = self.find(spec.id)
        assert found is not None
        return found

    def _require_makeable(self, spec: RunnerSpec) -> OwnInterpreter:
        interpreter = spec.interpreter
        if interpreter is None:
            raise InvalidInput.of_field(
                "runner", f"{spec.name} runs in the lab's own Python. To give it one of its own, start the lab with "
                f"RL_LAB_{(spec.root_setting or spec.id).upper()}_PYTHON=own.",
            )  # fmt: skip
        if self._folder not in Path(interpreter.path).parents:
            packages = " ".join(f'"{one}"' for one in interpreter.packages)
            raise InvalidInput.of_field(
                "runner", f"{interpreter.path} is your own Python, so the lab changes nothing in it. "
                f"You can: {interpreter.path} -m pip install {packages}",
            )  # fmt: skip
        return interpreter

    async def _make(self, runner_id: str, interpreter: OwnInterpreter) -> None:
        folder = Path(interpreter.path).parents[1]
        try:
            await asyncio.to_thread(_begin, folder)
            await self._run(runner_id, [sys.executable, "-m", "venv", str(folder)])
            await self._run(
                runner_id,
                # Wheels only: building one would run code nobody has looked at.
                [interpreter.path, "-m", "pip", "install", "--no-input", "--disable-pip-version-check",
                 "--only-binary", ":all:", "--progress-bar", "off", *interpreter.packages],
            )  # fmt: skip
            (folder / MARK).unlink()
        except _Failed as error:
            self._failed[runner_id] = str(error)
        except OSError as error:
            self._failed[runner_id] = f"{folder} could not be written: {error.strerror}."
        finally:
            if (folder / MARK).exists():
                shutil.rmtree(folder, ignore_errors=True)

    async def _run(self, runner_id: str, argv: list[str]) -> None:
        process = await asyncio.create_subprocess_exec(
            *argv, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
            env=_pip_variables(), start_new_session=True,
        )  # fmt: skip
        assert process.stdout is not None
        lines = self._lines[runner_id]
        try:
            async for line in process.stdout:
                lines.append(line.decode("utf-8", "replace").rstrip()[:500])
            code = await process.wait()
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)
                await process.wait()
        if code != 0:
            raise _Failed(_why(argv, code, list(lines)))

    def _remove_half_made(self) -> None:
        for mark in self._folder.glob(f"*/{MARK}"):
            shutil.rmtree(mark.parent, ignore_errors=True)


class _Failed(Exception):
    pass


def _begin(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / MARK).touch()


def _why(argv: list[str], code: int, lines: list[str]) -> str:
    said = next(
        (line for line in reversed(lines) if line.upper().startswith("ERROR")), lines[-1] if lines else ""
    )
    what = (
        "pip could not install the packages"
        if "pip" in argv
        else "Python could not make a virtual environment"
    )
    words = f"{what} (exit code {code}): {said or 'it said nothing'}."
    return f"{words} Nothing is left of it; try again once that is solved."


def _pip_variables() -> dict[str, str]:
    """What a worker sees, and what pip needs to find its index; PYTHONPATH would lead it astray."""
    more = {name: value for name, value in os.environ.items() if name.upper().startswith(FOR_PIP)}
    env = {**worker_variables(), **more}
    return {name: value for name, value in env.items() if not name.startswith("PYTHON")}


def has_module(module: str) -> bool:
    """Whether the lab's own Python has it; looked for, not imported."""
    try:
        return importlib.util.find_spec(module.partition(".")[0]) is not None
    except (ImportError, ValueError):
        return False
