"""Versions of datasets: what each one holds, and which trainings learned from it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select, update
from sqlalchemy.sql import ColumnElement

from rl_lab.core.datasets.datasets import DatasetVersion
from rl_lab.core.datasets.manifest import DatasetManifest
from rl_lab.core.jobs.kinds import RunKind
from rl_lab.core.words.typed_names import is_same_name
from rl_lab.store.sql.tables import dataset_versions, datasets, runs

_v = dataset_versions.c
FileStamps = list[list[Any]]
"""Name, size, time of writing, inode and time of change of each file of a version."""
STAMPS = "stamps"
"""In the column `integrity`, next to the fields of the last check."""
OF_MANIFEST = ("env_kwargs", "observation_space", "action_space", "sources", "notes", "reference")
OF_ROW = ("version", "sha256", "env_id", "episodes", "transitions", "size", "licence", "source", "pinned")


def find_version(conn: Connection, name: str, version: int | None = None) -> DatasetVersion | None:
    """This version of a dataset, the newest one when none is named."""
    called = find_name(conn, name)
    if called is None:
        return None
    query = select(dataset_versions).where(_v.dataset == called)
    if version is not None:
        query = query.where(_v.version == version)
    row = conn.execute(query.order_by(_v.version.desc()).limit(1)).one_or_none()
    return to_versions(conn, [row])[0] if row is not None else None


def find_name(conn: Connection, name: str) -> str | None:
    """The dataset that a person means: names are compared without case, and with spaces as one types them."""
    taken = list(conn.execute(select(datasets.c.name)).scalars())
    same = [one for one in taken if one == name] or [one for one in taken if one.lower() == name.lower()]
    return next(iter(same), None) or next((one for one in taken if is_same_name(one, name)), None)


def find_contents(conn: Connection, sha256: str) -> DatasetVersion | None:
    """The newest version with these contents, under whatever name."""
    return next(iter(list_contents(conn, sha256)), None)


def list_contents(conn: Connection, sha256: str) -> list[DatasetVersion]:
    """All versions with these contents, newest first."""
    query = select(dataset_versions).where(_v.sha256 == sha256).order_by(_v.created_at.desc())
    return to_versions(conn, conn.execute(query).all())


def total_bytes(conn: Connection) -> int:
    """Of all versions."""
    return int(conn.execute(select(func.coalesce(func.sum(_v.size), 0))).scalar_one())


def find_manifest(conn: Connection, name: str, version: int) -> DatasetManifest | None:
    """What dataset.json of this version says."""
    query = select(_v.manifest).where(_v.dataset == name, _v.version == version)
    found = conn.execute(query).scalar_one_or_none()
    return DatasetManifest.model_validate(found) if found is not None else None


def find_stamps(conn: Connection, version: DatasetVersion) -> FileStamps | None:
    """Those of the files when they were last compared with their checksums, and were intact."""
    found = conn.execute(select(_v.integrity).where(_is(version))).scalar_one_or_none()
    return found.get(STAMPS) if found is not None else None


def note_compared(conn: Connection, version: DatasetVersion, stamps: FileStamps, wrong: str) -> None:
    """What a comparison of these files has found; `wrong` is empty for intact ones."""
    integrity: dict[str, Any] = {
        "integrity": "damaged" if wrong else "intact",
        "integrity_message": wrong,
        "checked_at": datetime.now(UTC).isoformat(),
    }
    if not wrong:
        integrity[STAMPS] = stamps
    conn.execute(update(dataset_versions).where(_is(version)).values(integrity=integrity))


def _is(version: DatasetVersion) -> ColumnElement[bool]:
    return (_v.dataset == version.name) & (_v.version == version.version) & (_v.sha256 == version.sha256)


def list_newest(conn: Connection) -> list[DatasetVersion]:
    """The newest version of each dataset, by name."""
    newest = select(_v.dataset, func.max(_v.version).label("version")).group_by(_v.dataset).subquery()
    is_newest = (newest.c.dataset == _v.dataset) & (newest.c.version == _v.version)
    rows = conn.execute(select(dataset_versions).join(newest, is_newest).order_by(_v.dataset)).all()
    return to_versions(conn, rows)


def to_versions(conn: Connection, rows: Sequence[Row[Any]]) -> list[DatasetVersion]:
    """Rows of `dataset_versions`; the column `integrity` holds the fields of its last check by their names."""
    learned = _count_learned(conn, {row.sha256 for row in rows})
    return [
        DatasetVersion.model_validate(
            {
                "name": row.dataset,
                **{name: row._mapping[name] for name in (*OF_ROW, "run_id", "statistics", "verification")},
                **{name: row.manifest[name] for name in OF_MANIFEST if name in row.manifest},
                **row.integrity,
                "learned_by": learned.get(row.sha256, 0),
                "created_at": row.created_at,
            }
        )
        for row in rows
    ]


def _count_learned(conn: Connection, hashes: set[str]) -> dict[str, int]:
    """Trainings by the contents that they learned from."""
    query = select(runs.c.dataset, func.count().label("trainings")).where(runs.c.dataset.in_(sorted(hashes)))
    query = query.where(runs.c.kind == RunKind.train, runs.c.deleted_at.is_(None))
    return {row.dataset: row.trainings for row in conn.execute(query.group_by(runs.c.dataset))}
