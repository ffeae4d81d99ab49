"""What tables and files say about studies: their names, the labels of their variants, and the ids of their runs."""

from __future__ import annotations

from collections.abc import Collection

from sqlalchemy import Connection, select

from rl_lab.core.errors import Gone, NotFound
from rl_lab.store.sql.tables import runs, studies, variants


def names_of(conn: Connection, study_ids: Collection[str]) -> dict[str, str]:
    """By id; those that do not exist are left out."""
    query = select(studies.c.id, studies.c.name).where(studies.c.id.in_(sorted(study_ids)))
    return {row.id: row.name for row in conn.execute(query)}


def labels_of(conn: Connection, study_ids: Collection[str]) -> dict[tuple[str, int], str]:
    """The labels of all variants, by study and number."""
    query = select(variants.c.study_id, variants.c.number, variants.c.label)
    rows = conn.execute(query.where(variants.c.study_id.in_(sorted(study_ids))))
    return {(row.study_id, row.number): row.label for row in rows}


def run_ids_of(conn: Connection, study_id: str) -> list[str]:
    """The runs of a study by variant and seed; NotFound when there is no such study."""
    deleted = conn.execute(select(studies.c.deleted_at).where(studies.c.id == study_id)).one_or_none()
    if deleted is None:
        raise NotFound(f"There is no study “{study_id}”.", next_step="`rl-lab studies` lists all studies.")
    if deleted[0] is not None:
        raise Gone(f"The study “{study_id}” was deleted.", next_step="Restore it before its undo time ends.")
    query = select(runs.c.id).where(runs.c.study_id == study_id, runs.c.deleted_at.is_(None))
    return list(conn.execute(query.order_by(runs.c.variant, runs.c.seed, runs.c.id)).scalars())
