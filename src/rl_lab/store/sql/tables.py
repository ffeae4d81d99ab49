"""The tables of lab.db, for SQLite and PostgreSQL alike.

What a list filters or sorts by is a column; the rest of a noun is JSON. A change here needs a migration.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from rl_lab.store.sql.columns import Finite, Json, UtcTime, Words

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

_Id = BigInteger().with_variant(Integer, "sqlite")
"""Only INTEGER counts by itself on SQLite."""

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", Words, nullable=False),
    Column("status", Text, nullable=False),
    Column("paused_wanted", Boolean, nullable=False),
    Column("env_id", Words),
    Column("algorithm", Words),
    Column("runner", Words),
    Column("parent_id", Text),
    Column("priority", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("deleted_at", UtcTime),
    Column("reason", Json),
    Column("timestep", BigInteger, nullable=False),
    Column("elapsed_s", Finite),
    Column("best_reward", Finite),
    Column("last_reward", Finite),
    Column("mean_reward", Finite),
    Column("search", Words, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("queued_at", UtcTime),
    Column("started_at", UtcTime),
    Column("ended_at", UtcTime),
    Column("updated_at", UtcTime, nullable=False),
    Column("isolation", Text),
    Column("source", Json),
    # The usual list in its order, and its count, without a look at the table.
    Index(None, "kind", "archived", "deleted_at", "created_at", "id"),
    Index(None, "status"),
    Index(None, "parent_id"),
)

adopted = Table(
    "adopted",
    metadata,
    Column("folder", Words, primary_key=True),
    Column("key", Words, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("state", Json),
    Index(None, "run_id"),
)
"""Which run came from where, and how far its files were read: adopting again finds it here."""

consents = Table(
    "consents",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("path", Words, nullable=False),
    Column("at", UtcTime, nullable=False),
)
"""Foreign files somebody agreed to run, known by their contents."""

run_documents = Table(
    "run_documents",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("config", Json, nullable=False),
    Column("progress", Json, nullable=False),
    Column("summary", Json, nullable=False),
)
"""The bulk of a run, apart so that a list reads few pages to filter and sort."""

run_tags = Table(
    "run_tags",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", Words, primary_key=True),
    Column("position", Integer, nullable=False),
    Index(None, "tag"),
)

attempts = Table(
    "attempts",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("started_at", UtcTime, nullable=False),
    Column("ended_at", UtcTime),
    Column("guardian_pid", Integer),
    Column("boot_id", Text),
    Column("resume_from", Words),
    Column("timestep0", BigInteger, nullable=False),
    Column("episode0", BigInteger, nullable=False),
    Column("exit", Json),
)

transitions = Table(
    "transitions",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("from_status", Text),
    Column("to_status", Text, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("reason", Json),
    Index(None, "run_id", "id"),
)

events = Table(
    "events",
    metadata,
    Column("id", _Id, primary_key=True, autoincrement=True),
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("at", UtcTime, nullable=False),
    Column("level", Text, nullable=False),
    Column("type", Words, nullable=False),
    Column("message", Words, nullable=False),
    Column("data", Json, nullable=False),
    Column("attempt", Integer),
    Column("seq", BigInteger),
    Index(None, "run_id", "id"),
    UniqueConstraint("run_id", "attempt", "seq"),
    sqlite_autoincrement=True,
)

artifacts = Table(
    "artifacts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("path", Words, nullable=False),
    Column("kind", Words, nullable=False),
    Column("title", Words, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sha256", Words, nullable=False),
    Column("media_type", Words, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("timestep", BigInteger),
    Column("role", Words),
    Column("score", Finite),
    Column("pinned", Boolean, nullable=False),
    Column("data", Json, nullable=False),
    UniqueConstraint("run_id", "path"),
)

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Json),
)
