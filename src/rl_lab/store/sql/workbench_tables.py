"""The tables of lab.db for what users write: code, protocols, derived metrics, alerts. A change needs a migration."""

from __future__ import annotations

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, Table, Text

from rl_lab.store.sql.columns import CleanText, Finite, Json, UtcTime
from rl_lab.store.sql.tables import metadata

codes = Table(
    "codes",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("env_id", CleanText, nullable=False),
    Column("note", CleanText, nullable=False),
    Column("last_version", Integer, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)
"""Rewards, evaluation code and environments that a user wrote; `kind` is one of `core.workbench.codes.CodeKind`.
`last_version`: the highest number that a version had, so that none is used twice."""

code_versions = Table(
    "code_versions",
    metadata,
    Column("kind", Text, primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("sha256", Text, nullable=False),
    Column("source", CleanText, nullable=False),
    Column("note", CleanText, nullable=False),
    Column("check", Json),
    Column("created_at", UtcTime, nullable=False),
    Index(None, "sha256"),
)
"""Fixed contents; `runs.reward` holds the hash of the reward that a training learns from."""

protocols = Table(
    "protocols",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("sha256", Text, nullable=False),
    Column("protocol", Json, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("deleted_at", UtcTime),
    Index(None, "sha256"),
)
"""How evaluations are made: each version is fixed, and scores cite it. A number is never given to other contents."""

derived_metrics = Table(
    "derived_metrics",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("expression", CleanText, nullable=False),
    Column("note", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)
"""Metrics computed from others."""

alerts = Table(
    "alerts",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", CleanText, nullable=False),
    Column("rule", Json, nullable=False),
    Column("is_active", Boolean, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

alert_firings = Table(
    "alert_firings",
    metadata,
    Column("alert_id", Text, ForeignKey("alerts.id", ondelete="CASCADE"), primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("at", UtcTime, nullable=False),
    Column("value", Finite),
    Column("step", BigInteger),
    Column("message", CleanText, nullable=False),
    Column("deliveries", Json, nullable=False),
    Column("is_open", Boolean, nullable=False),
    Index(None, "at"),
)
"""Which alerts have fired for which runs: once each. `is_open`: a command or webhook of it is not done yet."""
