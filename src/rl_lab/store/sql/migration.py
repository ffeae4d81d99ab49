"""Bring a database to the newest schema.

Alembic costs half a second to import, so it is loaded only when an older schema must be upgraded: a database at
HEAD is left alone, an empty one is made straight from `tables.py`. A test proves that both ways meet.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, inspect, text

from rl_lab.core.errors import NotReady
from rl_lab.store.sql.tables import metadata

HEAD = "0002"
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
    """Alembic's way, step by step; also used on an empty database by the tests."""
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
            f"The database has schema {revision}, which a newer RL Lab wrote; this one knows up to {HEAD}.",
            next_step="Install the newer version again, or start with another home folder.",
        )


def _back_up(path: Path, revision: str) -> None:
    """A whole copy beside the file before its schema changes; one per revision is kept."""
    copy = path.with_name(f"{path.name}.{revision}.bak")
    source = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    target = sqlite3.connect(copy)
    try:
        source.backup(target)
    finally:
        source.close()
        target.close()
