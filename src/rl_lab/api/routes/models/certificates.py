"""Certificates of exact resume: those of a run, and one of a learner without a run."""

from __future__ import annotations

from fastapi import APIRouter

from rl_lab.api.deps import JobsDep, QueriesDep, RunId, RunsDep
from rl_lab.api.http.job_entries import JobEntry, list_jobs
from rl_lab.core.evaluations import read_result
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.reproduction.certifications import CertificationResult
from rl_lab.core.reproduction.resume_certificates import RESUME_FILE
from rl_lab.core.runs import Run
from rl_lab.orchestrator.jobs.new_certificates import NewCertificate, certify_new

router = APIRouter(prefix="/api", tags=["certificates"])


class Certification(JobEntry):
    """One certification: the run that did it and what came out."""

    result: CertificationResult | None
    """Null while it runs, and when it ended without a verdict."""


@router.get("/runs/{run_id}/certificates", operation_id="list_certificates")
async def list_certificates(run_id: RunId, queries: QueriesDep) -> list[Certification]:
    """All certifications of a training, newest first."""
    jobs = await list_jobs(queries, run_id, RunKind.certify, f"{RESUME_FILE}.html")
    results = [read_result(CertificationResult, run.summary.result) for run, _ in jobs]
    return [
        Certification(**entry, result=result, sentence=result.sentence if result else "")
        for (_, entry), result in zip(jobs, results, strict=True)
    ]


@router.post("/certificates", operation_id="create_certificate", status_code=202)
async def create_certificate(new: NewCertificate, runs: RunsDep, jobs: JobsDep) -> Run:
    """Certifies a learner without a run: its configuration is kept as a run that is not started, tagged `certify`."""
    return await certify_new(runs, jobs, new)
