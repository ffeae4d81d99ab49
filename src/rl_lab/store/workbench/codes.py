"""User code by kind and name, with its versions. A version never changes; equal contents are one version."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from rl_lab.core.errors import AlreadyExists, NotFound, nearest
from rl_lab.core.own_environments import OwnEnvironment, slug_of
from rl_lab.core.words.typed_names import is_same_name
from rl_lab.core.workbench.code_kinds import FORMS, CodeKind
from rl_lab.core.workbench.codes import Code, CodeChoice, CodeVersion, NewCode, code_hash
from rl_lab.store.sql.tables import runs
from rl_lab.store.sql.workbench_tables import code_versions, codes

_c, _v = codes.c, code_versions.c
MOST_USERS = 20
"""Copies that are looked at when a reward is no longer saved; one is usually enough."""


def list_codes(conn: Connection, kind: CodeKind, env_id: str | None = None) -> list[Code]:
    """Changed last comes first; `env_id`: only what was written for it, or for any environment."""
    query = select(codes).where(_c.kind == kind).order_by(_c.updated_at.desc(), _c.name)
    if env_id is not None:
        query = query.where(_c.env_id.in_(["", env_id]))
    return [_to_code(conn, row) for row in conn.execute(query).all()]


def find(conn: Connection, kind: CodeKind, name: str) -> Code | None:
    """Names are compared as a person reads and types them."""
    rows = conn.execute(select(codes).where(_c.kind == kind)).all()
    same = [row for row in rows if row.name == name] or [row for row in rows if is_same_name(row.name, name)]
    return _to_code(conn, same[0]) if same else None


def get(conn: Connection, kind: CodeKind, name: str) -> Code:
    found = find(conn, kind, name)
    if found is None:
        noun, plural = FORMS[kind].noun, FORMS[kind].plural
        known = list(conn.execute(select(_c.name).where(_c.kind == kind)).scalars())
        close = nearest(name, known, 1)
        raise NotFound(
            f"There is no {noun} “{name}”.{f' Did you mean {close[0]}?' if close else ''}",
            next_step=f"`rl-lab {plural}` lists what is saved.",
        )
    return found


def get_version(conn: Connection, kind: CodeKind, choice: CodeChoice) -> CodeVersion:
    """The version that a choice means: the one it names, else one with the contents that it names; NotFound."""
    code = find(conn, kind, choice.name)
    named = (
        next((one for one in code.versions if choice.version in (None, one.version)), None) if code else None
    )
    if named is not None and choice.sha256 in (None, named.sha256):
        return named
    same = find_contents(conn, kind, choice.sha256) if choice.sha256 is not None else None
    if same is not None:
        return same
    code, noun = get(conn, kind, choice.name), FORMS[kind].noun
    if named is not None:
        raise NotFound(
            f"The {noun} {choice} has other contents here: {named.sha256[:12]} instead of "
            f"{(choice.sha256 or '')[:12]}.",
            next_step="Leave the hash out to use what is saved here, or save the other contents first.",
        )
    there = ", ".join(f"v{one.version}" for one in code.versions) or "none"
    raise NotFound(
        f"The {noun} “{code.name}” has no version {choice.version}.", next_step=f"It has: {there}."
    )


def find_contents(conn: Connection, kind: CodeKind, sha256: str) -> CodeVersion | None:
    """The newest version with these contents, whatever its name is."""
    query = select(code_versions).where(_v.kind == kind, _v.sha256 == sha256)
    row = conn.execute(query.order_by(_v.created_at.desc()).limit(1)).one_or_none()
    return _to_versions(conn, [row])[0] if row is not None else None


def find_own(conn: Connection, own: OwnEnvironment) -> CodeVersion | None:
    """The saved version that is executed under this id; None when it was deleted, or came with a pack."""
    query = select(code_versions).where(_v.kind == CodeKind.environment, _v.version == own.version)
    row = next((row for row in conn.execute(query) if slug_of(row.name) == own.slug), None)
    return _to_versions(conn, [row])[0] if row is not None else None


def save(conn: Connection, kind: CodeKind, new: NewCode, after: int = 0) -> CodeVersion:
    """A new version, or the version of this name that has the same contents already.

    `after`: a number that is taken already, by files of a name that was removed.
    """
    now, sha256 = datetime.now(UTC), code_hash(new.source)
    code = find(conn, kind, new.name)
    if code is None:
        row = {"kind": kind, "name": new.name, "env_id": new.env_id, "note": "", "last_version": 0}
        conn.execute(insert(codes), {**row, "created_at": now, "updated_at": now})
        code = get(conn, kind, new.name)
    same = next((one for one in code.versions if one.sha256 == sha256), None)
    if same is not None:
        return same
    number = max(_next_version(conn, kind, code.name), after + 1)
    row = {"kind": kind, "name": code.name, "version": number, "sha256": sha256, "source": new.source}
    conn.execute(insert(code_versions), {**row, "note": new.note, "check": None, "created_at": now})
    change(conn, kind, code.name, last_version=number, **({"env_id": new.env_id} if new.env_id else {}))
    return get_version(conn, kind, CodeChoice(name=code.name, version=number))


def _next_version(conn: Connection, kind: CodeKind, name: str) -> int:
    """A number is not used again when its version is deleted: runs and people name it."""
    query = select(_c.last_version).where(_c.kind == kind, _c.name == name)
    return int(conn.execute(query).scalar_one()) + 1


def keep_check(conn: Connection, kind: CodeKind, sha256: str, check: dict[str, Any]) -> bool:
    """What trying these contents has shown, for all names that have them; False if they are not saved."""
    same = update(code_versions).where(_v.kind == kind, _v.sha256 == sha256)
    return conn.execute(same.values(check=check)).rowcount > 0


def keep_version_check(conn: Connection, version: CodeVersion, check: dict[str, Any]) -> None:
    """What trying this version has shown. That of an environment has its id, so equal contents do not share it."""
    of_version = (_v.kind == version.kind) & (_v.name == version.name) & (_v.version == version.version)
    conn.execute(update(code_versions).where(of_version).values(check=check))


def change(conn: Connection, kind: CodeKind, name: str, **fields: Any) -> None:
    values = {**fields, "updated_at": datetime.now(UTC)}
    conn.execute(update(codes).where(_c.kind == kind, _c.name == name).values(**values))


def rename(conn: Connection, kind: CodeKind, name: str, new_name: str) -> None:
    for taken in conn.execute(select(_c.name).where(_c.kind == kind)).scalars():
        if taken != name and is_same_name(taken, new_name):
            noun = FORMS[kind].noun
            raise AlreadyExists(f"There is a {noun} “{taken}” already.", next_step="Choose another name.")
    conn.execute(update(code_versions).where(_v.kind == kind, _v.name == name).values(name=new_name))
    renamed = {"name": new_name, "updated_at": datetime.now(UTC)}
    conn.execute(update(codes).where(_c.kind == kind, _c.name == name).values(**renamed))


def remove(conn: Connection, kind: CodeKind, name: str) -> None:
    """With all versions; runs keep a copy of the code that they use."""
    conn.execute(delete(code_versions).where(_v.kind == kind, _v.name == name))
    conn.execute(delete(codes).where(_c.kind == kind, _c.name == name))


def remove_version(conn: Connection, kind: CodeKind, name: str, version: int) -> None:
    conn.execute(delete(code_versions).where(_v.kind == kind, _v.name == name, _v.version == version))


def _to_code(conn: Connection, row: Row[Any]) -> Code:
    query = select(code_versions).where(_v.kind == row.kind, _v.name == row.name)
    versions = conn.execute(query.order_by(_v.version.desc())).all()
    about = {name: value for name, value in row._mapping.items() if name != "last_version"}
    return Code(**about, versions=_to_versions(conn, versions))


def _to_versions(conn: Connection, rows: Sequence[Row[Any]]) -> list[CodeVersion]:
    used = _count_used(conn, {row.sha256 for row in rows})
    return [CodeVersion(**row._mapping, used_by=used.get(row.sha256, 0)) for row in rows]


def list_users(conn: Connection, sha256: str) -> list[str]:
    """Ids of the trainings that learn from these contents, newest first: each has a copy."""
    query = select(runs.c.id).where(runs.c.reward == sha256, runs.c.deleted_at.is_(None))
    return list(conn.execute(query.order_by(runs.c.created_at.desc()).limit(MOST_USERS)).scalars())


def _count_used(conn: Connection, hashes: set[str]) -> dict[str, int]:
    is_here = runs.c.deleted_at.is_(None)
    query = select(runs.c.reward, func.count()).where(runs.c.reward.in_(hashes), is_here)
    return {str(sha256): int(n) for sha256, n in conn.execute(query.group_by(runs.c.reward))}
