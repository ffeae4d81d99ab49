"""What a stretch of the journal changes in lab.db: lines of the event log, files a run made, what a script told.

All of it may be written twice: a line is known by its number in the attempt, a file by its path.
"""

from __future__ import annotations

import mimetypes
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import Connection

from rl_lab.core.disk.artifacts import Artifact
from rl_lab.core.protocol.events import CheckpointEvent
from rl_lab.core.protocol.lines import as_float
from rl_lab.core.runs import Run
from rl_lab.orchestrator.ingest.fold_result import FileLine, LogLine
from rl_lab.orchestrator.ingest.run_state import as_time
from rl_lab.store import artifacts, events, runs

KINDS = frozenset(
    {
        "checkpoint",
        "model",
        "video",
        "clip",
        "film",
        "summary",
        "report",
        "config",
        "metrics",
        "log",
        "image",
        "tensorboard",
        "wandb",
    }
)


class Effects(NamedTuple):
    run_id: str
    attempt: int
    logs: Sequence[LogLine]
    files: Sequence[FileLine]
    learned: Mapping[str, Any] = MappingProxyType({})
    """Fields of the run's config as its own program told them."""

    def write(self, conn: Connection) -> Run | None:
        """The run where its config changed."""
        for line in self.logs:
            events.append(
                conn, self.run_id, line.level, line.type, line.message, line.data,
                attempt=self.attempt, seq=line.seq, at=as_time(line.t),
            )  # fmt: skip
        for file in self.files:
            artifacts.upsert(conn, artifact_of(self.run_id, file))
        return runs.learn(conn, self.run_id, self.learned) if self.learned else None


def artifact_of(run_id: str, line: FileLine) -> Artifact:
    event, at = line.event, as_time(line.t) or datetime.now(UTC)
    common = {
        "id": artifacts.artifact_id(run_id, event.path),
        "run_id": run_id,
        "path": event.path,
        "size": event.size,
        "sha256": event.sha256[:64],
        "media_type": media_type(event.path),
        "created_at": at,
    }
    if isinstance(event, CheckpointEvent):
        score = as_float(event.score) if event.score is not None else None
        title = f"Checkpoint at step {event.timestep:,}"
        return Artifact(
            **common, kind="checkpoint", title=title, timestep=event.timestep, role=event.role, score=score
        )
    kind = event.kind if event.kind in KINDS else "file"
    data = {"url": event.url} if event.url.startswith(("https://", "http://")) else {}
    return Artifact(**common, kind=kind, title=event.title[:200] or event.path, data=data)


def media_type(path: str) -> str:
    return mimetypes.guess_type(path, strict=True)[0] or "application/octet-stream"
