"""What the runs of a study have achieved: the rows that decide the states and values of its variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, select

from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.runs import RunStatus
from rl_lab.core.studies.evaluation_scores import (
    ChosenScores,
    EvaluationScore,
    choose_scores,
    with_derived,
)
from rl_lab.core.studies.outcomes import RunOutcome
from rl_lab.core.studies.studies import StudyPlan
from rl_lab.core.workbench.citations import cited_protocol
from rl_lab.store.sql.tables import run_documents, runs
from rl_lab.store.workbench import derived_metrics

COLUMNS = ("final", "best")
"""Measures that are a column of the run."""


def list_outcomes(conn: Connection, study_id: str, plan: StudyPlan) -> list[RunOutcome]:
    """Of its runs without deleted ones, in the order of creation."""
    c = runs.c
    of_study = (c.study_id == study_id) & c.deleted_at.is_(None) & c.variant.is_not(None)
    column = c.best_mean_reward if plan.measure == "best" else c.mean_reward
    query = select(c.id, c.variant, c.status, column.label("value"), c.reason).where(of_study)
    rows = conn.execute(query.order_by(c.created_at, c.id)).all()
    values = {row.id: row.value for row in rows}
    if plan.measure not in COLUMNS:
        values = dict(_values(conn, list(values), plan))
    return [
        RunOutcome(
            row.id,
            row.variant,
            RunStatus(row.status),
            values.get(row.id),
            (row.reason or {}).get("message"),
        )
        for row in rows
    ]


def _values(conn: Connection, run_ids: Sequence[str], plan: StudyPlan) -> Mapping[str, float]:
    """A measure that is not a column of the run, by run."""
    if plan.measure == "area":
        return _areas(conn, run_ids)
    scores = find_scores(conn, run_ids, usual=plan.protocol)
    if plan.measure == "evaluation":
        return scores.returns
    return {**scores.derived, **scores.numbers}.get(plan.measure, {})


def _areas(conn: Connection, run_ids: Sequence[str]) -> dict[str, float]:
    """The mean height of each learning curve, from the points that are kept with the run."""
    query = select(run_documents.c.run_id, run_documents.c.summary)
    found = {}
    for run_id, summary in conn.execute(query.where(run_documents.c.run_id.in_(run_ids))):
        points = (summary or {}).get("sparkline") or []
        if points:
            found[run_id] = sum(points) / len(points)
    return found


def find_scores(
    conn: Connection, run_ids: Sequence[str], wanted: str | None = None, *, usual: str | None = None
) -> ChosenScores:
    """What evaluations by one protocol have measured of these runs, and their derived metrics."""
    chosen = choose_scores(list_scores(conn, run_ids), wanted, usual=usual)
    return with_derived(chosen, derived_metrics.find_values(conn, run_ids))


def list_scores(conn: Connection, run_ids: Sequence[str]) -> list[EvaluationScore]:
    """What all evaluations of these runs have measured, from the oldest to the newest."""
    c, documents = runs.c, run_documents.c
    query = select(c.parent_id, documents.config, documents.summary).join(
        run_documents, documents.run_id == c.id
    )
    wanted = (c.kind == RunKind.evaluate) & (c.status == RunStatus.succeeded) & c.deleted_at.is_(None)
    ordered = query.where(wanted, c.parent_id.in_(run_ids)).order_by(c.created_at, c.id)
    found = (_to_score(*row) for row in conn.execute(ordered))
    return [one for one in found if one is not None]


def _to_score(run_id: str, config: dict[str, Any], summary: dict[str, Any] | None) -> EvaluationScore | None:
    result = (summary or {}).get("result") or {}
    if result.get("return_mean") is None:
        return None
    means = {name: one["mean"] for name, one in (result.get("numbers") or {}).items()}
    # One that is not finite is stored as null.
    numbers = {name: float(mean) for name, mean in means.items() if mean is not None}
    cited = cited_protocol(EvaluateConfig.model_validate(config))
    return EvaluationScore(run_id, cited, float(result["return_mean"]), numbers)
