"""Exact versions of the user's code that the environment of a new run is made of: its own, and custom wrappers."""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.own_environments import CUSTOM, PREFIX, WRAPPERS, is_own, own_env_id, read_own_id, slug_of
from rl_lab.core.runs import Run
from rl_lab.core.workbench.codes import CodeKind, CodeVersion, code_hash, read_code_choice
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.execution.own_code_files import own_codes_of, write_own_code
from rl_lab.orchestrator.foreign.code_consents import CodeConsents
from rl_lab.orchestrator.runs.requests import NewRun
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.workbench import codes

KIND = CodeKind.environment


class OwnCode:
    def __init__(self, context: Context) -> None:
        self._db, self._home = context.db, context.home
        self._consents = CodeConsents(context)

    async def complete(self, new: NewRun) -> NewRun:
        """`own:NAME` and wrappers without a version get that of the newest; InvalidInput for an unknown name."""
        wrappers = new.env_kwargs.get(WRAPPERS)
        changes: dict[str, Any] = {}
        if is_own(new.env_id) and read_own_id(new.env_id) is None:
            changes["env_id"] = await self._db.read(lambda conn: _newest_id(conn, new.env_id))
        if isinstance(wrappers, list):
            chosen = await self._db.read(lambda conn: [_with_version(conn, one) for one in wrappers])
            changes["env_kwargs"] = {**new.env_kwargs, WRAPPERS: chosen}
        return new.model_copy(update=changes) if changes else new

    async def require_consent(self, config: TrainConfig, given: str | None) -> None:
        """ConsentNeeded on a machine that cannot confine the environment, unless its contents are approved."""
        folders = OwnEnvironmentFolders(self._home)
        for own in own_codes_of(config.env_id, config.env_kwargs):
            source = await asyncio.to_thread(folders.read, own)
            if source is not None:
                title = f"the environment {own.slug}@v{own.version}"
                await self._consents.require(code_hash(source), title, given)

    async def place(self, run: Run) -> None:
        """A copy of the code in the folder of a new run, for packs."""
        config = run.config
        if isinstance(config, TrainConfig):
            codes = own_codes_of(config.env_id, config.env_kwargs)
            await asyncio.to_thread(write_own_code, self._home, run.id, codes)


def _newest_id(conn: Connection, env_id: str) -> str:
    found = _find(conn, env_id.removeprefix(PREFIX), "env_id")
    return own_env_id(found.name, found.version)


def _with_version(conn: Connection, wrapper: Any) -> Any:
    written = wrapper.get("code") if isinstance(wrapper, dict) else None
    if not isinstance(written, str) or wrapper.get("id") != CUSTOM:
        return wrapper
    found = _find(conn, written, f"env_kwargs.{WRAPPERS}")
    return {**wrapper, "code": f"{slug_of(found.name)}@v{found.version}"}


def _find(conn: Connection, written: str, field: str) -> CodeVersion:
    try:
        return codes.get_version(conn, KIND, read_code_choice(written, KIND))
    except NotFound as error:
        raise InvalidInput.of_field(field, f"{error.detail} {error.next_step or ''}".strip()) from None
