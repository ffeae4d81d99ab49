"""The tables of lab.db, for SQLite and PostgreSQL.

Fields that lists filter or sort by are columns; all others are JSON. A change here needs a migration.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
    false,
)

from rl_lab.store.sql.columns import CleanText, Finite, Json, UtcTime

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)

_Id = BigInteger().with_variant(Integer, "sqlite")
"""SQLite auto-increments only INTEGER columns."""

runs = Table(
    "runs",
    metadata,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("name", CleanText, nullable=False),
    Column("status", Text, nullable=False),
    Column("paused_wanted", Boolean, nullable=False),
    Column("env_id", CleanText),
    Column("algorithm", CleanText),
    Column("runner", CleanText),
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
    Column("search", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("queued_at", UtcTime),
    Column("started_at", UtcTime),
    Column("ended_at", UtcTime),
    Column("updated_at", UtcTime, nullable=False),
    Column("isolation", Text),
    Column("source", Json),
    Column("seed", BigInteger),
    Column("total_timesteps", BigInteger),
    Column("preset", CleanText),
    Column("episodes", BigInteger),
    Column("best_mean_reward", Finite),
    Column("study_id", Text),
    Column("variant", Integer),
    Column("queue_place", Finite),
    Column("peak_memory", BigInteger),
    Column("origin", Json),
    Column("notes", CleanText, nullable=False, server_default=""),
    Column("started_from", Text),
    Column("exact_resume", Text),
    Column("dataset", Text),
    Column("reward", Text),
    # Answers the default list in its order, and its count, from the index alone.
    Index(None, "kind", "archived", "deleted_at", "created_at", "id"),
    Index(None, "status"),
    # The first and the last waiting run of a priority, from the index alone.
    Index(None, "status", "priority", "queue_place"),
    Index(None, "parent_id"),
    Index(None, "study_id"),
    Index(None, "started_from"),
    Index(None, "dataset"),
    Index(None, "reward"),
)

adopted = Table(
    "adopted",
    metadata,
    Column("folder", CleanText, primary_key=True),
    Column("key", CleanText, primary_key=True),
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), nullable=False),
    Column("state", Json),
    Index(None, "run_id"),
)
"""The source of each adopted run, and how far its files have been read; used when a folder is adopted again."""

consents = Table(
    "consents",
    metadata,
    Column("sha256", Text, primary_key=True),
    Column("path", CleanText, nullable=False),
    Column("at", UtcTime, nullable=False),
)
"""Foreign files that the user approved, identified by their contents."""

run_documents = Table(
    "run_documents",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("config", Json, nullable=False),
    Column("progress", Json, nullable=False),
    Column("summary", Json, nullable=False),
)
"""The large fields of a run, in a separate table so that lists filter and sort quickly."""

run_parameters = Table(
    "run_parameters",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("number", Finite),
    Column("text", CleanText, nullable=False),
    # SQLite stores the rows in the order of the key, which is faster to search than any index; PostgreSQL does not.
    Index("ix_run_parameters_number", "name", "number", "run_id").ddl_if(dialect="postgresql"),
    Index("ix_run_parameters_text", "name", "text", "run_id").ddl_if(dialect="postgresql"),
    sqlite_with_rowid=False,
)
"""Each parameter of a run's configuration, as a number if it is one, and as folded text."""

run_metrics = Table(
    "run_metrics",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("name", CleanText, primary_key=True),
    Column("value", Finite),
    Column("is_derived", Boolean, nullable=False, server_default=false()),
    Index("ix_run_metrics_value", "name", "value", "run_id").ddl_if(dialect="postgresql"),
    sqlite_with_rowid=False,
)
"""The last value of each metric of a run that has ended. `is_derived`: computed from others, not measured."""

