"""The learning curves of ended runs in few points, and the few columns of runs that statistics over seeds need."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sqlalchemy import Connection, select

from rl_lab.store.sql.tables import run_curves, runs
from rl_lab.store.sql.upserts import insert_or_update

MEAN_RETURN = "mean_reward"
"""The metric whose curve is stored: the mean over the last 100 episodes."""


class StoredCurve(NamedTuple):
    version: int
    """Of the run when it was stored; a run that was resumed has a newer one."""
    full_from: float | None
    not_finite: int
    points: bytes
    """Steps, then values: float64, little-endian."""


class SeedRow(NamedTuple):
    """One run of a study, without its documents."""

    run_id: str
    variant: int | None
    seed: int | None
    env_id: str | None
    status: str
    version: int
    timestep: int
    final: float | None
    best: float | None


def find_all(conn: Connection, run_ids: Collection[str]) -> dict[str, StoredCurve]:
    c = run_curves.c
    query = select(c.run_id, c.version, c.full_from, c.not_finite, c.points)
    rows = conn.execute(query.where(c.run_id.in_(sorted(run_ids))))
    return {row.run_id: StoredCurve(*row[1:]) for row in rows}


def put_all(conn: Connection, found: Mapping[str, StoredCurve]) -> None:
    """A run that was deleted in between is left out."""
    known = set(conn.execute(select(runs.c.id).where(runs.c.id.in_(sorted(found)))).scalars())
    for run_id in sorted(known):
        row = {"run_id": run_id, **found[run_id]._asdict()}
        insert_or_update(conn, run_curves, row, unique=["run_id"], update=list(StoredCurve._fields))


def list_seed_rows(conn: Connection, study_id: str) -> list[SeedRow]:
    """The runs of a study without deleted ones, in the order of creation."""
    c = runs.c
    query = select(
        c.id, c.variant, c.seed, c.env_id, c.status, c.version, c.timestep, c.mean_reward, c.best_mean_reward
    ).where(c.study_id == study_id, c.deleted_at.is_(None), c.variant.is_not(None))
    return [SeedRow(*row) for row in conn.execute(query.order_by(c.created_at, c.id))]
