"""Packs for tests: an honest one, made by a lab, and changed copies of it."""

from __future__ import annotations

import hashlib
import io
import json
import sqlite3
import zipfile
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import orjson

from rl_lab.core.reproduction.packs import PACK_FILE, PackPreview
from rl_lab.orchestrator.experiments.packs import Packs

Members = dict[str, bytes]


def read_members(pack: bytes) -> Members:
    with zipfile.ZipFile(io.BytesIO(pack)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def write_members(members: Members, *, listed: bool = True) -> bytes:
    """A pack of these members; `listed` writes their true sizes and hashes into pack.json."""
    if listed:
        manifest = orjson.loads(members[PACK_FILE])
        manifest["members"] = {
            name: {"size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
            for name, data in members.items()
            if name != PACK_FILE
        }
        members = {**members, PACK_FILE: orjson.dumps(manifest)}
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return data.getvalue()


def with_list(members: Members, change: Callable[[dict[str, Any]], None]) -> Members:
    """pack.json changed."""
    manifest = orjson.loads(members[PACK_FILE])
    change(manifest)
    return {**members, PACK_FILE: orjson.dumps(manifest)}


def with_json(members: Members, ending: str, change: Callable[[dict[str, Any]], None]) -> Members:
    """The first JSON member whose name ends like this, changed."""
    name = next(name for name in members if name.endswith(ending))
    value = orjson.loads(members[name])
    change(value)
    return {**members, name: json.dumps(value).encode()}


def with_sql(members: Members, folder: Path, *statements: str) -> Members:
    """The first telemetry.db after these statements."""
    name = next(name for name in members if name.endswith("telemetry.db"))
    file = folder / "changed.db"
    file.write_bytes(members[name])
    conn = sqlite3.connect(file, isolation_level=None)
    for statement in statements:
        conn.execute(statement)
    conn.close()
    return {**members, name: file.read_bytes()}


async def send(packs: Packs, data: bytes, name: str = "test.zip", *, piece: int = 1 << 16) -> PackPreview:
    """Uploads a pack as a client does, piece by piece."""

    async def pieces() -> AsyncIterator[bytes]:
        for start in range(0, len(data), piece):
            yield data[start : start + piece]

    return await packs.receive(name, pieces(), len(data))
