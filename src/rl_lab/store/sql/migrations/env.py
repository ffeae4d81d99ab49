"""Run by Alembic: migrates on the connection that `store/sql/migration.py` passes."""

from __future__ import annotations

from alembic import context

from rl_lab.store.sql import workbench_tables  # noqa: F401  its tables belong to the schema
from rl_lab.store.sql.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
)
with context.begin_transaction():
    context.run_migrations()
