"""The snapshot of a run, and its verifications with their results."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from rl_lab.api.deps import QueriesDep, RunId
from rl_lab.api.http.job_entries import JobEntry, list_jobs
from rl_lab.core.evaluations import read_result
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import VerifyConfig
from rl_lab.core.reproduction.snapshots import Snapshot
from rl_lab.core.reproduction.verifications import VerificationResult
from rl_lab.core.runs import Run

router = APIRouter(prefix="/api", tags=["verifications"])


class Verification(JobEntry):
    """One verification: the run that did it and what came out."""

    tolerance: float
    against: str | None
    timestep: int
    """Steps repeated so far."""
    total_timesteps: int | None
    """Steps to repeat."""
    result: VerificationResult | None
    """Null while it runs, and when it ended without a verdict."""


@router.get("/runs/{run_id}/verifications", operation_id="list_verifications")
async def list_verifications(run_id: RunId, queries: QueriesDep) -> list[Verification]:
    """All verifications of a training, newest first."""
    jobs = await list_jobs(queries, run_id, RunKind.verify, "certificate.html")
    return [_verification(run, entry) for run, entry in jobs]


@router.get("/runs/{run_id}/snapshot", operation_id="get_snapshot")
async def get_snapshot(run_id: RunId, queries: QueriesDep) -> Snapshot | None:
    """Software and hardware of the process that worked on the run last; null before it reported them."""
    return await queries.snapshot(run_id)


def _verification(run: Run, entry: dict[str, Any]) -> Verification:
    assert isinstance(run.config, VerifyConfig)
    result = read_result(VerificationResult, run.summary.result)
    return Verification(
        **entry,
        tolerance=run.config.tolerance,
        against=run.config.against,
        timestep=run.progress.timestep,
        total_timesteps=run.progress.total_timesteps,
        result=result,
        sentence=result.sentence if result else "",
    )
