"""What the lists of verifications and certifications have in common: the job's own run, and its certificate."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import BaseModel

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.runs import EndReason, Run, RunStatus
from rl_lab.orchestrator.runs.queries import RunQueries
from rl_lab.store.runs import RunFilter

MOST_ENTRIES = 100


class JobEntry(BaseModel):
    """One job of a training."""

    run_id: str
    """The job's own run."""
    status: RunStatus
    reason: EndReason | None
    created_at: datetime
    ended_at: datetime | None
    sentence: str
    """The verdict for people; empty without one."""
    certificate: str | None
    """Artifact id of the certificate's page."""


async def list_jobs(
    queries: RunQueries, run_id: str, kind: RunKind, page_name: str
) -> list[tuple[Run, dict[str, Any]]]:
    """The newest jobs of a training, each with the fields of its entry but its result; `page_name` of certificates."""
    await queries.get_run(run_id)
    page = await queries.list_runs(RunFilter(kind=kind, parent_id=run_id), limit=MOST_ENTRIES)
    return [(run, await _entry(queries, run, page_name)) for run in page.items]


async def _entry(queries: RunQueries, run: Run, page_name: str) -> dict[str, Any]:
    files = await queries.artifacts(run.id)
    return {
        "run_id": run.id,
        "status": run.status,
        "reason": run.reason,
        "created_at": run.created_at,
        "ended_at": run.ended_at,
        "certificate": next((file.id for file in files if file.path.endswith(page_name)), None),
    }
