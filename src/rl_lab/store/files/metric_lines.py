"""Lines of metrics.jsonl after a position: every finished episode in the order of arrival.

A restarted lab writes uncommitted lines again with the same bytes, so a position stays valid.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from rl_lab.core.errors import LabError
from rl_lab.store.files.folders import RunFolder

READ_BYTES = 1 << 18
EPISODE = b'{"type":"episode"'


def episode_lines(folder: RunFolder, after: int) -> tuple[list[tuple[int, bytes]], int]:
    """Whole lines of episodes, each with the position after it, and the position that was read up to."""
    try:
        with os.fdopen(folder.open_beneath(folder.metrics_jsonl.name), "rb") as file:
            file.seek(after)
            data = file.read(READ_BYTES)
    except (LabError, OSError):
        return [], after  # the run has not reported anything yet
    end = data.rfind(b"\n") + 1
    return [found for found in _lines(data[:end], after) if found[1].startswith(EPISODE)], after + end


def _lines(data: bytes, position: int) -> Iterator[tuple[int, bytes]]:
    for line in data.splitlines(keepends=True):
        position += len(line)
        yield position, line.rstrip(b"\n")
