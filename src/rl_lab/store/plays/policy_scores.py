"""The best episodes of policies, from the summaries of trainings and evaluations."""

from __future__ import annotations

from sqlalchemy import Connection, RowMapping, func, select

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.plays.scores import Candidate, HighScore
from rl_lab.core.workbench.citations import cited_protocol
from rl_lab.store.sql.tables import run_documents, runs

CANDIDATES = 500
"""Runs whose summaries are read, those with the best episodes."""


def list_best(conn: Connection, env_id: str) -> list[Candidate]:
    """The best episode of each run; an evaluation counts for the training whose policy it measured."""
    parent, of_parent = runs.alias("parent"), run_documents.alias("of_parent")
    at = func.coalesce(runs.c.ended_at, runs.c.updated_at).label("at")
    query = (
        select(
            runs.c.id,
            runs.c.name,
            runs.c.parent_id,
            at,
            run_documents.c.config,
            run_documents.c.summary,
            of_parent.c.config.label("parent_config"),
        )
        .join(run_documents, run_documents.c.run_id == runs.c.id)
        .outerjoin(parent, parent.c.id == runs.c.parent_id)
        .outerjoin(of_parent, of_parent.c.run_id == parent.c.id)
        .where(runs.c.env_id == env_id, runs.c.kind.in_([RunKind.train, RunKind.evaluate]))
        # The evaluation of a play repeats episodes that count already.
        .where(runs.c.deleted_at.is_(None), parent.c.kind.is_distinct_from(RunKind.play))
        .where(runs.c.best_reward.is_not(None))
        .order_by(runs.c.best_reward.desc(), at, runs.c.id)
        .limit(CANDIDATES)
    )
    rows = conn.execute(query).mappings()
    return [_candidate(row) for row in rows if row["summary"].get("best_reward") is not None]  # a finite one


def _candidate(row: RowMapping) -> Candidate:
    """An evaluation has the arguments of its training, and those that its protocol sets in their place."""
    config, behind = row["config"] or {}, row["parent_config"] or {}
    is_evaluation = config.get("kind") == RunKind.evaluate
    arguments = {**(behind.get("env_kwargs") or {})} if is_evaluation else {}
    arguments |= config.get("env_kwargs") or {}
    best = row["summary"]["best_reward"]
    score = HighScore(
        player="policy",
        label=row["name"],
        run_id=row["id"],
        returned=best,
        at=row["at"],
        cited=cited_protocol(EvaluateConfig.model_validate(config)).short if is_evaluation else None,
    )
    return Candidate(score, (row["parent_id"] or row["id"]) if is_evaluation else row["id"], arguments)