run_tags = Table(
    "run_tags",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("tag", CleanText, primary_key=True),
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
    Column("resume_from", CleanText),
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
    Column("type", CleanText, nullable=False),
    Column("message", CleanText, nullable=False),
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
    Column("path", CleanText, nullable=False),
    Column("kind", CleanText, nullable=False),
    Column("title", CleanText, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("sha256", CleanText, nullable=False),
    Column("media_type", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("timestep", BigInteger),
    Column("role", CleanText),
    Column("score", Finite),
    Column("pinned", Boolean, nullable=False),
    Column("data", Json, nullable=False),
    Column("tags", Json, nullable=False, server_default="[]"),
    Column("note", CleanText, nullable=False, server_default=""),
    Column("evaluation", Json),
    Column("evaluation_mean", Finite),
    Column("score_episodes", BigInteger),
    UniqueConstraint("run_id", "path"),
    Index(None, "kind", "created_at", "id"),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", Text, primary_key=True),
    Column("token_mark", Text, nullable=False),
    Column("cookie_hash", Text, nullable=False),
    Column("key_hash", Text, nullable=False),
    Column("view_hash", Text, nullable=False),
    Column("user_agent", CleanText, nullable=False),
    Column("address", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("last_seen_at", UtcTime, nullable=False),
)
"""Browsers that are signed in. Of their secrets only keyed hashes are stored."""

studies = Table(
    "studies",
    metadata,
    Column("id", Text, primary_key=True),
    Column("name", CleanText, nullable=False),
    Column("status", Text, nullable=False),
    Column("reason", Json),
    Column("plan", Json, nullable=False),
    Column("env_id", CleanText),
    Column("algorithm", CleanText),
    Column("notes", CleanText, nullable=False),
    Column("tags", Json, nullable=False),
    Column("priority", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("search", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("started_at", UtcTime),
    Column("ended_at", UtcTime),
    Column("updated_at", UtcTime, nullable=False),
    Column("deleted_at", UtcTime),
)
"""Variants × seeds; the runs of a study have its id in `study_id`."""

variants = Table(
    "variants",
    metadata,
    Column("study_id", Text, ForeignKey("studies.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("label", CleanText, nullable=False),
    Column("settings", Json, nullable=False),
    Column("status", Text, nullable=False),
    Column("reason", CleanText),
    Column("value", Finite),
    Column("seeds", Json, nullable=False),
    Column("created", Integer, nullable=False),
)
"""The configurations of a study; the runs of one have its number in `variant`."""

run_curves = Table(
    "run_curves",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, nullable=False),
    Column("full_from", Finite),
    Column("not_finite", Integer, nullable=False),
    Column("points", LargeBinary, nullable=False),
)
"""The mean return of ended runs in few points, so that a thousand runs are compared without opening their files."""

episode_notes = Table(
    "episode_notes",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("episode", BigInteger, primary_key=True),
    Column("text", CleanText, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

views = Table(
    "views",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("view", Json, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)
"""Filters, columns and orders of the table of runs, saved under a name."""

models = Table(
    "models",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("note", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

model_versions = Table(
    "model_versions",
    metadata,
    Column("model", CleanText, ForeignKey("models.name", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("run_id", Text, nullable=False),
    Column("checkpoint_id", Text, nullable=False),
    Column("sha256", Text, nullable=False),
    Column("labels", Json, nullable=False),
    Column("note", CleanText, nullable=False),
    Column("facts", Json, nullable=False, server_default="{}"),
    Column("created_at", UtcTime, nullable=False),
    Index(None, "checkpoint_id"),
)
"""The checkpoints that have a name; they outlive the row of the checkpoint, and then say that it is gone."""

datasets = Table(
    "datasets",
    metadata,
    Column("name", CleanText, primary_key=True),
    Column("note", CleanText, nullable=False),
    Column("keep", Integer),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)

dataset_versions = Table(
    "dataset_versions",
    metadata,
    Column("dataset", CleanText, ForeignKey("datasets.name", ondelete="CASCADE"), primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("sha256", Text, nullable=False),
    Column("env_id", CleanText, nullable=False),
    Column("episodes", BigInteger, nullable=False),
    Column("transitions", BigInteger, nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("run_id", Text),
    Column("pinned", Boolean, nullable=False),
    Column("licence", CleanText, nullable=False),
    Column("source", CleanText, nullable=False),
    Column("manifest", Json, nullable=False),
    Column("statistics", Json),
    Column("integrity", Json, nullable=False),
    Column("verification", Json),
    Column("created_at", UtcTime, nullable=False),
    Index(None, "sha256"),
    Index(None, "env_id"),
)
"""Fixed contents in `datasets/<name>/v<n>/`; `runs.dataset` holds the hash of those that a training learned from."""

play_episodes = Table(
    "play_episodes",
    metadata,
    Column("run_id", Text, ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    Column("episode", BigInteger, primary_key=True),
    Column("env_id", CleanText, nullable=False),
    Column("player", Text, nullable=False),
    Column("seed", BigInteger),
    Column("return", Finite, nullable=False),
    Column("length", BigInteger, nullable=False),
    Column("at", UtcTime, nullable=False),
    Index(None, "env_id", "player", "return"),
)
"""Finished episodes of plays, for the high scores of an environment."""

environment_controls = Table(
    "environment_controls",
    metadata,
    Column("env_id", CleanText, primary_key=True),
    Column("controls", Json, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
)
"""The keys that a user has chosen for an environment."""

meta = Table(
    "meta",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Json),
)
