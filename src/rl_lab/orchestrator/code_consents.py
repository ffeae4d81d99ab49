"""User code on a machine that cannot confine it: it runs there only after the user has approved these contents."""

from __future__ import annotations

import asyncio

from rl_lab.core.errors import ConsentNeeded, FieldError
from rl_lab.orchestrator.confinement_probe import probe
from rl_lab.orchestrator.context import Context
from rl_lab.store import consents


class CodeConsents:
    def __init__(self, context: Context) -> None:
        self._db = context.db

    async def are_needed(self) -> bool:
        """Whether files cannot be protected from code on this machine."""
        return not (await asyncio.to_thread(probe)).landlock

    async def require(self, sha256: str, title: str, given: str | None = None) -> None:
        """ConsentNeeded where files cannot be protected from the code, unless its contents are approved.

        `given`: the hash that the user approves with this request; it is remembered. The error names the hash to give,
        so that a client knows which of several codes it is about.
        """
        if not await self.are_needed():
            return
        if given == sha256:
            await self._db.write(lambda conn: consents.put(conn, sha256, title))
        elif not await self._db.read(lambda conn: consents.exists(conn, sha256)):
            needed = FieldError(field="consent", message=f"Approve {title} first.", allowed=[sha256])
            raise ConsentNeeded(
                f"Not isolated: this machine cannot confine {title}, so it could read and change everything that you "
                "can.",
                next_step="Read the code, then try it: the page, `rl-lab rewards check`, "
                "`rl-lab evaluation-codes check` and `rl-lab own-environments check` ask for your approval (over HTTP: "
                "`consent` with its SHA-256). Or use Linux with Landlock.",
                errors=[needed],
            )
