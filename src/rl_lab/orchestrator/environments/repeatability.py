"""Which environments are deterministic bit by bit: checked by a worker once per version, kept in the cache folder."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Any

import orjson

from rl_lab.core.environments import Environment
from rl_lab.core.errors import LabError
from rl_lab.orchestrator.worker_calls import call_worker

TRUSTED_FAMILIES = frozenset({"classic control", "toy text", "box2d", "atari", "fake"})
"""Known to be deterministic (our tests check it), so that no run of theirs waits for the check."""
CHECK_S = 180.0


class Repeatability:
    def __init__(self, home: Path) -> None:
        self._file = home / "cache" / "exactness.json"
        self._asked: dict[str, asyncio.Task[dict[str, Any]]] = {}

    async def find(self, env: Environment, env_kwargs: dict[str, Any] | None = None) -> dict[str, Any]:
        """The result of the check: `exact`, and in `note` where two plays differed. The first request takes seconds."""
        key = _key(env, env_kwargs)
        known = (await asyncio.to_thread(self._read)).get(key)
        if isinstance(known, dict):
            return known
        task = self._asked.get(key)
        if task is None or task.done():
            task = self._asked[key] = asyncio.create_task(self._ask(key, env, env_kwargs))
        return await asyncio.shield(task)

    async def expect(self, env: Environment | None, env_kwargs: dict[str, Any]) -> bool | None:
        """Whether the episodes of a run can be re-simulated, before its worker starts; None when it is unknown."""
        if env is None or env.family in TRUSTED_FAMILIES:
            return None if env is None else True
        try:
            return bool((await self.find(env, env_kwargs))["exact"])
        except LabError:
            return None

    async def close(self) -> None:
        for task in self._asked.values():
            task.cancel()
        await asyncio.gather(*self._asked.values(), return_exceptions=True)

    async def _ask(self, key: str, env: Environment, env_kwargs: dict[str, Any] | None) -> dict[str, Any]:
        question = {"env_id": env.id, "env_kwargs": env_kwargs or {}}
        found: dict[str, Any] = await call_worker("check_exactness", question, timeout_s=CHECK_S)
        await asyncio.to_thread(self._write, key, found)
        return found

    def _read(self) -> dict[str, Any]:
        try:
            known = orjson.loads(self._file.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}

    def _write(self, key: str, found: dict[str, Any]) -> None:
        with contextlib.suppress(OSError):  # a full disk costs the cache, not the answer
            aside = self._file.with_suffix(".new")
            aside.write_bytes(orjson.dumps({**self._read(), key: found}))
            aside.replace(self._file)


def _key(env: Environment, env_kwargs: dict[str, Any] | None) -> str:
    settings = orjson.dumps(env_kwargs, option=orjson.OPT_SORT_KEYS).decode() if env_kwargs else ""
    return f"{env.id} {env.package} {settings}".strip()
