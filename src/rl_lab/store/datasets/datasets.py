"""Datasets: their names, and the rows of their versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, func, insert, or_, select, update

from rl_lab.core.datasets.datasets import Dataset, DatasetStatistics, DatasetVersion
from rl_lab.core.datasets.fitting import is_same_kind
from rl_lab.core.datasets.manifest import DatasetManifest
from rl_lab.core.errors import AlreadyExists, NotFound, nearest
from rl_lab.core.words.typed_names import is_same_name
from rl_lab.store.datasets.versions import find_name, to_versions
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.cursors import PageEnd, check_limit, decode_cursor, encode_cursor, parse_sort
from rl_lab.store.sql.keysets import Keyset, SortColumn, text_order, whole_order
from rl_lab.store.sql.tables import dataset_versions, datasets

LONGEST_STEM = 58
"""Of a name that gets a number: names have at most 64 letters."""
_d, _v = datasets.c, dataset_versions.c


@dataclass(frozen=True)
class DatasetFilter:
    env_id: str | None = None
    q: str | None = None
    """Words that all occur in the name, the note, or the environment, source or licence of a version."""


@dataclass(frozen=True)
class DatasetListing:
    items: list[Dataset]
    next_cursor: str | None
    total: int


def _newest(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """A column of the newest version."""
    query = select(column).where(_v.dataset == _d.name).order_by(_v.version.desc()).limit(1)
    return query.correlate(datasets).scalar_subquery()


_SORTS: dict[str, SortColumn] = {
    "updated_at": whole_order(_d.updated_at),
    "created_at": whole_order(_d.created_at),
    "name": text_order(_d.name),
    "episodes": whole_order(_newest(_v.episodes), nullable=True),
    "transitions": whole_order(_newest(_v.transitions), nullable=True),
    "size": whole_order(_newest(_v.size), nullable=True),
    "env_id": text_order(_newest(_v.env_id), nullable=True),
}
DATASET_SORTS = tuple(_SORTS)


def find_page(
    conn: Connection,
    wanted: DatasetFilter,
    sort: str = "-updated_at",
    limit: int = 50,
    cursor: str | None = None,
) -> DatasetListing:
    order = parse_sort(sort, DATASET_SORTS)
    conditions = _conditions(wanted)
    total = conn.execute(select(func.count()).select_from(datasets).where(*conditions)).scalar_one()
    keyset = Keyset(_SORTS[order.name], _d.name, order.descending)
    query = select(datasets, keyset.column.key.label("sort_key")).where(*conditions)
    if cursor is not None:
        query = query.where(keyset.after(decode_cursor(cursor, order, str)))
    found = conn.execute(keyset.ordered(query).limit(check_limit(limit) + 1)).all()
    page = found[:limit]
    more = encode_cursor(order, PageEnd(page[-1].sort_key, page[-1].name)) if len(found) > limit else None
    return DatasetListing(_to_datasets(conn, page), more, total)


def find(conn: Connection, name: str) -> Dataset | None:
    """Names are compared as a person reads and types them."""
    called = find_name(conn, clean_text(name))
    if called is None:
        return None
    return _to_datasets(conn, conn.execute(select(datasets).where(_d.name == called)).all())[0]


def get(conn: Connection, name: str) -> Dataset:
    found = find(conn, name)
    if found is None:
        close = nearest(name, list(conn.execute(select(_d.name)).scalars()), 1)
        raise NotFound(
            f"There is no dataset “{name}”.{f' Did you mean {close[0]}?' if close else ''}",
            next_step="`rl-lab datasets` lists the datasets; `rl-lab datasets make NAME RUN` makes one.",
        )
    return found


def get_version(conn: Connection, name: str, version: int | None) -> DatasetVersion:
    """This version; the newest one when none is named."""
    dataset = get(conn, name)
    for one in dataset.versions:
        if version in (None, one.version):
            return one
    there = ", ".join(f"v{one.version}" for one in dataset.versions) or "none"
    raise NotFound(
        f"The dataset “{dataset.name}” has no version {version or 'yet'}.", next_step=f"It has: {there}."
    )


def require_free(conn: Connection, name: str, renamed: str = "") -> None:
    """Also against names that are typed the same, as “cart pole” and “cart-pole”; `renamed` may keep its word."""
    for taken in conn.execute(select(_d.name)).scalars():
        if taken != renamed and is_same_name(taken, name):
            raise AlreadyExists(f"There is a dataset “{taken}” already.", next_step="Choose another name.")


def create(conn: Connection, name: str, note: str = "") -> None:
    now = datetime.now(UTC)
    row = {"name": name, "note": note, "keep": None, "created_at": now, "updated_at": now}
    conn.execute(insert(datasets), row)


def find_or_create(conn: Connection, name: str, manifest: DatasetManifest, note: str = "") -> Dataset:
    """The dataset of this name; under another name where this one holds other spaces."""
    number, called = 1, name
    while True:
        found = find(conn, called)
        if found is None:
            create(conn, called, note)
            return get(conn, called)
        if is_same_kind(found, manifest):
            return found
        number += 1
        called = f"{name[:LONGEST_STEM]}-{number}"


def free_name(conn: Connection, name: str) -> str:
    """This name, with a number at its end where a dataset is called so already."""
    number, called = 1, name
    while find_name(conn, called) is not None:
        number += 1
        called = f"{name[:LONGEST_STEM]}-{number}"
    return called


def next_version(conn: Connection, name: str) -> int:
    """Numbers are not used twice as long as a later version exists."""
    return (conn.execute(select(func.max(_v.version)).where(_v.dataset == name)).scalar() or 0) + 1


def add_version(
    conn: Connection,
    name: str,
    version: int,
    manifest: DatasetManifest,
    *,
    statistics: DatasetStatistics | None,
    run_id: str | None,
) -> None:
    now = datetime.now(UTC)
    row = {
        "dataset": name,
        "version": version,
        **{
            field: getattr(manifest, field)
            for field in ("sha256", "env_id", "episodes", "transitions", "size")
        },
        "run_id": run_id,
        "pinned": False,
        "licence": manifest.licence,
        "source": manifest.source,
        "manifest": manifest.model_dump(mode="json"),
        "statistics": statistics.model_dump(mode="json") if statistics else None,
        "integrity": _checked_now(),
        "verification": None,
        "created_at": now,
    }
    conn.execute(insert(dataset_versions), row)
    touch(conn, name)


def repair_version(conn: Connection, found: DatasetVersion, manifest: DatasetManifest) -> None:
    """The version has whole files again, which this manifest describes."""
    changed = {"manifest": manifest.model_dump(mode="json"), "size": manifest.size}
    change_version(conn, found.name, found.version, **changed, integrity=_checked_now())


def _checked_now() -> dict[str, str]:
    """Of files whose checksums were taken a moment ago."""
    now = datetime.now(UTC).isoformat()
    return {"integrity": "intact", "integrity_message": "", "checked_at": now}


def change_version(conn: Connection, name: str, version: int, **fields: Any) -> None:
    conn.execute(update(dataset_versions).where(_v.dataset == name, _v.version == version).values(**fields))
    touch(conn, name)


def change(conn: Connection, name: str, **fields: Any) -> None:
    values = {**fields, "updated_at": datetime.now(UTC)}
    conn.execute(update(datasets).where(_d.name == name).values(**values))


def rename(conn: Connection, dataset: Dataset, new_name: str) -> None:
    """By way of a name that nobody can give, because versions refer to the name and only its case may change."""
    require_free(conn, new_name, renamed=dataset.name)
    row = dataset.model_dump(include={"note", "keep", "created_at", "updated_at"})
    for before, after in ((dataset.name, f"~{dataset.name}"), (f"~{dataset.name}", new_name)):
        conn.execute(insert(datasets), {"name": after, **row})
        conn.execute(update(dataset_versions).where(_v.dataset == before).values(dataset=after))
        conn.execute(delete(datasets).where(_d.name == before))


def remove(conn: Connection, name: str) -> None:
    """With all versions."""
    conn.execute(delete(dataset_versions).where(_v.dataset == name))
    conn.execute(delete(datasets).where(_d.name == name))


def remove_version(conn: Connection, name: str, version: int) -> None:
    conn.execute(delete(dataset_versions).where(_v.dataset == name, _v.version == version))
    touch(conn, name)


def touch(conn: Connection, name: str) -> None:
    change(conn, name)


def list_hashes(conn: Connection) -> dict[tuple[str, int], str]:
    """The hash of every name and version, for comparison with the folders."""
    return {
        (name, version): sha256
        for name, version, sha256 in conn.execute(select(_v.dataset, _v.version, _v.sha256))
    }


def _conditions(wanted: DatasetFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if wanted.env_id is not None:
        of_env = select(_v.dataset).where(_v.env_id == clean_text(wanted.env_id))
        conditions.append(_d.name.in_(of_env))
    for word in clean_text(wanted.q or "").lower().split():
        texts = (_v.env_id, _v.source, _v.licence)
        of_version = select(_v.dataset).where(or_(*(_has(text, word) for text in texts)))
        conditions.append(or_(_has(_d.name, word), _has(_d.note, word), _d.name.in_(of_version)))
    return conditions


def _has(column: ColumnElement[Any], word: str) -> ColumnElement[bool]:
    return func.lower(column).contains(word, autoescape=True)


def _to_datasets(conn: Connection, rows: Sequence[Row[Any]]) -> list[Dataset]:
    names = [row.name for row in rows]
    query = select(dataset_versions).where(_v.dataset.in_(names)).order_by(_v.version.desc())
    versions: dict[str, list[DatasetVersion]] = {name: [] for name in names}
    for one in to_versions(conn, conn.execute(query).all()):
        versions[one.name].append(one)
    fields = ("name", "note", "keep", "created_at", "updated_at")
    return [
        Dataset(**{field: row._mapping[field] for field in fields}, versions=versions[row.name])
        for row in rows
    ]
