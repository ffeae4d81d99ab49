"""Files put into a run's folder and listed with it, as if a worker had made them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.store import artifacts


def put_files(
    conn: Connection, home: Path, run_id: str, kind: str, count: int, **more: Any
) -> list[Artifact]:
    """`count` files of a kind, each a minute younger than the one before."""
    size: int = more.pop("size", 1000)
    return [artifacts.upsert(conn, _put(home, run_id, kind, number, size, **more)) for number in range(count)]


def _put(home: Path, run_id: str, kind: str, number: int, size: int, **more: Any) -> Artifact:
    path = more.pop("path", f"made/{kind}-{number:05}")
    file = home / "runs" / run_id / path
    if kind == "tensorboard":
        file = file / f"events.out.tfevents.{number}"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(bytes(size))
    born = datetime.now(UTC) - timedelta(days=1) + timedelta(minutes=number)
    fields = {"created_at": born, "size": size, "title": path, **more}
    return Artifact(id=artifacts.artifact_id(run_id, path), run_id=run_id, path=path, kind=kind, **fields)
