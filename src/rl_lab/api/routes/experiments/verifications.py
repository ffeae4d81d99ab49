"""The snapshot of a run, and its verifications with their results."""

from __future__ import annotations

from datetime import datetime

from fastapi import APIRouter
from pydantic import BaseModel

from rl_lab.api.deps import QueriesDep, RunId
from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.evaluations import read_result
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.core.reproduction.snapshots import Snapshot
from rl_lab.core.reproduction.verifications import VerificationResult
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.store.runs import RunFilter

router = APIRouter(prefix="/api", tags=["verifications"])


class Verification(BaseModel):
    """One verification: the run that did it and what came out."""

    run_id: str
    """The verification's own run."""
    status: RunStatus
    reason: EndReason | None
    created_at: datetime
    ended_at: datetime | None
    tolerance: float
    against: str | None
    timestep: int
    """Steps repeated so far."""
    total_timesteps: int | None
    """Steps to repeat."""
    result: VerificationResult | None
    """Null while it runs, and when it ended without a verdict."""
    sentence: str
    """The verdict for people; empty without one."""
    certificate: str | None
    """Artifact id of the certificate's page."""


@router.get("/runs/{run_id}/verifications", operation_id="list_verifications")
async def list_verifications(run_id: RunId, queries: QueriesDep) -> list[Verification]:
    """All verifications of a training, newest first."""
    await queries.get_run(run_id)
    page = await queries.list_runs(RunFilter(kind=RunKind.verify, parent_id=run_id), limit=100)
    files = {run.id: await queries.artifacts(run.id) for run in page.items}
    return [_verification(run, files[run.id]) for run in page.items]


@router.get("/runs/{run_id}/snapshot", operation_id="get_snapshot")
async def get_snapshot(run_id: RunId, queries: QueriesDep) -> Snapshot | None:
    """Software and hardware of the process that worked on the run last; null before it reported them."""
    return await queries.snapshot(run_id)


def _verification(run: Run, files: list[Artifact]) -> Verification:
    assert isinstance(run.config, VerifyConfig)
    result = read_result(VerificationResult, run.summary.result)
    pages = [file.id for file in files if file.path.endswith("certificate.html")]
    return Verification(
        run_id=run.id,
        status=run.status,
        reason=run.reason,
        created_at=run.created_at,
        ended_at=run.ended_at,
        tolerance=run.config.tolerance,
        against=run.config.against,
        timestep=run.progress.timestep,
        total_timesteps=run.progress.total_timesteps,
        result=result,
        sentence=result.sentence if result else "",
        certificate=pages[0] if pages else None,
    )
