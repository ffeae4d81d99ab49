"""Which values of runs are computed from others: a changed derived metric deletes nothing that was measured."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "run_metrics", sa.Column("is_derived", sa.Boolean, nullable=False, server_default=sa.false())
    )
    values, derived = (
        sa.table("run_metrics", sa.column("name"), sa.column("is_derived", sa.Boolean)),
        sa.table("derived_metrics", sa.column("name")),
    )
    names = sa.select(sa.func.lower(derived.c.name))
    op.execute(values.update().where(values.c.name.in_(names)).values(is_derived=True))
