"""First tables.

Written out in full: a revision must stay as it was released, whatever `tables.py` says later.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _runs()
    _children_of_runs()
    _events()
    _artifacts()
    op.create_table(
        "meta",
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text),
        _primary("meta", "key"),
    )


def _runs() -> None:
    op.create_table(
        "runs",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("paused_wanted", sa.Boolean, nullable=False),
        sa.Column("env_id", sa.Text),
        sa.Column("algorithm", sa.Text),
        sa.Column("runner", sa.Text),
        sa.Column("parent_id", sa.Text),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("archived", sa.Boolean, nullable=False),
        sa.Column("deleted_at", sa.BigInteger),
        sa.Column("reason", sa.Text),
        sa.Column("timestep", sa.BigInteger, nullable=False),
        sa.Column("elapsed_s", sa.Double),
        sa.Column("best_reward", sa.Double),
        sa.Column("last_reward", sa.Double),
        sa.Column("mean_reward", sa.Double),
        sa.Column("search", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("queued_at", sa.BigInteger),
        sa.Column("started_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        _primary("runs", "id"),
    )
    op.create_index(
        "ix_runs_kind_archived_deleted_at_created_at_id",
        "runs",
        ["kind", "archived", "deleted_at", "created_at", "id"],
    )
    op.create_index("ix_runs_status", "runs", ["status"])
    op.create_index("ix_runs_parent_id", "runs", ["parent_id"])


def _children_of_runs() -> None:
    op.create_table(
        "run_documents",
        _run_id(),
        sa.Column("config", sa.Text, nullable=False),
        sa.Column("progress", sa.Text, nullable=False),
        sa.Column("summary", sa.Text, nullable=False),
        _belongs_to_run("run_documents"),
        _primary("run_documents", "run_id"),
    )
    op.create_table(
        "run_tags",
        _run_id(),
        sa.Column("tag", sa.Text, nullable=False),
        sa.Column("position", sa.Integer, nullable=False),
        _belongs_to_run("run_tags"),
        _primary("run_tags", "run_id", "tag"),
    )
    op.create_index("ix_run_tags_tag", "run_tags", ["tag"])
    op.create_table(
        "attempts",
        _run_id(),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("guardian_pid", sa.Integer),
        sa.Column("boot_id", sa.Text),
        sa.Column("resume_from", sa.Text),
        sa.Column("timestep0", sa.BigInteger, nullable=False),
        sa.Column("episode0", sa.BigInteger, nullable=False),
        sa.Column("exit", sa.Text),
        _belongs_to_run("attempts"),
        _primary("attempts", "run_id", "number"),
    )
    op.create_table(
        "transitions",
        sa.Column("id", _ID, nullable=False, autoincrement=True),
        _run_id(),
        sa.Column("from_status", sa.Text),
        sa.Column("to_status", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("reason", sa.Text),
        _belongs_to_run("transitions"),
        _primary("transitions", "id"),
    )
    op.create_index("ix_transitions_run_id_id", "transitions", ["run_id", "id"])


def _events() -> None:
    op.create_table(
        "events",
        sa.Column("id", _ID, nullable=False, autoincrement=True),
        _run_id(),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("type", sa.Text, nullable=False),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("attempt", sa.Integer),
        sa.Column("seq", sa.BigInteger),
        _belongs_to_run("events"),
        _primary("events", "id"),
        sa.UniqueConstraint("run_id", "attempt", "seq", name="uq_events_run_id_attempt_seq"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_events_run_id_id", "events", ["run_id", "id"])


def _artifacts() -> None:
    op.create_table(
        "artifacts",
        sa.Column("id", sa.Text, nullable=False),
        _run_id(),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("size", sa.BigInteger, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("media_type", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("timestep", sa.BigInteger),
        sa.Column("role", sa.Text),
        sa.Column("score", sa.Double),
        sa.Column("pinned", sa.Boolean, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        _belongs_to_run("artifacts"),
        _primary("artifacts", "id"),
        sa.UniqueConstraint("run_id", "path", name="uq_artifacts_run_id_path"),
    )


def _run_id() -> sa.Column[str]:
    return sa.Column("run_id", sa.Text, nullable=False)


def _belongs_to_run(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name=f"fk_{table}_run_id", ondelete="CASCADE")


def _primary(table: str, *columns: str) -> sa.PrimaryKeyConstraint:
    return sa.PrimaryKeyConstraint(*columns, name=f"pk_{table}")
