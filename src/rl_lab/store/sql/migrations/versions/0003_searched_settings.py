"""Settings and numbers that lists filter and sort by: columns of `runs`, and the table of parameters."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

BATCH = 500
MAX_TEXT = 200
COLUMNS: dict[str, sa.types.TypeEngine[Any]] = {
    "seed": sa.BigInteger(),
    "total_timesteps": sa.BigInteger(),
    "preset": sa.Text(),
    "episodes": sa.BigInteger(),
    "best_mean_reward": sa.Double(),
}


def upgrade() -> None:
    for name, type_ in COLUMNS.items():
        op.add_column("runs", sa.Column(name, type_))
    op.create_table(
        "run_parameters",
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("number", sa.Double),
        sa.Column("text", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_parameters_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "name", name="pk_run_parameters"),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        # SQLite searches the table by its key faster than by an index; PostgreSQL does not.
        op.create_index("ix_run_parameters_number", "run_parameters", ["name", "number", "run_id"])
        op.create_index("ix_run_parameters_text", "run_parameters", ["name", "text", "run_id"])
    for documents in _batches(op.get_bind()):
        _fill(op.get_bind(), documents)


def _batches(conn: sa.Connection) -> Iterator[list[sa.Row[Any]]]:
    table = sa.table("run_documents", *map(sa.column, ("run_id", "config", "progress", "summary")))
    last = ""
    while True:
        query = sa.select(table).where(table.c.run_id > last).order_by(table.c.run_id).limit(BATCH)
        rows = list(conn.execute(query))
        if not rows:
            return
        yield rows
        last = rows[-1].run_id


def _fill(conn: sa.Connection, documents: list[sa.Row[Any]]) -> None:
    runs = sa.table("runs", sa.column("id"), *(sa.column(name, type_) for name, type_ in COLUMNS.items()))
    parameters = sa.table("run_parameters", *map(sa.column, ("run_id", "name", "number", "text")))
    values = {name: sa.bindparam(f"new_{name}", type_=type_) for name, type_ in COLUMNS.items()}
    conn.execute(
        sa.update(runs).where(runs.c.id == sa.bindparam("of_run")).values(values),
        [_columns(d) for d in documents],
    )
    rows = [row for document in documents for row in _parameters(document)]
    if rows:
        conn.execute(sa.insert(parameters), rows)


def _columns(document: sa.Row[Any]) -> dict[str, Any]:
    config, progress, summary = map(json.loads, (document.config, document.progress, document.summary))
    found = {
        "seed": _integer(config.get("seed")),
        "total_timesteps": _integer(config.get("total_timesteps")),
        "preset": _clean(config["preset"]) if config.get("preset") else None,
        "episodes": _integer(progress.get("episodes")),
        "best_mean_reward": _number(summary.get("best_mean_reward")),
    }
    return {"of_run": document.run_id, **{f"new_{name}": value for name, value in found.items()}}


def _parameters(document: sa.Row[Any]) -> list[dict[str, Any]]:
    config = json.loads(document.config)
    settings = {**(config.get("args") or {}), **(config.get("params") or {})}
    found = {_clean(name): value for name, value in settings.items() if len(name) <= MAX_TEXT}
    return [
        {"run_id": document.run_id, "name": name, "number": _number(value), "text": _text(value)}
        for name, value in found.items()
    ]


def _integer(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**63 else None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _text(value: Any) -> str:
    plain = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _clean(plain.casefold()[:MAX_TEXT])


def _clean(text: str) -> str:
    """PostgreSQL stores no NUL."""
    return text.replace("\x00", "\ufffd")
