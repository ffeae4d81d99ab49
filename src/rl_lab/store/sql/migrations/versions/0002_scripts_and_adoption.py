"""Foreign scripts (isolation, consents) and adopted folders."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("runs", sa.Column("isolation", sa.Text))
    op.add_column("runs", sa.Column("source", sa.Text))
    op.create_table(
        "consents",
        sa.Column("sha256", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("sha256", name="pk_consents"),
    )
    op.create_table(
        "adopted",
        sa.Column("folder", sa.Text, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("run_id", sa.Text, nullable=False),
        sa.Column("state", sa.Text),
        sa.PrimaryKeyConstraint("folder", "key", name="pk_adopted"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_adopted_run_id", ondelete="CASCADE"),
    )
    op.create_index("ix_adopted_run_id", "adopted", ["run_id"])
