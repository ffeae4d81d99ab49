"""The Catalogue: every environment that can be made here, listed by a worker once and kept in the cache folder."""

from __future__ import annotations

import asyncio
import hashlib
import os
import platform
import re
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson
from pydantic import TypeAdapter, ValidationError

from rl_lab.core.environments import ALIASES, Environment
from rl_lab.core.errors import ConsentNeeded, InvalidInput, WorkerFailed
from rl_lab.core.own_environments import read_own_id
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.own_code_consents import OwnCodeConsents
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders

_environments = TypeAdapter(list[Environment])
MODULE_ID = re.compile(r"[A-Za-z_][\w.]{0,199}:[\w./-]{1,199}")
"""Gymnasium imports the module before the colon, which registers the environment after it."""
FORMAT = "2"
"""Of the cached list; a list in another one is read anew."""
VERSIONED_ID = re.compile(r"[\w./-]{1,199}-v\d{1,4}")


class Catalogue:
    """`refresh` runs in the background at start; the first request waits for it."""

    def __init__(self, context: Context) -> None:
        self._looking = Looking(context)
        self._consents = OwnCodeConsents(context)
        self._own = OwnEnvironmentFolders(context.home)
        self._file = context.home / "cache" / "environments.json"
        self._described: dict[str, Environment] = {}
        self._asked: asyncio.Task[list[Environment]] | None = None
        self._probed: asyncio.Task[dict[str, Any]] | None = None

    async def environments(self) -> list[Environment]:
        if self._asked is None or _has_failed(self._asked):
            self._asked = asyncio.create_task(self._load())
        return await asyncio.shield(self._asked)

    async def environment(self, env_id: str) -> Environment | None:
        try:
            return next((e for e in await self.environments_for(env_id) if e.id == env_id), None)
        except InvalidInput:
            return None

    async def find_approved(self, env_id: str) -> Environment | None:
        """None also for code of the user that would have to be approved first: for questions that may stay open."""
        try:
            return await self.environment(env_id)
        except ConsentNeeded:
            return None

    async def environments_for(self, env_id: str, *, unlisted: bool = False) -> list[Environment]:
        """All listed ones, and this one when it is named by its module: `package.module:Name-v0`.

        With `unlisted` also an id that Gymnasium still has and the list leaves out: an older version or spelling.
        """
        listed = await self.environments()
        if any(e.id == env_id for e in listed):
            return listed
        if MODULE_ID.fullmatch(env_id):
            return [*listed, await self._describe(env_id)]
        if unlisted and VERSIONED_ID.fullmatch(env_id) and env_id not in ALIASES:
            with suppress(InvalidInput):  # Gymnasium does not have it either
                return [*listed, await self._describe(env_id)]
        return listed

    async def _describe(self, env_id: str) -> Environment:
        own = read_own_id(env_id)
        if own is not None and not self._own.version(own).is_dir():
            message = f"There is no {env_id} in this lab. `rl-lab own-environments` lists yours."
            raise InvalidInput.of_field("env_id", message)
        await self._consents.require(env_id, {})
        if env_id not in self._described:
            rights = await self._looking.module_rights(env_id)
            try:
                described = await call_worker("environments", {"env_id": env_id}, confine=rights)
                found = _environments.validate_python(described)
            except ValidationError:
                raise InvalidInput.of_field(
                    "env_id", f"The description of {env_id} cannot be read."
                ) from None
            except WorkerFailed as error:
                raise InvalidInput.of_field("env_id", error.detail) from None
            self._described[env_id] = found[0]
        return self._described[env_id]

    async def devices(self) -> dict[str, Any]:
        """What torch sees on this machine; asked once per start."""
        if self._probed is None or _has_failed(self._probed):
            self._probed = asyncio.create_task(call_worker("probe"))
        return await asyncio.shield(self._probed)

    def refresh(self) -> None:
        """Starts to load without waiting; a failure shows at the next request."""
        if self._asked is None:
            self._asked = asyncio.create_task(self._load())

    def forget(self) -> None:
        """Asks again at the next question, because packages were installed."""
        self._described.clear()
        if self._asked is not None and self._asked.done():
            self._asked = None
        if self._probed is not None and self._probed.done():
            self._probed = None

    async def close(self) -> None:
        for task in (self._asked, self._probed):
            if task is not None:
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    async def _load(self) -> list[Environment]:
        key = await asyncio.to_thread(installed_key)
        cached = await asyncio.to_thread(self._read, key)
        if cached is not None:
            return cached
        found = _environments.validate_python(await call_worker("environments"))
        await asyncio.to_thread(self._write, key, found)
        return found

    def _read(self, key: str) -> list[Environment] | None:
        try:
            cached = orjson.loads(self._file.read_bytes())
            return _environments.validate_python(cached["environments"]) if cached["key"] == key else None
        except (OSError, ValueError, KeyError, TypeError, ValidationError):
            return None

    def _write(self, key: str, found: list[Environment]) -> None:
        aside = self._file.with_name(f".environments-{os.getpid()}.json")
        try:
            items = [e.model_dump(mode="json") for e in found]
            aside.write_bytes(orjson.dumps({"key": key, "environments": items}))
            aside.replace(self._file)
        except OSError:
            aside.unlink(missing_ok=True)  # a full disk costs the cache, not the answer


def installed_key() -> str:
    """Changes when a package is installed, removed or updated: folder names carry name and version."""
    names = {FORMAT, platform.python_version(), sys.executable}
    for entry in sys.path:
        try:
            names.update(p.name for p in Path(entry).iterdir() if p.suffix in (".dist-info", ".egg-info"))
        except OSError:
            continue
    return hashlib.sha256("\n".join(sorted(names)).encode()).hexdigest()


def _has_failed(task: asyncio.Task[Any]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
