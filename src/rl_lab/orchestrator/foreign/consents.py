"""Consents: which scripts and programs the user approved; a change of what an approval covers asks again."""

from __future__ import annotations

from sqlalchemy import Connection

from rl_lab.core.commands import Consent
from rl_lab.core.errors import ConsentNeeded
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.foreign.agreements import changes_between
from rl_lab.orchestrator.foreign.commands import Resolved
from rl_lab.store import consents


class Consents:
    def __init__(self, context: Context) -> None:
        self._db = context.db

    async def require(self, found: Resolved, given: str | None = None) -> None:
        """ConsentNeeded unless this version of the file is approved; an approval given here is remembered."""
        if given == found.sha256:
            await self._db.write(lambda conn: _remember(conn, found))
        elif given is not None:
            raise ConsentNeeded(
                f"{found.title} has changed since it was shown, so the approval does not apply to it.",
                next_step="Look at the command again and approve its current version.",
            )
        elif not await self._db.read(lambda conn: consents.exists(conn, found.sha256)):
            before = await self._db.read(lambda conn: consents.find_parts(conn, found.title))
            changes = changes_between(before, found.agreement, found.title) if before else []
            raise ConsentNeeded(
                " ".join([f"{found.title} has not been approved in its current version.", *changes]),
                next_step="Ask for the command (`rl-lab run`, POST /api/commands/preview) and approve its hash.",
            )

    async def list(self) -> list[Consent]:
        return await self._db.read(consents.list_all)

    async def withdraw(self, sha256: str) -> None:
        await self._db.write(lambda conn: consents.drop(conn, sha256))


def _remember(conn: Connection, found: Resolved) -> None:
    consents.put(conn, found.sha256, found.title)
    consents.remember_parts(conn, found.title, found.agreement.parts)
