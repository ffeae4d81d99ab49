"""What a finished job leaves with its training: videos, a certificate, and one line in the event log."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.evaluations import EvaluationSummary, read_result
from rl_lab.core.jobs.kinds import JobConfig, RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.models.checkpoints import Score
from rl_lab.core.reproduction.certifications import CertificationResult
from rl_lab.core.runs import Run
from rl_lab.orchestrator.context import Context
from rl_lab.store import artifacts, run_numbers, runs
from rl_lab.store.files.folders import RunFolder

SHARED = frozenset({"video", "film", "certificate"})


class Results:
    def __init__(self, context: Context) -> None:
        self._home = context.home
        self._db = context.db
        self._folders = context.folders
        self._changes = context.changes

    async def share_files(self, job: Run, parent_id: str) -> None:
        """Lists the job's videos and certificates among the training's files; they are the same files on disk."""
        found = await self._db.read(lambda conn: artifacts.list_for_run(conn, job.id))
        shared = [(a, path_in_parent(job.config, a)) for a in found if a.kind in SHARED]
        for run_id in (job.id, parent_id):
            await self._folders.open(run_id)
        await asyncio.to_thread(self._link, parent_id, shared)
        await self._db.write(lambda conn: _list(conn, parent_id, shared))

    async def score_checkpoint(self, job: Run, parent_id: str) -> None:
        """Stores the return that an evaluation measured with the checkpoint that played."""
        result = read_result(EvaluationSummary, job.summary.result) if job.kind == RunKind.evaluate else None
        if result is None or not result.checkpoint_sha256:
            return
        sha256, score = result.checkpoint_sha256, _score(result, job.id)
        await self._db.write(lambda conn: artifacts.add_evaluation(conn, parent_id, sha256, score))

    async def note_numbers(self, run_id: str) -> None:
        """Lists show, filter and sort a training by what evaluation code has measured of it."""
        changed = await self._db.write(lambda conn: run_numbers.note_newest(conn, run_id))
        if changed.summary.numbers:
            self._changes.run_changed(changed)

    async def note_certificate(self, job: Run, parent_id: str) -> None:
        """The training shows what its newest certificate of exact resume says."""
        result = read_result(CertificationResult, job.summary.result)
        if result is not None:
            verdict = result.verdict
            changed = await self._db.write(lambda conn: runs.patch(conn, parent_id, exact_resume=verdict))
            self._changes.run_changed(changed)

    def _link(self, parent_id: str, shared: Sequence[tuple[Artifact, str]]) -> None:
        for video, path in shared:
            source = RunFolder(self._home, video.run_id).path / video.path
            target = RunFolder(self._home, parent_id).path / path
            target.parent.mkdir(parents=True, exist_ok=True)
            temporary = target.with_name(f".new-{target.name}")
            temporary.unlink(missing_ok=True)
            os.link(source, temporary)
            temporary.replace(target)


def _score(result: EvaluationSummary, job_id: str) -> Score:
    cited = result.protocol
    return Score(
        mean=result.return_mean,
        protocol="evaluation",
        episodes=result.episodes,
        interval=result.return_ci if None not in result.return_ci else None,
        level=result.return_ci_level,
        deterministic=result.deterministic,
        job_id=job_id,
        cited=cited.short if cited is not None and cited.name else None,
    )


def _list(conn: Connection, parent_id: str, shared: Sequence[tuple[Artifact, str]]) -> None:
    for video, path in shared:
        changes = {
            "id": artifacts.artifact_id(parent_id, path),
            "run_id": parent_id,
            "path": path,
            "created_at": datetime.now(UTC),
            "data": {"job": video.run_id, "job_path": video.path},
        }
        artifacts.upsert(conn, video.model_copy(update=changes))


def path_in_parent(config: JobConfig, video: Artifact) -> str:
    """Films, certificates and the video after a training are next to the model, other videos under eval/."""
    name = Path(video.path).name
    is_first = isinstance(config, EvaluateConfig) and config.after_training
    return name if is_first or video.kind in ("film", "certificate") else f"eval/{name}"
