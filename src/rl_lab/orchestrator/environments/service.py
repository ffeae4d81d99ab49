"""Environments: which there are, what each looks like, and whether it is deterministic."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping, Sequence
from typing import Any

from rl_lab.core.environments import Environment, resolve_env_id
from rl_lab.core.errors import InvalidInput
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.environments.catalogue import Catalogue
from rl_lab.orchestrator.environments.code_trials import CodeTrials
from rl_lab.orchestrator.environments.repeatability import Repeatability
from rl_lab.orchestrator.environments.shipped_thumbnails import read_shipped
from rl_lab.orchestrator.environments.thumbnails import Thumbnails
from rl_lab.orchestrator.looking import Looking
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.workbench import codes

REFRESH_S = 1.0
SMOKE_TEST_S = 180.0
ATARI_ID = re.compile(r"ALE/.+-v\d+|\w+NoFrameskip-v\d+")


class Environments:
    def __init__(self, context: Context) -> None:
        self._looking = Looking(context)
        self._db = context.db
        self.catalogue = Catalogue(context)
        self.repeatability = Repeatability(context)
        self.trials = CodeTrials(context, self.get)
        self._thumbnails = Thumbnails(context)
        self._refresh: asyncio.TimerHandle | None = None

    async def open(self) -> None:
        """Loads the catalogue a moment later: its worker would compete with the start of the lab."""
        self._refresh = asyncio.get_running_loop().call_later(REFRESH_S, self.catalogue.refresh)

    async def close(self) -> None:
        if self._refresh is not None:
            self._refresh.cancel()
        await self.repeatability.close()
        await self.trials.close()
        await self.catalogue.close()

    async def list(self) -> list[Environment]:
        """What is installed, after the environments of the user's own."""
        own = await self._db.read(lambda conn: codes.list_codes(conn, CodeKind.environment))
        checks = [one.versions[0].check for one in own if one.versions]
        entries = [check.environment for check in checks if check and check.is_usable and check.environment]
        return [*entries, *await self.catalogue.environments()]

    async def get(self, env_id: str) -> Environment:
        """An environment that can be made here, also one named by its module: `package.module:Name-v0`."""
        return find_environment(env_id, await self.catalogue.environments_for(env_id))

    async def check_repeatability(self, env_id: str) -> dict[str, Any]:
        """Whether it is deterministic bit by bit; checked once per version and kept."""
        return await self.repeatability.find(await self.get(env_id))

    async def smoke_test(self, env_id: str) -> dict[str, Any]:
        environment = await self.get(env_id)
        question = {"env_id": environment.id, "env_kwargs": {}}
        rights = await self._looking.module_rights(environment.id)
        found: dict[str, Any] = await call_worker(
            "smoke_test", question, timeout_s=SMOKE_TEST_S, confine=rights
        )
        return found

    async def thumbnail(self, env_id: str) -> bytes:
        """A JPEG, shipped with the lab or drawn here; NotFound when the environment cannot be drawn."""
        shipped = await asyncio.to_thread(read_shipped, env_id)
        return shipped or await self._thumbnails.get(await self.get(env_id))


def find_environment(env_id: str, environments: Sequence[Environment]) -> Environment:
    """The catalogue's entry, aliases followed; InvalidInput for an unknown one or one that cannot be made."""
    if not env_id:
        raise InvalidInput.of_field("env_id", "Name the environment to train on, e.g. CartPole-v1.")
    by_id = {e.id: e for e in environments}
    _refuse_missing_game(env_id, by_id)
    environment = by_id[resolve_env_id(env_id, [*by_id])]
    if environment.problem is not None:
        remedy = f" {environment.remedy}" if environment.remedy else ""
        raise InvalidInput.of_field(
            "env_id", f"{environment.id} cannot be made here: {environment.problem}{remedy}"
        )
    return environment


def _refuse_missing_game(env_id: str, by_id: Mapping[str, Environment]) -> None:
    """InvalidInput for an Atari game that is not listed because Atari is not installed: only some games are."""
    if env_id in by_id or not ATARI_ID.fullmatch(env_id):
        return
    missing = next((e for e in by_id.values() if e.family == "atari" and e.install), None)
    if missing is not None:
        raise InvalidInput.of_field(
            "env_id", f"{env_id} cannot be made here: {missing.problem} {missing.remedy}"
        )
