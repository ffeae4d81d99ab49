"""User code, evaluation protocols, derived metrics and alerts, and which reward a training learns from."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("reward", sa.Text))
    op.create_index("ix_runs_reward", "runs", ["reward"])
    _add_codes()
    _add_metrics()


def _add_codes() -> None:
    op.create_table(
        "codes",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("env_id", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("last_version", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", name="pk_codes"),
    )
    op.create_table(
        "code_versions",
        sa.Column("kind", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("source", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("check", sa.Text),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("kind", "name", "version", name="pk_code_versions"),
    )
    op.create_index("ix_code_versions_sha256", "code_versions", ["sha256"])
    op.create_table(
        "protocols",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("protocol", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("deleted_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("name", "version", name="pk_protocols"),
    )
    op.create_index("ix_protocols_sha256", "protocols", ["sha256"])


def _add_metrics() -> None:
    op.create_table(
        "derived_metrics",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("expression", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_derived_metrics"),
    )
    op.create_table(
        "alerts",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("rule", sa.Text, nullable=False),
        sa.Column("is_active", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_alerts"),
    )
    op.create_table(
        "alert_firings",
        sa.Column("alert_id", sa.Text, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("value", sa.Double),
        sa.Column("step", sa.BigInteger),
        sa.Column("message", sa.Text, nullable=False),
        sa.Column("deliveries", sa.Text, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(
            ["alert_id"], ["alerts.id"], name="fk_alert_firings_alert_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_alert_firings_run_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("alert_id", "run_id", name="pk_alert_firings"),
    )
    op.create_index("ix_alert_firings_at", "alert_firings", ["at"])
