"""Environments that the user wrote: saved as code, laid out as files for confined processes, tried, listed.

The files of a version are written once and stay as long as a run names them, also after the code was removed: an id
always means the same contents.
"""

from __future__ import annotations

import asyncio
from typing import Any

from sqlalchemy import Connection, select

from rl_lab.core.errors import WorkerFailed
from rl_lab.core.own_environments import OwnEnvironment, own_env_id, slug_of, version_name
from rl_lab.core.workbench.code_files import whole_line
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import (
    Code,
    CodeCheck,
    CodeQuestion,
    CodeRemark,
    CodeVersion,
    NewCode,
    code_hash,
)
from rl_lab.orchestrator.code_consents import CodeConsents
from rl_lab.orchestrator.code_syntax import find_remarks, require_syntax
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.workbench.codes import Codes
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.files.own_environment_folders import OwnEnvironmentFolders
from rl_lab.store.sql.tables import dataset_versions, runs
from rl_lab.store.workbench import codes

KIND = CodeKind.environment
TRY_S = 60.0
"""Time for a check: the line that is being executed then is shown."""
CHECK_S = 90.0
"""After this time the process is ended: the code has not let itself be interrupted."""


class OwnEnvironments:
    def __init__(self, context: Context, saved: Codes) -> None:
        self._codes = saved
        self._looking = Looking(context)
        self._db = context.db
        self._consents = CodeConsents(context)
        self._folders = OwnEnvironmentFolders(context.home)
        self._changing = context.own_code_changing

    async def open(self) -> None:
        """Writes the files of versions that a killed lab had only saved, and removes what it was writing or trying."""
        saved = await self._db.read(lambda conn: codes.list_codes(conn, KIND))
        versions = [(_own(version), version.source) for code in saved for version in code.versions]
        await asyncio.to_thread(self._folders.tidy_up, versions)

    async def save(self, new: NewCode, consent: str | None = None) -> CodeVersion:
        """A new version, tried; InvalidInput with the line of a syntax error. What does not work is saved as well."""
        await require_syntax(new.source, KIND)
        await self._consents.require(code_hash(new.source), "this environment", consent)
        saved = await self._store(new)
        if saved.check is not None and saved.check.is_usable:
            return saved  # what failed may work now: a package was installed, say
        check = await self._try(_own(saved), new.env_id, saved.source)
        kept = check.model_dump(mode="json")
        await self._db.write(lambda conn: codes.keep_version_check(conn, saved, kept))
        return saved.model_copy(update={"check": check})

    async def _store(self, new: NewCode) -> CodeVersion:
        async with self._changing:
            before = await asyncio.to_thread(self._folders.newest_number, slug_of(new.name))
            saved = await self._db.write(lambda conn: codes.save(conn, KIND, new, after=before))
            await asyncio.to_thread(self._folders.write, _own(saved), saved.source)
        return saved

    async def check(self, asked: CodeQuestion) -> CodeCheck:
        """Tries code that is not saved; a wrapper around the environment that is named."""
        source = asked.source
        remarks = await find_remarks(source, KIND)
        if remarks:
            return CodeCheck(is_usable=False, remarks=remarks)
        await self._consents.require(code_hash(source), "this environment", asked.consent)
        trial = self._folders.new_trial()
        try:
            await asyncio.to_thread(self._folders.write, trial, source)
            return await self._try(trial, asked.env_id, source)
        finally:
            await asyncio.to_thread(self._folders.remove_trial, trial)

    async def remove(self, name: str) -> Code:
        """From the list; files that a run or a dataset needs stay."""
        async with self._changing:
            gone = await self._codes.remove(KIND, name)
            for one in gone.versions:
                await self._remove_files(one)
        return gone

    async def remove_version(self, name: str, version: int) -> CodeVersion:
        async with self._changing:
            gone = await self._codes.remove_version(KIND, name, version)
            await self._remove_files(gone)
        return gone

    async def _remove_files(self, gone: CodeVersion) -> None:
        """Those of a wrapper stay: runs name it among their arguments, where it is not looked for."""
        env_id = own_env_id(gone.name, gone.version)
        if gone.check is not None and gone.check.environment is None:
            return
        if not await self._db.read(lambda conn: _is_needed(conn, env_id)):
            await asyncio.to_thread(self._folders.remove, _own(gone))

    async def _try(self, own: OwnEnvironment, wraps: str, source: str) -> CodeCheck:
        rights = await self._looking.rights()
        # Its contents are approved; the hash of code that is only tried is not that of its files.
        tried = version_name(own)
        rights = rights._replace(approved_versions=[*rights.approved_versions, tried])
        question = {"env_id": own_env_id(*own), "wraps": wraps, "limit_s": TRY_S}
        try:
            found = await call_worker("check_own", question, timeout_s=CHECK_S, confine=rights)
        except WorkerFailed as error:
            remark = CodeRemark(message=error.detail)
            return CodeCheck(is_usable=False, remarks=[remark], isolation=rights.level)
        return _as_check(found, source, rights.level)


def _is_needed(conn: Connection, env_id: str) -> bool:
    """Runs continue in it; episodes of runs and datasets are simulated again in it."""
    found = [
        select(table.c.env_id).where(table.c.env_id == env_id).limit(1) for table in (runs, dataset_versions)
    ]
    return any(conn.execute(query).first() is not None for query in found)


def _own(version: CodeVersion) -> OwnEnvironment:
    return OwnEnvironment(slug_of(version.name), version.version)


def _as_check(found: dict[str, Any], source: str, level: str) -> CodeCheck:
    remarks = [
        CodeRemark(level=one["level"], message=one["message"], line=_line(source, one))
        for one in found["remarks"]
    ]
    return CodeCheck(
        is_usable=not any(one.level == "error" for one in remarks),
        remarks=remarks,
        calls_per_second=found.get("rate"),
        environment=found.get("environment"),
        isolation=level,
    )


def _line(source: str, remark: dict[str, Any]) -> int | None:
    file, line = remark.get("file"), remark.get("line")
    return whole_line(source, file, line) if isinstance(file, str) and isinstance(line, int) else None
