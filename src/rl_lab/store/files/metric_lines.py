"""The lines of episodes in metrics.jsonl: their form, and those after a position, in the order of arrival.

A restarted lab writes uncommitted lines again with the same bytes, so a position stays valid.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any, Literal

import orjson

from rl_lab.core.episodes import EpisodeRow
from rl_lab.core.errors import LabError
from rl_lab.store.files.folders import RunFolder

READ_BYTES = 1 << 18
EPISODE = b'{"type":"episode"'


def episode_line(
    *,
    t: float,
    episode: int,
    timestep: int | None,
    reward: float | None,
    length: int | None,
    terminated: bool | None,
    truncated: bool | None,
    type: Literal["episode", "evaluation"] = "episode",
    environment: int | None = None,
) -> bytes:
    """One finished episode; the type comes first, so that a reader finds it without parsing.

    `environment`: the number of the environment in a captured script.
    """
    line: dict[str, Any] = {
        "type": type,
        "t": t,
        "episode": episode,
        "timestep": timestep,
        "reward": reward,
        "length": length,
        "terminated": terminated,
        "truncated": truncated,
    }
    return orjson.dumps(line if environment is None else {**line, "environment": environment})


def line_of(row: EpisodeRow) -> bytes:
    """A stored episode in the form of its line."""
    return episode_line(
        t=row.at.timestamp(),
        episode=row.episode,
        timestep=row.timestep,
        reward=row.reward,
        length=row.length,
        terminated=row.terminated,
        truncated=row.truncated,
    )


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
