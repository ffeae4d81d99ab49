"""Tries user code on random play in an environment: once per contents and environment, as long as it works there."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from pydantic import ValidationError

from rl_lab.core.environments import Environment, names_module
from rl_lab.core.errors import LabError
from rl_lab.core.own_environments import executes_own_code
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeCheck, CodeRemark, code_hash
from rl_lab.guardian.files import Confinement, as_json
from rl_lab.orchestrator.answer_cache import AnswerCache
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.looking import Looking, require_confined
from rl_lab.orchestrator.shared_calls import SharedCalls
from rl_lab.orchestrator.worker_calls import call_worker

LONGEST_S = 45.0
"""Less than the command line waits for an answer."""


class CodeTrials:
    def __init__(self, context: Context, find: Callable[[str], Awaitable[Environment]]) -> None:
        """`find`: the environment with an id, if it can be made here."""
        self._settings = context.settings
        self._looking = Looking(context)
        self._find_environment = find
        self._cache = AnswerCache(context.home / "cache" / "code-trials.json")
        self._asked: SharedCalls[CodeCheck] = SharedCalls()

    async def find(self, kind: CodeKind, source: str, env_id: str, env_kwargs: dict[str, Any]) -> CodeCheck:
        """Where it cannot be tried, the check says why and does not call the code unusable.

        Only what works is remembered: code that fails is tried again, because a library may have been updated since.
        """
        try:
            environment = await self._find_environment(env_id)
        except LabError as error:
            return _not_tried(error)
        key = _key(kind, source, environment, env_kwargs)
        known = await asyncio.to_thread(self._cache.find, key)
        if known is not None:
            try:
                return CodeCheck.model_validate(known)
            except ValidationError:
                pass  # another version of the lab kept it
        question = {"kind": kind, "source": source, "env_id": environment.id, "env_kwargs": env_kwargs}
        return await self._asked.ask(key, lambda: self._try(key, question))

    async def rights(self, env_id: str, env_kwargs: dict[str, Any]) -> Confinement | None:
        """Of the process that has the environment; NotReady where it must be confined and cannot be.

        Code that the user wrote in the lab was approved on such a machine, or is not executed.
        """
        is_own = executes_own_code(env_id, env_kwargs)
        if not is_own and not names_module(env_id):
            return None
        rights = await self._looking.rights()
        if not is_own:
            require_confined(rights, env_id)
        return rights

    async def close(self) -> None:
        await self._asked.close()

    async def _try(self, key: str, question: dict[str, Any]) -> CodeCheck:
        confine_code = await asyncio.to_thread(code_rights, self._settings)
        try:
            answer = await call_worker(
                "check_code",
                {**question, "confine": as_json(confine_code)},
                timeout_s=LONGEST_S,
                confine=await self.rights(question["env_id"], question["env_kwargs"]),
            )
        except LabError as error:
            return _not_tried(error)
        found = CodeCheck.model_validate(answer)
        if found.is_usable and found.calls:
            await asyncio.to_thread(self._cache.keep, key, answer)
        return found


def _not_tried(error: LabError) -> CodeCheck:
    return CodeCheck(
        is_usable=True,
        remarks=[CodeRemark(level="info", message=f"It was not tried before the training. {error.detail}")],
    )


def _key(kind: CodeKind, source: str, environment: Environment, env_kwargs: dict[str, Any]) -> str:
    """With the environment's package, which names its version."""
    arguments = orjson.dumps(env_kwargs, option=orjson.OPT_SORT_KEYS).decode()
    return f"{kind} {code_hash(source)} {environment.id} {environment.package} {arguments}"
