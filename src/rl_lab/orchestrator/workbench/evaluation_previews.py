"""Evaluation code tried on the recorded episodes of a run, by a worker that simulates them again."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import msgspec

from rl_lab.core.errors import NotFound, NotReady
from rl_lab.core.recordings import Recording
from rl_lab.core.workbench.code_kinds import CodeKind
from rl_lab.core.workbench.codes import code_hash
from rl_lab.core.workbench.evaluation_previews import EvaluationPreview, EvaluationPreviewQuestion
from rl_lab.guardian.files import as_json
from rl_lab.orchestrator.code_rights import code_rights
from rl_lab.orchestrator.code_syntax import require_syntax
from rl_lab.orchestrator.context import Context
from rl_lab.orchestrator.jobs.sources import Sources
from rl_lab.orchestrator.worker_calls import call_worker
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.telemetry import EpisodeFilter, TelemetryReader
from rl_lab.store.workbench import codes

LONGEST_S = 120.0
UNSAVED = "evaluation code"


class EvaluationPreviews:
    def __init__(self, context: Context, sources: Sources) -> None:
        self._context = context
        self._sources = sources

    async def preview(self, asked: EvaluationPreviewQuestion) -> EvaluationPreview:
        """NotReady where the episodes cannot be simulated again exactly."""
        code = await self._code(asked)
        recordings = await self._recordings(asked.run_id, asked.limit)
        question = {
            "recordings": [msgspec.to_builtins(one) for one in recordings],
            "evaluation_code": code,
            **await self._sources.rewards.find_behind(asked.run_id, asked.consent),
        }
        rights = await self._sources.looking.find_rights(asked.run_id)
        answer = await call_worker("preview_evaluation", question, timeout_s=LONGEST_S, confine=rights)
        return EvaluationPreview.model_validate(answer)

    async def _code(self, asked: EvaluationPreviewQuestion) -> dict[str, Any]:
        source, name, choice = asked.source, UNSAVED, asked.choice
        if choice is not None:
            found = await self._context.db.read(
                lambda conn: codes.get_version(conn, CodeKind.evaluation, choice)
            )
            source, name = found.source, f"{found.name}@v{found.version}"
        assert source is not None
        await require_syntax(source, CodeKind.evaluation)
        title = f"the evaluation code “{name}”"
        await self._sources.rewards.consents.require(code_hash(source), title, asked.consent)
        rights = await asyncio.to_thread(code_rights, self._context.settings)
        return {"source": source, "name": name, "confine": as_json(rights)}

    async def _recordings(self, run_id: str, limit: int) -> list[Recording]:
        run = await self._sources.get_run(run_id)
        found = await asyncio.to_thread(read_newest, self._context.home, run_id, limit)
        if not found:
            raise NotFound(
                f"“{run.name}” has no recorded episode.",
                next_step="Choose an evaluation, or a training that records its episodes.",
            )
        await self._sources.require_deterministic(found[0])
        if (await self._sources.place(found[0])).place is not None:
            raise NotReady(
                f"{found[0].env_id} exists only in the Python of the script that recorded “{run.name}”.",
                next_step="Choose a run of the lab's own learners.",
            )
        return found


def read_newest(home: Path, run_id: str, limit: int) -> list[Recording]:
    """The newest recorded episodes, in their order; those of one environment's arguments may differ from others."""
    path = RunFolder(home, run_id).telemetry
    if not path.exists():
        return []
    with TelemetryReader(path, run_id) as telemetry:
        page = telemetry.episodes(EpisodeFilter(recorded=True, role="all"), "-episode", limit, None)
        found = list(telemetry.recordings(sorted(one.episode for one in page.items)))
    return sorted((one for one in found if one.action and one.complete), key=lambda one: one.episode)
