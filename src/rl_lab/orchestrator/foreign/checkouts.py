"""The folder with a runner's scripts and the Python that runs them: from a setting, or entered once and remembered.

The runner reads both from environment variables, so the lab sets them in its own process while it runs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.foreign.own_pythons import own_python
from rl_lab.runners.checkouts import CheckoutRunner
from rl_lab.runners.registry import find_spec, listed_runners, load_runner
from rl_lab.store.sql import meta


class Checkouts:
    def __init__(self, context: Context) -> None:
        self._settings = context.settings
        self._db = context.db
        self._before: dict[str, str | None] = {}

    async def open(self) -> None:
        """Uses the setting where one is given, else the remembered folder."""
        for runner_id, runner in _rooted():
            root = getattr(self._settings, runner.root_setting) or await self._remembered(runner_id)
            self._set(runner.root_setting, str(_absolute(root)) if root else "")
            self._set(runner.python_setting, self._python(runner_id, runner))

    def close(self) -> None:
        """Restores the variables: a lab may be opened again in the same process."""
        for name, value in self._before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        self._before = {}

    async def put(self, runner_id: str, path: str) -> None:
        """Uses this folder from now on, and after a restart unless a setting names another."""
        find_spec(runner_id)
        runner = load_runner(runner_id)
        if not isinstance(runner, CheckoutRunner):
            raise InvalidInput.of_field(
                "runner", f"The runner “{runner_id}” does not use a folder of scripts."
            )
        root = _require_absolute(path)
        await asyncio.to_thread(runner.check_root, root)
        await self._db.write(lambda conn: meta.put(conn, _key(runner_id), str(root)))
        self._set(runner.root_setting, str(root))

    async def _remembered(self, runner_id: str) -> str:
        return await self._db.read(lambda conn: meta.find(conn, _key(runner_id))) or ""

    def _python(self, runner_id: str, runner: CheckoutRunner[Any]) -> str:
        named = str(getattr(self._settings, runner.python_setting)).strip()
        if not named:
            return ""
        path = own_python(self._settings.home_path, runner_id) if named == "own" else _absolute(named)
        return str(path)

    def _set(self, setting: str, value: str) -> None:
        variable = f"RL_LAB_{setting.upper()}"
        self._before.setdefault(variable, os.environ.get(variable))
        os.environ[variable] = value


def _rooted() -> Iterator[tuple[str, CheckoutRunner[Any]]]:
    for runner_id in listed_runners():
        runner = load_runner(runner_id)
        if isinstance(runner, CheckoutRunner):
            yield runner_id, runner


def _key(runner_id: str) -> str:
    return f"root:{runner_id}"


def _require_absolute(path: str) -> Path:
    if "\0" in path or not Path(path).is_absolute():
        raise InvalidInput.of_field("path", f"“{path}” is not an absolute path; give it from the root: /…")
    return _absolute(path)


def _absolute(path: str) -> Path:
    """Symbolic links are not resolved: a virtual environment is recognised by them."""
    return Path(os.path.abspath(Path(path).expanduser()))  # noqa: PTH100
