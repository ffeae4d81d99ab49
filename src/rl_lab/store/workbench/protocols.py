"""Evaluation protocols by name and version. A version never changes, and its number is not given to other contents."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from rl_lab.core.errors import AlreadyExists, NotFound, nearest
from rl_lab.core.words.typed_names import is_same_name
from rl_lab.core.workbench.protocols import (
    BUILT_IN,
    NewProtocol,
    ProtocolVersion,
    SavedProtocol,
    contents_hash,
    read_protocol_choice,
)
from rl_lab.store.sql.workbench_tables import protocols

_c = protocols.c


def list_protocols(conn: Connection) -> list[SavedProtocol]:
    """Changed last comes first; those of the lab itself come last."""
    found: dict[str, list[ProtocolVersion]] = {}
    query = select(protocols).where(_c.deleted_at.is_(None))
    for row in conn.execute(query.order_by(_c.created_at.desc(), _c.version.desc())):
        found.setdefault(row.name, []).append(_to_version(row))
    saved = [SavedProtocol(name=name, versions=_newest_first(versions)) for name, versions in found.items()]
    return [*saved, *(_built_in(one) for one in BUILT_IN.values())]


def find(conn: Connection, name: str) -> SavedProtocol | None:
    """Names are compared as a person reads and types them."""
    known = list_protocols(conn)
    exact = [one for one in known if one.name == name]
    return next(iter(exact or [one for one in known if is_same_name(one.name, name)]), None)


def get(conn: Connection, name: str) -> SavedProtocol:
    found = find(conn, name)
    if found is None:
        close = nearest(name, [one.name for one in list_protocols(conn)], 1)
        raise NotFound(
            f"There is no protocol “{name}”.{f' Did you mean {close[0]}?' if close else ''}",
            next_step="`rl-lab protocols` lists them.",
        )
    return found


def get_version(conn: Connection, written: str) -> ProtocolVersion:
    """`NAME@v2`; the newest version of `NAME`."""
    name, version = read_protocol_choice(written)
    saved = get(conn, name)
    for one in saved.versions:
        if version in (None, one.version):
            return one
    there = ", ".join(f"v{one.version}" for one in saved.versions)
    raise NotFound(f"The protocol “{saved.name}” has no version {version}.", next_step=f"It has: {there}.")


def save(conn: Connection, new: NewProtocol) -> ProtocolVersion:
    """A new version, or the version of this name that has the same contents: only its description changes then."""
    saved = find(conn, new.name)
    if saved is not None and saved.is_built_in:
        raise AlreadyExists(
            f"“{saved.name}” is a protocol of the lab itself.", next_step="Choose another name."
        )
    name = saved.name if saved else new.name
    known = conn.execute(select(protocols).where(_c.name == name)).all()
    sha256 = contents_hash(new)
    same = next((row for row in known if row.sha256 == sha256), None)
    number = same.version if same is not None else max((row.version for row in known), default=0) + 1
    contents = new.model_dump(mode="json", exclude={"name"})
    if same is None:
        row = {"name": name, "version": number, "sha256": sha256, "created_at": datetime.now(UTC)}
        conn.execute(insert(protocols), {**row, "protocol": contents, "deleted_at": None})
    else:
        is_same = (_c.name == name) & (_c.version == number)
        conn.execute(update(protocols).where(is_same).values(protocol=contents, deleted_at=None))
    return get_version(conn, f"{name}@v{number}")


def remove(conn: Connection, name: str) -> None:
    """With all versions; evaluations keep what they were made with."""
    now = datetime.now(UTC)
    conn.execute(update(protocols).where(_c.name == name, _c.deleted_at.is_(None)).values(deleted_at=now))


def _to_version(row: Row[Any]) -> ProtocolVersion:
    about = {"name": row.name, "version": row.version, "sha256": row.sha256, "created_at": row.created_at}
    return ProtocolVersion(**{**row.protocol, **about})


def _built_in(protocol: ProtocolVersion) -> SavedProtocol:
    return SavedProtocol(name=protocol.name, versions=[protocol], is_built_in=True)


def _newest_first(versions: Iterable[ProtocolVersion]) -> list[ProtocolVersion]:
    return sorted(versions, key=lambda one: -one.version)
