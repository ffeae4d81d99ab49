"""The reward of a training: its copy in the run's folder, and what a worker gets of it.

The copy, not the saved reward, is what a run learns from: saved code may be changed, renamed or deleted.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

from rl_lab.core.errors import LabError, NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import MAX_CODE_BYTES, CodeChoice, code_hash
from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.code_consents import CodeConsents
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.orchestrator.context import Context
from rl_lab.store import runs
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.workbench.codes import find_contents, list_users

REWARD_FILE = "reward.py"


class RewardFiles:
    def __init__(self, context: Context) -> None:
        self._db, self._home = context.db, context.home
        self._folders = context.folders
        self._settings = context.settings
        self.consents = CodeConsents(context)

    async def find_input(
        self, run_id: str, choice: CodeChoice | None, given: str | None = None
    ) -> dict[str, Any] | None:
        """`inputs["reward"]` of a job: the code of that run, its name, and what its process may use.

        `given`: the hash that the user approves with this request.
        None for a training that learns from the environment's own reward; NotReady when the copy is missing or changed.
        """
        if choice is None:
            return None
        source = await self.read(run_id, choice)
        await self.consents.require(code_hash(source), f"the reward {choice}", given)
        rights = await asyncio.to_thread(code_rights, self._settings)
        return {"source": source, "name": str(choice), "confine": as_json(rights)}

    async def find_behind(self, run_id: str, given: str | None = None) -> dict[str, Any]:
        """The input `reward` of what plays for the training that a run belongs to, and is scored by its reward.

        Empty where that is the environment's own, or its code is gone.
        """
        training = await self._db.read(lambda conn: runs.find_training(conn, run_id))
        if training is None:
            return {}
        with suppress(NotReady):
            found = await self.find_input(training.id, reward_of(training.config), given)
            return {} if found is None else {"reward": found}
        return {}

    async def read(self, run_id: str, choice: CodeChoice) -> str:
        """The code; a copy that is missing is written again if the lab still has these contents."""
        await self._folders.open(run_id)
        folder = RunFolder(self._home, run_id)
        source = await asyncio.to_thread(read_copy, folder)
        if source is None:
            source = await self.find_contents(choice)
            if source is None:
                raise _missing(folder, choice)
            await asyncio.to_thread(write_copy, folder, source)
        if choice.sha256 not in (None, code_hash(source)):
            raise _changed(folder, choice)
        return source

    async def find_contents(self, choice: CodeChoice) -> str | None:
        """The code with these contents, saved or as the copy of any run; None where the lab does not have it."""
        sha256 = choice.sha256
        if sha256 is None:
            return None
        saved = await self._db.read(lambda conn: find_contents(conn, CodeKind.reward, sha256))
        if saved is not None:
            return saved.source
        for run_id in await self._db.read(lambda conn: list_users(conn, sha256)):
            source = await self._find_in_run(run_id)
            if source is not None and code_hash(source) == sha256:
                return source
        return None

    async def _find_in_run(self, run_id: str) -> str | None:
        try:
            folder = await self._folders.open(run_id)
        except (LabError, OSError):
            return None
        return await asyncio.to_thread(read_copy, folder)


def reward_of(config: object) -> CodeChoice | None:
    """The reward of a training; None for a job."""
    return config.reward if isinstance(config, TrainConfig) else None


def read_copy(folder: RunFolder) -> str | None:
    """None when there is none, or nothing that can be code."""
    try:
        return folder.read_bytes(REWARD_FILE, MAX_CODE_BYTES + 1).decode()
    except (LabError, OSError, UnicodeDecodeError):
        return None


def write_copy(folder: RunFolder, source: str) -> None:
    folder.write_atomic(REWARD_FILE, source.encode())


def _missing(folder: RunFolder, choice: CodeChoice) -> NotReady:
    return NotReady(
        f"The reward {choice} of this run is missing: {folder.path / REWARD_FILE} is not there, and no reward with "
        "these contents is saved.",
        next_step="Put the file back, or save its code again with `rl-lab rewards save FILE`.",
    )


def _changed(folder: RunFolder, choice: CodeChoice) -> NotReady:
    return NotReady(
        f"{folder.path / REWARD_FILE} was changed: it is not the reward {choice} that this run learns from.",
        next_step="Put the old contents back; for a run with the new ones: `rl-lab train … --reward FILE`.",
    )
