"""Named models and their versions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Row, delete, func, insert, select, update

from rl_lab.core.errors import AlreadyExists, NotFound, nearest
from rl_lab.core.models.models import Model, ModelVersion, VersionFacts
from rl_lab.core.words.typed_names import is_same_name
from rl_lab.store.models.checkpoint_pages import list_items
from rl_lab.store.sql.columns import clean_text
from rl_lab.store.sql.tables import model_versions, models, runs

_v = model_versions.c


def list_all(conn: Connection) -> list[Model]:
    """The one changed last first."""
    rows = conn.execute(select(models).order_by(models.c.updated_at.desc(), models.c.name)).all()
    return _to_models(conn, rows)


def get(conn: Connection, name: str) -> Model:
    """Names are compared without case, as a person reads them."""
    row = _find_row(conn, name)
    if row is None:
        known = list(conn.execute(select(models.c.name)).scalars())
        close = nearest(name, known, 1)
        raise NotFound(
            f"There is no model “{name}”.{f' Did you mean {close[0]}?' if close else ''}",
            next_step="`rl-lab models` lists the models; `rl-lab models add NAME RUN@best` makes one.",
        )
    return _to_models(conn, [row])[0]


def get_version(conn: Connection, name: str, version: int) -> ModelVersion:
    model = get(conn, name)
    for one in model.versions:
        if one.version == version:
            return one
    there = ", ".join(f"v{one.version}" for one in model.versions) or "none"
    raise NotFound(f"The model “{model.name}” has no version {version}.", next_step=f"It has: {there}.")


def create(conn: Connection, name: str, renamed: str = "") -> None:
    require_free(conn, name, renamed)
    now = datetime.now(UTC)
    conn.execute(insert(models), {"name": name, "note": "", "created_at": now, "updated_at": now})


def require_free(conn: Connection, name: str, renamed: str = "") -> None:
    """Also against names that are typed the same, as “cart pole” and “cart-pole”; `renamed` may keep its word."""
    for taken in conn.execute(select(models.c.name)).scalars():
        if taken != renamed and is_same_name(taken, name):
            raise AlreadyExists(
                f"There is a model “{taken}” already.",
                next_step=f"Add a version to it: `rl-lab models add '{taken}' RUN@best`; or choose another name.",
            )


def change(conn: Connection, name: str, *, new_name: str | None, note: str | None) -> Model:
    """Renames a model, or changes its note."""
    model = get(conn, name)
    if new_name is not None and new_name != model.name:
        _rename(conn, model, new_name)
    kept = new_name or model.name
    fields = {} if note is None else {"note": note}
    conn.execute(update(models).where(models.c.name == kept).values(updated_at=datetime.now(UTC), **fields))
    return get(conn, kept)


def _rename(conn: Connection, model: Model, new_name: str) -> None:
    if new_name.lower() != model.name.lower():
        create(conn, new_name, renamed=model.name)
        conn.execute(update(model_versions).where(_v.model == model.name).values(model=new_name))
        fields = {"note": model.note, "created_at": model.created_at}
        conn.execute(update(models).where(models.c.name == new_name).values(**fields))
        conn.execute(delete(models).where(models.c.name == model.name))
        return
    # Only the case changes: by way of a name that nobody can give, because versions refer to the name.
    aside = f"~{model.name}"
    for before, after in ((model.name, aside), (aside, new_name)):
        row = {"note": model.note, "created_at": model.created_at, "updated_at": model.updated_at}
        conn.execute(insert(models), {"name": after, **row})
        conn.execute(update(model_versions).where(_v.model == before).values(model=after))
        conn.execute(delete(models).where(models.c.name == before))


def remove(conn: Connection, name: str) -> None:
    """With all versions."""
    conn.execute(delete(model_versions).where(_v.model == name))
    conn.execute(delete(models).where(models.c.name == name))


def next_version(conn: Connection, name: str) -> int:
    """Numbers are not used twice as long as a later version exists."""
    return (conn.execute(select(func.max(_v.version)).where(_v.model == name)).scalar() or 0) + 1


def require_new_contents(conn: Connection, name: str, sha256: str) -> None:
    query = select(_v.version).where(_v.model == name, _v.sha256 == sha256)
    version = conn.execute(query.order_by(_v.version.desc()).limit(1)).scalar_one_or_none()
    if version is not None:
        raise AlreadyExists(
            f"This checkpoint is v{version} of “{name}” already.",
            next_step=f"Give that version a label: `rl-lab models label '{name}@v{version}' LABEL`.",
        )


def add_version(conn: Connection, name: str, version: ModelVersion) -> None:
    require_new_contents(conn, name, version.sha256)
    facts = version.model_dump(mode="json", include=set(VersionFacts.model_fields))
    fields = ("version", "run_id", "checkpoint_id", "sha256", "note", "created_at")
    row = {"model": name, "labels": [], "facts": facts, **{f: getattr(version, f) for f in fields}}
    conn.execute(insert(model_versions), row)
    put_labels(conn, name, version.version, version.labels)


def put_labels(conn: Connection, name: str, version: int, labels: Sequence[str]) -> None:
    """Gives a version exactly these labels; other versions lose them."""
    wanted = list(dict.fromkeys(labels))
    for row in conn.execute(select(_v.version, _v.labels).where(_v.model == name)).all():
        kept = wanted if row.version == version else [one for one in row.labels if one not in wanted]
        if kept != row.labels:
            _update_version(conn, name, row.version, labels=kept)
    touch(conn, name)


def put_note(conn: Connection, name: str, version: int, note: str) -> None:
    _update_version(conn, name, version, note=note)
    touch(conn, name)


def point_to(conn: Connection, name: str, version: int, checkpoint_id: str) -> None:
    """Its bytes are now this checkpoint of its run."""
    _update_version(conn, get(conn, name).name, version, checkpoint_id=checkpoint_id)


def remove_version(conn: Connection, name: str, version: int) -> None:
    conn.execute(delete(model_versions).where(_v.model == name, _v.version == version))
    touch(conn, name)


def touch(conn: Connection, name: str) -> None:
    conn.execute(update(models).where(models.c.name == name).values(updated_at=datetime.now(UTC)))


def list_hashes(conn: Connection) -> dict[tuple[str, int], str]:
    """The hash of every model and version, for comparison with the folders."""
    rows = conn.execute(select(_v.model, _v.version, _v.sha256))
    return {(name, version): sha256 for name, version, sha256 in rows}


def is_named(conn: Connection, checkpoint_id: str) -> bool:
    query = select(_v.version).where(_v.checkpoint_id == checkpoint_id).limit(1)
    return conn.execute(query).scalar() is not None


def _find_row(conn: Connection, name: str) -> Row[Any] | None:
    same = func.lower(models.c.name) == clean_text(name).lower()
    return conn.execute(select(models).where(same)).one_or_none()


def _update_version(conn: Connection, name: str, version: int, **fields: Any) -> None:
    conn.execute(update(model_versions).where(_v.model == name, _v.version == version).values(**fields))


def _to_models(conn: Connection, rows: Sequence[Row[Any]]) -> list[Model]:
    names = [row.name for row in rows]
    query = select(model_versions).where(_v.model.in_(names)).order_by(_v.version.desc())
    found = conn.execute(query).all()
    items = {item.id: item for item in list_items(conn, sorted({one.checkpoint_id for one in found}))}
    deleted = _deleted_runs(conn, {one.run_id for one in found})
    versions: dict[str, list[ModelVersion]] = {name: [] for name in names}
    for one in found:
        item = items.get(one.checkpoint_id)
        same = item if item is not None and item.sha256 == one.sha256 else None
        fields = {
            f: getattr(one, f) for f in ("version", "checkpoint_id", "run_id", "sha256", "labels", "note")
        }
        versions[one.model].append(
            ModelVersion(
                **one.facts,
                **fields,
                checkpoint=same,
                created_at=one.created_at,
                run_is_deleted=one.run_id in deleted,
            )
        )
    return [Model(**row._asdict(), versions=versions[row.name]) for row in rows]


def _deleted_runs(conn: Connection, run_ids: Iterable[str]) -> set[str]:
    wanted = set(run_ids)
    query = select(runs.c.id).where(runs.c.id.in_(sorted(wanted)), runs.c.deleted_at.is_(None))
    return wanted - set(conn.execute(query).scalars())


def named_checkpoints(conn: Connection, run_id: str) -> set[str]:
    """The ids of the run's checkpoints that are versions of a model."""
    return set(conn.execute(select(_v.checkpoint_id).where(_v.run_id == run_id)).scalars())
