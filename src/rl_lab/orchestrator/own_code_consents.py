"""Environments and wrappers of the user on a machine without Landlock: only approved versions are executed.

`require` asks before something starts. `list_approved` is what a process is told, which refuses every other version
when it is about to load it: so also what a recording or a checkpoint names is not executed without an approval.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from rl_lab.core.own_environments import OwnEnvironment, own_codes_of, version_name
from rl_lab.core.workbench.code_files import is_same_code
from rl_lab.core.workbench.codes import code_hash
from rl_lab.orchestrator.code_consents import CodeConsents
from rl_lab.orchestrator.context import Context
from rl_lab.store import consents
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.workbench import codes


class OwnCodeConsents:
    def __init__(self, context: Context) -> None:
        self._db = context.db
        self._folders = OwnEnvironmentFolders(context.home)
        self._consents = CodeConsents(context)

    async def require(self, env_id: str, env_kwargs: Mapping[str, Any], given: str | None = None) -> None:
        """ConsentNeeded where creating this environment executes code that is neither confined nor approved."""
        if not await self._consents.are_needed():
            return
        for own in own_codes_of(env_id, env_kwargs):
            sha256 = await self._find_hash(own)
            if sha256 is not None:
                title = f"the environment {own.slug}@v{own.version} ({self._folders.version(own)})"
                await self._consents.require(sha256, title, given)

    async def list_approved(self) -> list[str]:
        """Every version in this lab whose contents are approved, as `APPROVED_VERSIONS` names them."""
        versions = await asyncio.to_thread(self._folders.list_versions)
        hashes = {own: await self._find_hash(own) for own in versions}
        approved = {one.sha256 for one in await self._db.read(consents.list_all)}
        return [version_name(own) for own, sha256 in hashes.items() if sha256 in approved]

    async def _find_hash(self, own: OwnEnvironment) -> str | None:
        """Of its files, because they are what is executed; None for files that are missing or not text."""
        try:
            source = await asyncio.to_thread(self._folders.read, own)
        except (OSError, UnicodeDecodeError):
            return None
        if source is None:
            return None
        saved = await self._db.read(lambda conn: codes.find_own(conn, own))
        # Files that are joined again may have other empty lines than the text that was approved.
        return saved.sha256 if saved is not None and is_same_code(saved.source, source) else code_hash(source)
