"""Rewinds a run's telemetry to the checkpoint that it resumes from.

What was reported after it (by a worker that was killed, or because the user chose an older checkpoint) will be reported
again: with it gone, curves and numbers of episodes are those of a run that was not stopped.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import orjson

from rl_lab.orchestrator.ingest.role_changes import rearrange
from rl_lab.orchestrator.ingest.run_state import RunState
from rl_lab.store.telemetry import Batch, Position, TelemetryDb


def rewind(db: TelemetryDb, state: RunState, step: int, position: Position, metrics_jsonl: Path) -> None:
    """Changes file and state; `position` is where the journal of the new attempt begins."""
    size = kept_bytes(metrics_jsonl, step, db.metrics_jsonl_bytes())

    def recount() -> Mapping[str, Any]:
        rearrange(db.all_episodes(), state)
        state.timestep, state.loss = step, db.last_value("loss")
        return msgspec.to_builtins(state)  # type: ignore[no-any-return]

    db.rewind(step, Batch(position, metrics_jsonl_bytes=size), recount)
    # After the commit: if the lab is killed before this, the next line is written over the rest.
    if metrics_jsonl.exists() and metrics_jsonl.stat().st_size > size:
        os.truncate(metrics_jsonl, size)


def kept_bytes(path: Path, step: int, committed: int) -> int:
    """The length of metrics.jsonl up to its last line that is not after a training step."""
    if not path.exists():
        return 0
    kept = offset = 0
    with path.open("rb") as file:
        for line in file:
            offset += len(line)
            if offset > committed:
                break
            if (orjson.loads(line).get("timestep") or 0) <= step:
                kept = offset
    return kept
