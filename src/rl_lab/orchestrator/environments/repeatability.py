"""Which environments are deterministic bit by bit: checked by a worker once per version, kept in the cache folder."""

from __future__ import annotations

import asyncio
from typing import Any

import orjson

from rl_lab.core.environments import Environment
from rl_lab.core.errors import LabError
from rl_lab.guardian.files import Confinement
from rl_lab.orchestrator.answer_cache import AnswerCache
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.shared_calls import SharedCalls
from rl_lab.orchestrator.worker_calls import call_worker

TRUSTED_FAMILIES = frozenset({"classic control", "toy text", "box2d", "atari", "fake"})
"""Known to be deterministic (our tests check it), so that no run of theirs waits for the check."""
CHECK_S = 180.0


class Repeatability:
    def __init__(self, context: Context) -> None:
        self._looking = Looking(context)
        self._cache = AnswerCache(context.home / "cache" / "exactness.json")
        self._asked: SharedCalls[dict[str, Any]] = SharedCalls()

    async def find(
        self,
        env: Environment,
        env_kwargs: dict[str, Any] | None = None,
        rights: Confinement | None = None,
    ) -> dict[str, Any]:
        """The result of the check: `exact`, and in `note` where two plays differed. The first request takes seconds.

        `rights` is what the check may use, where foreign code has named the environment or its arguments.
        """
        key = _key(env, env_kwargs)
        known = await asyncio.to_thread(self._cache.find, key)
        if known is not None:
            return known
        if rights is None:
            rights = await self._looking.module_rights(env.id)
        # Not shared between confined checks and others: the first one decides how it is done.
        apart = "" if rights is None else "confined "
        return await self._asked.ask(apart + key, lambda: self._ask(key, env, env_kwargs, rights))

    async def expect(
        self, env: Environment | None, env_kwargs: dict[str, Any], rights: Confinement | None = None
    ) -> bool | None:
        """Whether the episodes of a run can be re-simulated, before its worker starts; None when it is unknown."""
        if env is None or env.family in TRUSTED_FAMILIES:
            return None if env is None else True
        try:
            return bool((await self.find(env, env_kwargs, rights))["exact"])
        except LabError:
            return None

    async def close(self) -> None:
        await self._asked.close()

    async def _ask(
        self, key: str, env: Environment, env_kwargs: dict[str, Any] | None, rights: Confinement | None
    ) -> dict[str, Any]:
        question = {"env_id": env.id, "env_kwargs": env_kwargs or {}}
        found: dict[str, Any] = await call_worker(
            "check_exactness", question, timeout_s=CHECK_S, confine=rights
        )
        await asyncio.to_thread(self._cache.keep, key, found)
        return found


def _key(env: Environment, env_kwargs: dict[str, Any] | None) -> str:
    settings = orjson.dumps(env_kwargs, option=orjson.OPT_SORT_KEYS).decode() if env_kwargs else ""
    return f"{env.id} {env.package} {settings}".strip()
