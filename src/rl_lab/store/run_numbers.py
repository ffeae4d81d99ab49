"""The numbers of evaluation code with the run they were measured for: lists show, filter and sort by them."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import Connection, delete, select, update

from rl_lab.core.runs import Run
from rl_lab.core.studies.evaluation_scores import EvaluationScore
from rl_lab.store import runs
from rl_lab.store.experiments.study_outcomes import list_scores
from rl_lab.store.run_metrics import without_derived
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.tables import run_documents, run_metrics
from rl_lab.store.sql.upserts import insert_or_update


def note_newest(conn: Connection, run_id: str) -> Run:
    """Stores with a training what its newest evaluations have measured; returns it as it is then."""
    numbers: dict[str, float] = {}
    cited: dict[str, str] = {}
    for score in list_scores(conn, [run_id]):
        found = {**score.numbers, **_by_protocol(score)}
        numbers |= found
        cited |= dict.fromkeys(found, score.protocol.short)
    put(conn, run_id, numbers, cited)
    return runs.get(conn, run_id, include_deleted=True)


def _by_protocol(score: EvaluationScore) -> dict[str, float]:
    """Its numbers under names of their own, so that versions of a protocol are never in one column."""
    if score.protocol.name is None:
        return {}
    version = score.protocol.short.replace(" ", "_")  # a name in a search text has no spaces
    return {f"{name}@{version}": value for name, value in score.numbers.items()}


def put(
    conn: Connection, run_id: str, numbers: Mapping[str, float], cited: Mapping[str, str] | None = None
) -> None:
    """In place of earlier ones; a metric of the run keeps its name, and so does a derived one.

    `cited`: the protocols that have measured them, by the same names.
    """
    c, m = run_documents.c, run_metrics.c
    summary = conn.execute(select(c.summary).where(c.run_id == run_id)).scalar_one() or {}
    earlier = summary.get("numbers", {})
    changed = {**summary, "numbers": dict(numbers), "cited": dict(cited or {})}
    conn.execute(update(run_documents).where(c.run_id == run_id).values(summary=changed))
    metrics = {name.lower() for name in summary.get("metrics", {})}
    gone = {name.lower() for name in earlier} - metrics
    is_gone = (m.run_id == run_id) & m.name.in_(sorted(gone)) & m.is_derived.is_(False)
    conn.execute(delete(run_metrics).where(is_gone))
    for name, value in without_derived(conn, numbers).items():
        row = {"run_id": run_id, "name": clean_text(name).lower(), "value": value}
        if row["name"] not in metrics:
            insert_or_update(conn, run_metrics, row, unique=["run_id", "name"], update=["value"])
