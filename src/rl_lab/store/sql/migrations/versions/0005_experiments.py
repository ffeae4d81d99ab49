"""Studies and their variants, notes, saved views, and the order that a user gave the queue."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

COLUMNS: dict[str, sa.types.TypeEngine[Any]] = {
    "study_id": sa.Text(),
    "variant": sa.Integer(),
    "queue_place": sa.Double(),
    "peak_memory": sa.BigInteger(),
    "origin": sa.Text(),
}


def upgrade() -> None:
    for name, type_ in COLUMNS.items():
        op.add_column("runs", sa.Column(name, type_))
    op.add_column("runs", sa.Column("notes", sa.Text, nullable=False, server_default=""))
    op.create_index("ix_runs_study_id", "runs", ["study_id"])
    op.create_index("ix_runs_status_priority_queue_place", "runs", ["status", "priority", "queue_place"])
    _create_studies()
    _create_curves()
    _create_notes()
    _create_metrics()


def _create_studies() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("plan", sa.Text, nullable=False),
        sa.Column("env_id", sa.Text),
        sa.Column("algorithm", sa.Text),
        sa.Column("notes", sa.Text, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("priority", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("search", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("started_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("deleted_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_studies"),
    )
    op.create_table(
        "variants",
        sa.Column("study_id", sa.Text, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("label", sa.Text, nullable=False),
        sa.Column("settings", sa.Text, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("reason", sa.Text),
        sa.Column("value", sa.Double),
        sa.Column("seeds", sa.Text, nullable=False),
        sa.Column("created", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["study_id"], ["studies.id"], name="fk_variants_study_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("study_id", "number", name="pk_variants"),
    )


def _create_curves() -> None:
    op.create_table(
        "run_curves",
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("full_from", sa.Double),
        sa.Column("not_finite", sa.Integer, nullable=False),
        sa.Column("points", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_curves_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", name="pk_run_curves"),
    )


def _create_notes() -> None:
    op.create_table(
        "episode_notes",
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("episode", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_episode_notes_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "episode", name="pk_episode_notes"),
    )
    op.create_table(
        "views",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("view", sa.Text, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_views"),
    )


def _create_metrics() -> None:
    op.create_table(
        "run_metrics",
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("value", sa.Double),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_metrics_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("run_id", "name", name="pk_run_metrics"),
        sqlite_with_rowid=False,
    )
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("ix_run_metrics_value", "run_metrics", ["name", "value", "run_id"])
