"""Every released schema is upgraded to the newest one, and both ways to a new database meet.

When a revision is released, its id is added to RELEASED; the harness then upgrades a database of that age.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic.script import ScriptDirectory
from support.waiting import DEADLINE_S

from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runs import Progress, Run, Summary
from rl_lab.store import runs
from rl_lab.store.sql import migration, tables
from rl_lab.store.sql.database import Database

RELEASED = ["0001", "0002", "0003", "0004", "0005", "0006"]


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Engine]:
    url = (
        f"sqlite:///{tmp_path}/lab.db"
        if request.param == "sqlite"
        else request.getfixturevalue("empty_postgresql")
    )
    engine = sa.create_engine(url)
    yield engine
    engine.dispose()


def schema(engine: sa.Engine) -> dict[str, Any]:
    """All that can be seen of the tables, comparable."""
    look = sa.inspect(engine)
    found: dict[str, Any] = {}
    for table in sorted(look.get_table_names()):
        found[table] = {
            "columns": [
                (c["name"], str(c["type"]), c["nullable"], bool(c.get("autoincrement") is True))
                for c in look.get_columns(table)
            ],
            "primary": look.get_pk_constraint(table),
            "foreign": sorted(map(str, look.get_foreign_keys(table))),
            "unique": sorted(map(str, look.get_unique_constraints(table))),
            "indexes": sorted(map(str, look.get_indexes(table))),
        }
    return found


def empty(engine: sa.Engine) -> None:
    with engine.begin() as conn:
        metadata = sa.MetaData()
        metadata.reflect(conn)
        metadata.drop_all(conn)


def test_the_constant_names_the_newest_revision() -> None:
    scripts = ScriptDirectory.from_config(migration.alembic_config())
    assert scripts.get_current_head() == migration.HEAD
    assert migration.HEAD in RELEASED or RELEASED[-1] < migration.HEAD


@pytest.mark.parametrize("released", RELEASED)
def test_a_released_schema_upgrades_to_what_a_new_database_has(engine: sa.Engine, released: str) -> None:
    migration.migrate(engine)
    fresh = schema(engine)
    empty(engine)
    migration.upgrade(engine, released)
    migration.migrate(engine)
    assert schema(engine) == fresh
    with engine.connect() as conn:
        assert migration.current_revision(conn) == migration.HEAD


def test_migrating_twice_changes_nothing(engine: sa.Engine) -> None:
    migration.migrate(engine)
    before = schema(engine)
    migration.migrate(engine)
    assert schema(engine) == before


def test_a_schema_of_a_newer_version_is_refused_in_words(engine: sa.Engine) -> None:
    migration.migrate(engine)
    with engine.begin() as conn:
        conn.execute(sa.text("UPDATE alembic_version SET version_num='9999'"))
    with pytest.raises(NotReady, match="newer RL Lab"):
        migration.migrate(engine)


def test_an_older_file_is_copied_before_it_is_changed(tmp_path: Path) -> None:
    async def open_old() -> None:
        db = Database(tmp_path)
        await db.migrate()
        await db.write(lambda c: c.execute(sa.text("UPDATE alembic_version SET version_num='0000'")))
        with pytest.raises(NotReady):
            await db.migrate()
        await db.close()

    asyncio.run(open_old())
    copy = sa.create_engine(f"sqlite:///{tmp_path}/lab.db.0000.bak")
    assert "runs" in sa.inspect(copy).get_table_names()
    copy.dispose()


def test_opening_a_database_that_is_up_to_date_does_not_load_alembic(tmp_path: Path) -> None:
    program = (
        "import asyncio, sys; from rl_lab.store.sql.database import Database\n"
        "async def main():\n"
        f"    db = Database(__import__('pathlib').Path({str(tmp_path)!r})); await db.migrate(); await db.close()\n"
        "asyncio.run(main()); asyncio.run(main()); print('alembic' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=DEADLINE_S, check=True
    )
    assert done.stdout.strip() == "False"


SETTINGS = {
    "learning_rate": 3e-4,
    "activation": "Tanh",
    "net_arch": [64, 64],
    "normalize": True,
    "huge": 2**70,
}
ADDED = ("seed", "total_timesteps", "preset", "episodes", "best_mean_reward")


def a_training(run_id: str, **fields: Any) -> Run:
    now = datetime.now(UTC)
    config = TrainConfig(algorithm="ppo", env_id="CartPole-v1", **fields)
    progress, summary = Progress(episodes=7), Summary(best_mean_reward=12.5)
    return Run(
        id=run_id,
        name=run_id,
        config=config,
        progress=progress,
        summary=summary,
        created_at=now,
        updated_at=now,
    )


def test_settings_of_older_runs_are_found_as_those_of_new_ones(engine: sa.Engine) -> None:
    migration.migrate(engine)
    tuned = a_training(
        "tuned", seed=3, preset="fast", params=SETTINGS, args={"lr": 0.5, "learning_rate": 9, "": None}
    )
    with engine.begin() as conn:
        runs.insert_all(conn, [tuned, a_training("plain", seed=None)])
        written = {table.name: rows_of(conn, table) for table in (tables.runs, tables.run_documents)}
        wanted = found_by(conn)
    empty(engine)
    migration.upgrade(engine, "0002")
    known = {column["name"] for column in sa.inspect(engine).get_columns("runs")}
    with engine.begin() as conn:
        older = [{k: v for k, v in row.items() if k in known} for row in written["runs"]]
        conn.execute(sa.insert(tables.runs), older)
        conn.execute(sa.insert(tables.run_documents), written["run_documents"])
    migration.migrate(engine)
    with engine.connect() as conn:
        assert found_by(conn) == wanted
        assert rows_of(conn, tables.run_documents) == written["run_documents"]


def rows_of(conn: sa.Connection, table: sa.Table) -> list[dict[str, Any]]:
    return [dict(row._mapping) for row in conn.execute(sa.select(table).order_by(*table.primary_key.columns))]


def found_by(conn: sa.Connection) -> list[Any]:
    """What lists filter and sort by: parameters, and the added columns."""
    added = sa.select(tables.runs.c.id, *(tables.runs.c[name] for name in ADDED)).order_by(tables.runs.c.id)
    return [rows_of(conn, tables.run_parameters), [tuple(row) for row in conn.execute(added)]]
