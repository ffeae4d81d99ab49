"""Saved user code: rewards, evaluation code and environments, each a name with versions. Nothing is executed here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from sqlalchemy import Connection

from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import Code, CodeChoice, CodePatch, CodeVersion, NewCode
from rl_lab.orchestrator.code_syntax import require_syntax
from rl_lab.orchestrator.context import Context
from rl_lab.store.workbench import codes


class Codes:
    def __init__(self, context: Context, on_saved: Callable[[CodeKind, str], Awaitable[None]]) -> None:
        """`on_saved` gets the kind and the hash of what was saved."""
        self._db = context.db
        self._on_saved = on_saved

    async def list(self, kind: CodeKind, env_id: str | None = None) -> list[Code]:
        """Changed last comes first; `env_id`: only what fits that environment."""
        return await self._db.read(lambda conn: codes.list_codes(conn, kind, env_id))

    async def get(self, kind: CodeKind, name: str) -> Code:
        return await self._db.read(lambda conn: codes.get(conn, kind, name))

    async def get_version(self, kind: CodeKind, choice: CodeChoice) -> CodeVersion:
        return await self._db.read(lambda conn: codes.get_version(conn, kind, choice))

    async def save(self, kind: CodeKind, new: NewCode) -> CodeVersion:
        """A new version, or the one that has the same contents; InvalidInput with the line of a syntax error."""
        await require_syntax(new.source, kind)
        saved = await self._db.write(lambda conn: codes.save(conn, kind, new))
        await self._on_saved(kind, saved.sha256)
        return await self.get_version(kind, CodeChoice(name=saved.name, version=saved.version))

    async def change(self, kind: CodeKind, name: str, patch: CodePatch) -> Code:
        return await self._db.write(lambda conn: _change(conn, kind, name, patch))

    async def remove(self, kind: CodeKind, name: str) -> Code:
        """Also code that is used: each run has a copy. Returns what it was."""
        return await self._db.write(lambda conn: _remove(conn, kind, name))

    async def remove_version(self, kind: CodeKind, name: str, version: int) -> CodeVersion:
        """With its last version the name goes, too."""
        return await self._db.write(lambda conn: _remove_version(conn, kind, name, version))


def _change(conn: Connection, kind: CodeKind, name: str, patch: CodePatch) -> Code:
    found = codes.get(conn, kind, name)
    if patch.name is not None:
        codes.rename(conn, kind, found.name, patch.name)
    fields = patch.model_dump(exclude={"name"}, exclude_none=True)
    if fields:
        codes.change(conn, kind, patch.name or found.name, **fields)
    return codes.get(conn, kind, patch.name or found.name)


def _remove(conn: Connection, kind: CodeKind, name: str) -> Code:
    found = codes.get(conn, kind, name)
    codes.remove(conn, kind, found.name)
    return found


def _remove_version(conn: Connection, kind: CodeKind, name: str, version: int) -> CodeVersion:
    found = codes.get(conn, kind, name)
    removed = codes.get_version(conn, kind, CodeChoice(name=found.name, version=version))
    codes.remove_version(conn, kind, found.name, version)
    if len(found.versions) == 1:
        codes.remove(conn, kind, found.name)
    return removed
