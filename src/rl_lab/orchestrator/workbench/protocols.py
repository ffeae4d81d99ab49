"""Evaluation protocols: saved under a name, each version with fixed contents and exact code."""

from __future__ import annotations

from rl_lab.core.environments import ALIASES, names_module
from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import CodeChoice
from rl_lab.core.workbench.protocols import NewProtocol, ProtocolVersion, SavedProtocol
from rl_lab.core.wrappers import read_wrappers
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.runs.own_code import find_versions
from rl_lab.store.workbench import codes, protocols


class Protocols:
    def __init__(self, context: Context, catalogue: Catalogue) -> None:
        self._db = context.db
        self._catalogue = catalogue

    async def list(self) -> list[SavedProtocol]:
        """Changed last comes first; those of the lab itself come last."""
        return await self._db.read(protocols.list_protocols)

    async def get(self, name: str) -> SavedProtocol:
        return await self._db.read(lambda conn: protocols.get(conn, name))

    async def save(self, new: NewProtocol) -> ProtocolVersion:
        """A new version, or the one that has the same contents."""
        read_wrappers(new.env_kwargs)
        new = new.model_copy(update={"env_id": await self._find_id(new.env_id)})
        versions = await self._db.read(lambda conn: find_versions(conn, new.env_id, new.env_kwargs))
        exact = await self._with_code(new.model_copy(update=versions))
        return await self._db.write(lambda conn: protocols.save(conn, exact))

    async def remove(self, name: str) -> SavedProtocol:
        """Returns what it was. Evaluations that were made with it keep what it said."""
        found = await self.get(name)
        if found.is_built_in:
            raise InvalidInput.of_field("name", f"“{found.name}” is part of the lab and cannot be deleted.")
        await self._db.write(lambda conn: protocols.remove(conn, found.name))
        return found

    async def _with_code(self, new: NewProtocol) -> NewProtocol:
        choice = new.code
        if choice is None:
            return new
        found = await self._db.read(lambda conn: codes.get_version(conn, CodeKind.evaluation, choice))
        exact = CodeChoice(name=found.name, version=found.version, sha256=found.sha256)
        return new.model_copy(update={"code": exact})

    async def _find_id(self, env_id: str) -> str:
        """The current one of an outdated id. An id that names a module is not looked up: that would import it."""
        if not env_id or names_module(env_id):
            return env_id
        for one in (env_id, ALIASES.get(env_id, "")):
            if one and await self._catalogue.environment(one) is not None:
                return one
        raise InvalidInput.of_field("env_id", f"There is no environment “{env_id}”.")
