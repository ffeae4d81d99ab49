"""The best episodes of policies, from the summaries of trainings and evaluations."""

from __future__ import annotations

from sqlalchemy import Connection, select

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.plays.scores import HighScore
from rl_lab.store.sql.tables import run_documents, runs

CANDIDATES = 500
"""Runs whose summaries are read, those with the best mean return."""


def list_best(conn: Connection, env_id: str, limit: int) -> list[HighScore]:
    """The best episode of each run, best first."""
    kinds = [RunKind.train, RunKind.evaluate]
    query = (
        select(runs.c.id, runs.c.name, runs.c.updated_at, run_documents.c.summary)
        .join(run_documents, run_documents.c.run_id == runs.c.id)
        .where(runs.c.env_id == env_id, runs.c.kind.in_(kinds), runs.c.deleted_at.is_(None))
        .order_by(runs.c.best_mean_reward.desc().nulls_last(), runs.c.id)
        .limit(CANDIDATES)
    )
    found = [
        HighScore(
            player="policy",
            label=row.name,
            run_id=row.id,
            returned=row.summary["best_reward"],
            at=row.updated_at,
        )
        for row in conn.execute(query)
        if row.summary.get("best_reward") is not None
    ]
    return sorted(found, key=lambda score: (-score.returned, score.at, score.run_id))[:limit]
