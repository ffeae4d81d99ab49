"""Lineage: the runs that a run comes from, and those that come from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, and_, or_, select

from rl_lab.core.models.lineage import MAX_NODES, Lineage, LineageEdge, LineageNode
from rl_lab.store.sql.tables import run_documents, runs

_COLUMNS = (
    *(runs.c[name] for name in ("id", "kind", "name", "status", "env_id", "algorithm", "runner", "timestep")),
    *(runs.c[name] for name in ("best_mean_reward", "deleted_at", "started_from", "parent_id", "origin")),
    run_documents.c.config,
)


def find(conn: Connection, run_id: str) -> Lineage:
    """Nearest runs first, until there are MAX_NODES; the run itself is one of them."""
    rows: dict[str, Row[Any]] = {}
    edges: list[LineageEdge] = []
    seen: set[str] = set()
    waiting, is_cut = {run_id}, False
    while waiting and not is_cut:
        seen |= waiting
        found = _read(conn, waiting)
        is_cut = len(rows) + len(found) > MAX_NODES
        found = found[: MAX_NODES - len(rows)]
        rows |= {row.id: row for row in found}
        new = [edge for row in found for edge in _edges_to(row)]
        edges += new
        waiting = ({edge.parent for edge in new} | _children_of(conn, {row.id for row in found})) - seen
    edges = [edge for edge in edges if edge.parent in rows or not (is_cut or edge.kind == "import")]
    return Lineage(run_id=run_id, nodes=_nodes(rows, edges), edges=edges, is_cut=is_cut)


def _read(conn: Connection, run_ids: Collection[str]) -> list[Row[Any]]:
    """Also deleted ones, oldest first; those that are gone for good are left out."""
    joined = runs.join(run_documents, run_documents.c.run_id == runs.c.id)
    query = select(*_COLUMNS).select_from(joined).where(runs.c.id.in_(sorted(run_ids)))
    return list(conn.execute(query.order_by(runs.c.created_at, runs.c.id)))


def _edges_to(row: Row[Any]) -> list[LineageEdge]:
    """What a run comes from."""
    found = []
    if row.started_from is not None:
        start = row.config.get("start_from") or {}
        found.append(
            LineageEdge(
                parent=row.started_from,
                child=row.id,
                kind="warm_start",
                checkpoint=start.get("checkpoint"),
                timestep=start.get("timestep"),
            )
        )
    if row.kind == "fork" and row.parent_id is not None:
        checkpoint = row.config.get("checkpoint")
        found.append(LineageEdge(parent=row.parent_id, child=row.id, kind="fork", checkpoint=checkpoint))
    if row.origin is not None and row.origin.get("run_id") not in (None, row.id):
        found.append(LineageEdge(parent=row.origin["run_id"], child=row.id, kind="import"))
    return found


def _children_of(conn: Connection, run_ids: Collection[str]) -> set[str]:
    wanted = sorted(run_ids)
    is_fork = and_(runs.c.kind == "fork", runs.c.parent_id.in_(wanted))
    query = select(runs.c.id).where(or_(runs.c.started_from.in_(wanted), is_fork))
    return set(conn.execute(query.limit(MAX_NODES + 1)).scalars()) | _imports_of(conn, wanted)


def _imports_of(conn: Connection, run_ids: Collection[str]) -> set[str]:
    """Runs of packs; there are few, and what they come from is in their JSON."""
    imported = conn.execute(select(runs.c.id, runs.c.origin).where(runs.c.origin.is_not(None)))
    return {child for child, origin in imported if origin.get("run_id") in run_ids and child not in run_ids}


def _nodes(rows: Mapping[str, Row[Any]], edges: Iterable[LineageEdge]) -> list[LineageNode]:
    """With a place for parents that were deleted for good; not for those of packs, which lived in another lab."""
    nodes = [_node(row) for row in rows.values()]
    gone = dict.fromkeys(edge.parent for edge in edges if edge.parent not in rows and edge.kind != "import")
    return nodes + [
        LineageNode(
            run_id=run_id,
            name="Deleted run",
            env_id="",
            algorithm="",
            runner="",
            status="deleted",
            timestep=0,
            is_deleted=True,
        )
        for run_id in gone
    ]


def _node(row: Row[Any]) -> LineageNode:
    return LineageNode(
        run_id=row.id,
        name=row.name,
        env_id=row.env_id or "",
        algorithm=row.algorithm or "",
        runner=row.runner or "",
        status=row.status,
        timestep=row.timestep,
        score=row.best_mean_reward,
        is_deleted=row.deleted_at is not None,
    )
