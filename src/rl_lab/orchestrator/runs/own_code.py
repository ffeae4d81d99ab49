"""Exact versions of the user's code that the environment of a new run is made of: its own, and custom wrappers."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import (
    CUSTOM,
    PREFIX,
    WRAPPERS,
    is_own,
    own_codes_of,
    own_env_id,
    read_own_id,
    slug_of,
)
from rl_lab.core.runs import Run
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeVersion, read_code_choice
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.own_code_files import write_own_code
from rl_lab.orchestrator.own_code_consents import OwnCodeConsents
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store.workbench import codes

KIND = CodeKind.environment
NO_WRAPPER = (
    "The wrapper “{}” is not saved in this lab. Leave it out, or save its code again and choose that. "
)


class OwnCode:
    def __init__(self, context: Context) -> None:
        self._db, self._home = context.db, context.home
        self._consents = OwnCodeConsents(context)

    async def complete(self, new: NewRun) -> NewRun:
        """`own:NAME` and wrappers without a version get that of the newest; InvalidInput for an unknown name."""
        changes = await self._db.read(lambda conn: find_versions(conn, new.env_id, new.env_kwargs))
        return new.model_copy(update=changes) if changes else new

    async def require_consent(self, config: TrainConfig | NewRun, given: str | None) -> None:
        """ConsentNeeded on a machine that cannot confine the environment, unless its contents are approved."""
        await self._consents.require(config.env_id, config.env_kwargs, given)

    async def place(self, run: Run) -> None:
        """A copy of the code in the folder of a new run, for packs."""
        config = run.config
        if isinstance(config, TrainConfig):
            executed = own_codes_of(config.env_id, config.env_kwargs)
            await asyncio.to_thread(write_own_code, self._home, run.id, executed)


def find_versions(conn: Connection, env_id: str, env_kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """`env_id` and `env_kwargs` with exact versions, as far as they name code of the user; InvalidInput."""
    found: dict[str, Any] = {}
    if is_own(env_id) and read_own_id(env_id) is None:
        newest = _find(conn, env_id.removeprefix(PREFIX), "env_id")
        found["env_id"] = own_env_id(newest.name, newest.version)
    wrappers = env_kwargs.get(WRAPPERS)
    if isinstance(wrappers, list):
        found["env_kwargs"] = {**env_kwargs, WRAPPERS: [_with_version(conn, one) for one in wrappers]}
    return found


def _with_version(conn: Connection, wrapper: Any) -> Any:
    written = wrapper.get("code") if isinstance(wrapper, dict) else None
    if not isinstance(written, str) or wrapper.get("id") != CUSTOM:
        return wrapper
    found = _find(conn, written, f"env_kwargs.{WRAPPERS}", NO_WRAPPER.format(written))
    return {**wrapper, "code": f"{slug_of(found.name)}@v{found.version}"}


def _find(conn: Connection, written: str, field: str, intro: str = "") -> CodeVersion:
    try:
        return codes.get_version(conn, KIND, read_code_choice(written, KIND, field))
    except NotFound as error:
        raise InvalidInput.of_field(field, f"{intro}{error.detail} {error.next_step or ''}".strip()) from None
