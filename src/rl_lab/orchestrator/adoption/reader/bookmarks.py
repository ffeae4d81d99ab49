"""How far a source was read: kept in its telemetry.db, in one transaction with the points."""

from __future__ import annotations

import os
import zlib
from typing import Any, BinaryIO

import msgspec

from rl_lab.orchestrator.ingest.run_state import SPARKLINE_POINTS, RunState

HEAD_BYTES = 1024
TAIL_BYTES = 256


class FileMemory(msgspec.Struct, kw_only=True):
    """How far one file was read, and what it looked like there."""

    offset: int = 0
    size: int = 0
    mtime_ns: int = 0
    head: int = 0
    """Checksum of its first bytes."""
    tail: int = 0
    """Checksum of the bytes before `offset`."""
    memo: dict[str, Any] = {}

    def is_unchanged(self, status: os.stat_result) -> bool:
        return (self.size, self.mtime_ns) == (status.st_size, status.st_mtime_ns)

    def is_beginning_of(self, file: BinaryIO) -> bool:
        """Whether what was read is still how this file begins."""
        if os.fstat(file.fileno()).st_size < self.offset:
            return False
        return (self.head, self.tail) == _marks(file, self.offset)

    def note(self, file: BinaryIO, offset: int, memo: dict[str, Any], status: os.stat_result) -> None:
        """`status` is from before the reading: what came meanwhile is seen as a change the next time."""
        self.offset, self.memo = offset, memo
        self.size, self.mtime_ns = status.st_size, status.st_mtime_ns
        self.head, self.tail = _marks(file, offset)


def _marks(file: BinaryIO, offset: int) -> tuple[int, int]:
    file.seek(0)
    head = zlib.crc32(file.read(min(HEAD_BYTES, offset)))
    start = max(0, offset - TAIL_BYTES)
    file.seek(start)
    return head, zlib.crc32(file.read(offset - start))


class Means(msgspec.Struct, kw_only=True):
    """The reward of a run that logs no episodes, only means."""

    last: float | None = None
    best: float | None = None
    line: list[float] = []
    stride: int = 1
    count: int = 0

    def add(self, value: float) -> None:
        """As `RunState.extend_sparkline`."""
        self.last = value
        self.best = value if self.best is None else max(self.best, value)
        self.count += 1
        if self.count % self.stride:
            return
        if len(self.line) == SPARKLINE_POINTS:
            self.line = self.line[1::2]
            self.stride *= 2
            if self.count % self.stride:
                return
        self.line.append(round(value, 4))


class Memory(msgspec.Struct, kw_only=True):
    standing: RunState = msgspec.field(default_factory=RunState)
    means: Means = msgspec.field(default_factory=Means)
    files: dict[str, FileMemory] = {}
    claimed: dict[str, str] = {}
    """Name of a metric → role of the file it is taken from."""
    origins: dict[str, tuple[str, str]] = {}
    """Name of a metric → file and tag it is taken from."""
    reward_tag: str = "reward"
    """What the file calls a reward that is not of one episode."""
    pending: list[tuple[int, float, float]] = []
    """Returns whose lengths are not written yet: step, time, value."""
    facts: dict[str, Any] = {}
    passes: int = 0
    has_episodes: bool = False
    tells_lengths: bool = False
    """Lengths of episodes are logged next to their returns."""
    first_t: float | None = None
    points: int = 0
