"""Named models and their versions; tags, notes and measured returns of checkpoints; where a training started from,
and whether its resume was certified."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("started_from", sa.Text))
    op.create_index("ix_runs_started_from", "runs", ["started_from"])
    op.add_column("runs", sa.Column("exact_resume", sa.Text))
    op.add_column("artifacts", sa.Column("tags", sa.Text, nullable=False, server_default="[]"))
    op.add_column("artifacts", sa.Column("note", sa.Text, nullable=False, server_default=""))
    op.add_column("artifacts", sa.Column("evaluation", sa.Text))
    op.add_column("artifacts", sa.Column("evaluation_mean", sa.Double))
    op.add_column("artifacts", sa.Column("score_episodes", sa.BigInteger))
    op.create_index("ix_artifacts_kind_created_at_id", "artifacts", ["kind", "created_at", "id"])
    op.create_table(
        "models",
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_models"),
    )
    op.create_table(
        "model_versions",
        sa.Column("model", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("checkpoint_id", sa.Text, nullable=False),
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("labels", sa.Text, nullable=False),
        sa.Column("note", sa.Text, nullable=False),
        sa.Column("facts", sa.Text, nullable=False, server_default="{}"),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(
            ["model"], ["models.name"], name="fk_model_versions_model", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("model", "version", name="pk_model_versions"),
    )
    op.create_index("ix_model_versions_checkpoint_id", "model_versions", ["checkpoint_id"])
