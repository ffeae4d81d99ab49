"""Migrates a database to the newest schema.

Importing Alembic takes half a second, so it is imported only if an older schema must be upgraded: a database at
HEAD is not changed, an empty one is created directly from `tables.py`. A test checks that both give the same schema.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, inspect, text

from rl_lab.core.errors import NotReady
from rl_lab.store.sql import workbench_tables  # noqa: F401  its tables belong to the schema
from rl_lab.store.sql.tables import metadata

HEAD = "0009"
"""Newest revision in migrations/versions."""


def migrate(engine: Engine, backup_of: Path | None = None) -> None:
    with engine.begin() as conn:
        revision = current_revision(conn)
        if revision == HEAD:
            return
        if revision is None:
            _create(conn)
            return
    if backup_of is not None:
        _back_up(backup_of, revision)
    upgrade(engine)


def current_revision(conn: Connection) -> str | None:
    """The schema's revision; None for an empty database."""
    if not inspect(conn).has_table("alembic_version"):
        return None
    return conn.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Upgrades step by step with Alembic; tests also use it on an empty database."""
    from alembic import command

    with engine.begin() as conn:
        config = alembic_config(conn)
        _refuse_newer(config, current_revision(conn))
        command.upgrade(config, revision)


def alembic_config(conn: Connection | None = None) -> Any:
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = conn
    return config


def _create(conn: Connection) -> None:
    metadata.create_all(conn)
    conn.execute(
        text(
            "CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL CONSTRAINT alembic_version_pkc PRIMARY KEY)"
        )
    )
    conn.execute(text("INSERT INTO alembic_version (version_num) VALUES (:head)"), {"head": HEAD})


def _refuse_newer(config: Any, revision: str | None) -> None:
    from alembic.script import ScriptDirectory

    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise NotReady(
            f"The database has schema {revision} of a newer RL Lab; this version supports up to {HEAD}.",
            next_step="Install the newer version again, or use another home folder.",
        )


def _back_up(path: Path, revision: str) -> None:
    """Makes a full copy next to the file before its schema changes; one copy per revision is kept."""
    copy = path.with_name(f"{path.name}.{revision}.bak")
    source = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    target = sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()
