"""Tries rewards and evaluation code before anything is trained: syntax here, the rest in a confined process."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from typing import Any

import msgspec

from rl_lab.core.errors import NotReady
from rl_lab.core.recordings import Recording
from rl_lab.core.workbench.code_kinds import FORMS, CodeKind
from rl_lab.core.workbench.codes import CodeCheck, CodeQuestion, code_hash
from rl_lab.core.workbench.reward_costs import with_cost
from rl_lab.guardian.files import Confinement, as_json
from rl_lab.orchestrator.code_consents import CodeConsents
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.orchestrator.code_syntax import find_remarks
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.workbench.evaluation_previews import read_newest
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.workbench import codes

LONGEST_S = 90.0
EPISODES = 20
"""Of each run; their first 1,000 steps are used."""
MOST_KEPT = 100


class CodeChecks:
    def __init__(self, context: Context, sources: Sources) -> None:
        self._context = context
        self._sources = sources
        self._consents = CodeConsents(context)
        self._unsaved: OrderedDict[str, CodeCheck] = OrderedDict()

    async def check(self, kind: CodeKind, asked: CodeQuestion) -> CodeCheck:
        """The result is kept with the version that has these contents, now or when they are saved."""
        remarks = await find_remarks(asked.source, kind)
        if remarks:
            return CodeCheck(is_usable=False, remarks=remarks)
        sha256 = code_hash(asked.source)
        await self._consents.require(sha256, f"this {FORMS[kind].noun}", asked.consent)
        found = await self._try(kind, asked)
        if found.calls or not found.is_usable:
            await self._keep(kind, sha256, found)
        return found

    async def note_saved(self, kind: CodeKind, sha256: str) -> None:
        """Contents were saved that may have been tried before."""
        found = self._unsaved.pop(f"{kind}:{sha256}", None)
        if found is not None:
            await self._keep(kind, sha256, found)

    async def _try(self, kind: CodeKind, asked: CodeQuestion) -> CodeCheck:
        settings = self._context.settings
        rights = await asyncio.to_thread(code_rights, settings)
        question: dict[str, Any] = {"kind": kind, "source": asked.source, "confine": as_json(rights)}
        recordings, confine = await self._recordings(asked.run_ids)
        if recordings:
            question["recordings"] = [msgspec.to_builtins(one) for one in recordings]
        elif asked.env_id or asked.run_ids:
            question["env_id"], confine = await self._environment(asked)
        answer = await call_worker("check_code", question, timeout_s=LONGEST_S, confine=confine)
        return with_cost(CodeCheck.model_validate(answer))

    async def _environment(self, asked: CodeQuestion) -> tuple[str, Confinement | None]:
        """For random play: the one named, else that of the first run, which has no recordings."""
        env_id = asked.env_id
        if not env_id:
            env_id = (await self._sources.get_run(asked.run_ids[0])).env_id or ""
        env_id = (await self._sources.environments.get(env_id)).id
        return env_id, await self._sources.environments.trials.rights(env_id, {})

    async def _recordings(self, run_ids: list[str]) -> tuple[list[Recording], Confinement | None]:
        """The newest episodes of the runs in turn, as far as they are of the first one's environment."""
        found: list[list[Recording]] = []
        confine = None
        for run_id in run_ids:
            await self._sources.get_run(run_id)
            read = await asyncio.to_thread(read_newest, self._context.home, run_id, EPISODES)
            if read and (not found or read[0].env_id == found[0][0].env_id):
                await self._require_replayable(read[0])
                found.append(read)
                confine = await self._sources.looking.find_rights(run_id) or confine
        return [one for turn in _in_turn(found) for one in turn], confine

    async def _require_replayable(self, recording: Recording) -> None:
        await self._sources.require_deterministic(recording)
        if (await self._sources.place(recording)).place is not None:
            raise NotReady(
                f"{recording.env_id} exists only in the Python of the script that recorded this run.",
                next_step="Choose a run of the lab's own learners, or name an environment.",
            )

    async def _keep(self, kind: CodeKind, sha256: str, found: CodeCheck) -> None:
        kept = found.model_dump(mode="json")
        is_saved = await self._context.db.write(lambda conn: codes.keep_check(conn, kind, sha256, kept))
        if not is_saved:
            self._unsaved[f"{kind}:{sha256}"] = found
            while len(self._unsaved) > MOST_KEPT:
                self._unsaved.popitem(last=False)


def _in_turn(found: list[list[Recording]]) -> list[list[Recording]]:
    """The first episode of each run, then the second of each, …"""
    longest = max((len(one) for one in found), default=0)
    return [[one[place] for one in found if place < len(one)] for place in range(longest)]
