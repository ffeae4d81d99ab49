"""snapshot.json in the folder of a run: software and hardware of the process that worked on it last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from rl_lab.core.errors import Gone, NotFound
from rl_lab.core.reproduction.snapshots import Snapshot, read_snapshot
from rl_lab.store.files.folders import RunFolder

NAME = "snapshot.json"
MAX_BYTES = 1 << 20


def write_snapshot(folder: RunFolder, data: Mapping[str, Any]) -> None:
    folder.write_atomic(NAME, orjson.dumps(data, option=orjson.OPT_INDENT_2) + b"\n")


def find_snapshot(folder: RunFolder) -> Snapshot | None:
    """None where there is none: a run of an earlier version, or a program that sends none."""
    try:
        return read_snapshot(folder.read_bytes(NAME, MAX_BYTES))
    except (NotFound, Gone):
        return None
