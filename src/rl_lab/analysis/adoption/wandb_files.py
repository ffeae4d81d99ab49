"""W&B's offline file run-*.wandb: records of protocol-buffer bytes in the framing of LevelDB's log.

Blocks of 32 KiB; a record is one or more fragments of checksum (4 bytes), length (2) and type (1).
"""

from __future__ import annotations

import json
import math
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from rl_lab.analysis.adoption.configs import facts_of_config
from rl_lab.analysis.adoption.pieces import PIECE_BYTES, Facts, Piece, curve
from rl_lab.analysis.event_files.wire import BYTES, EIGHT, Field, Malformed, fields, signed
from rl_lab.core.words.amounts import plural

MAGIC = b":W&B"
HEADER, BLOCK, FRAME = 7, 32 << 10, 7
DAMAGED, FULL, FIRST, MIDDLE, LAST = 0, 1, 2, 3, 4
MAX_NAMES = 1500
NOT_ONE = "It is no W&B file: it does not begin with “:W&B”."
HISTORY, SUMMARY, CONFIG, RUN, EXIT = 2, 3, 5, 17, 18
"""Fields of a record, by kind."""


def read_wandb(file: BinaryIO, start: int, memo: dict[str, Any]) -> Piece:
    file.seek(0)
    head = file.read(HEADER)
    if len(head) < HEADER and MAGIC.startswith(head[:4]):
        return Piece(0, memo=memo)
    if not head.startswith(MAGIC):
        return Piece(0, memo=memo, problems=[NOT_ONE])
    at = max(start, HEADER)
    file.seek(at)
    data = file.read(PIECE_BYTES)
    reader = RecordReader(data, at)
    gathered = Gathered(dict(memo.get("config", {})))
    for record in reader.records():
        try:
            gathered.take(memoryview(record))
        except (Malformed, struct.error):
            gathered.malformed += 1
    # A full piece without the end of a record would be read again forever.
    is_stuck = reader.offset == at and len(data) == PIECE_BYTES
    piece = Piece(reader.offset, is_complete=len(data) < PIECE_BYTES or is_stuck)
    piece.curves = gathered.curves()
    piece.facts = gathered.facts()
    piece.memo = {"config": gathered.config}
    if is_stuck:
        piece.problems.append(
            f"A record at byte {reader.offset:,} is too large to be read; the rest was left out."
        )
    damaged = reader.damaged + gathered.malformed
    if damaged:
        piece.problems.append(f"{plural(damaged, 'record')} that cannot be read left out.")
    return piece


class RecordReader:
    """The records in one piece of the file; a partial last record is left for the next call."""

    def __init__(self, data: bytes, at: int) -> None:
        self._data = data
        self._first = at
        self._at = 0
        self.offset = at
        self.damaged = 0
        """Fragments with a wrong length or checksum; reading continued after them."""

    def records(self) -> Iterator[bytes]:
        """Whole records: a fragment is whole by itself, or they are joined from the first to the last."""
        parts: list[bytes] = []
        for kind, body in self._fragments():
            if kind == DAMAGED:
                parts = []
            elif kind in (FULL, FIRST):
                parts = [body]
            elif parts:  # else its first fragment was skipped
                parts = [*parts, body]
            if kind in (FULL, LAST) and parts:
                self.offset = self._first + self._at
                yield b"".join(parts)
                parts = []

    def _fragments(self) -> Iterator[tuple[int, bytes]]:
        """Kind and contents of each fragment; DAMAGED where one is unreadable and reading continues after it."""
        while (left := self._to_next_header()) is not None:
            length, kind = struct.unpack_from("<HB", self._data, self._at + 4)
            if kind not in (FULL, FIRST, MIDDLE, LAST) or length > left - FRAME:
                if left > len(self._data) - self._at:
                    return
                yield self._skip(left)  # the next block begins with a fragment again
                continue
            start = self._at + FRAME
            if start + length > len(self._data):
                return
            body = self._data[start : start + length]
            [checksum] = struct.unpack_from("<I", self._data, self._at)
            if zlib.crc32(body, zlib.crc32(bytes([kind]))) != checksum:
                yield self._skip(FRAME + length)
                continue
            self._at = start + length
            yield kind, body

    def _to_next_header(self) -> int | None:
        """Moves over padding to the next header; the bytes left in its block, or None at the end of the data."""
        while True:
            left, rest = BLOCK - (self._first + self._at) % BLOCK, len(self._data) - self._at
            if left < FRAME:
                self._at += left
            elif rest < FRAME:
                return None
            elif left <= rest and not any(self._data[self._at : self._at + left]):
                self._at += left  # the rest of the block is filled with zeros
            else:
                return left

    def _skip(self, size: int) -> tuple[int, bytes]:
        self.damaged += 1
        self._at += size
        self.offset = self._first + self._at
        return DAMAGED, b""


@dataclass
class Gathered:
    config: dict[str, Any]
    columns: dict[str, tuple[list[float], list[float], list[float]]] = field(default_factory=dict)
    began: float | None = None
    title: str = ""
    exit_code: int | None = None
    malformed: int = 0

    def take(self, record: memoryview) -> None:
        for part in fields(record, 0, len(record)):
            if part.kind != BYTES:
                continue
            if part.number == HISTORY:
                self._history(record, part)
            elif part.number == CONFIG:
                self._config(record, part)
            elif part.number == RUN:
                self._run(record, part)
            elif part.number == EXIT:
                codes = [f.value for f in fields(record, part.start, part.end) if f.number == 1]
                self.exit_code = signed(codes[0]) if codes else 0

    def curves(self) -> dict[str, Any]:
        return {name: curve(*column) for name, column in list(self.columns.items())[:MAX_NAMES]}

    def facts(self) -> Facts:
        facts = facts_of_config({k: v for k, v in self.config.items() if k != "_wandb"})
        facts.began, facts.title = self.began, self.title
        facts.has_ended = self.exit_code is not None
        if self.exit_code:
            facts.failure = f"W&B noted exit code {self.exit_code} for it."
        return facts

    def _history(self, record: memoryview, whole: Field) -> None:
        row: dict[str, Any] = {}
        number = 0.0
        for part in fields(record, whole.start, whole.end):
            if part.number == 1:
                name, value = _item(record, part)
                row[name] = value
            elif part.number == 2 and part.kind == BYTES:
                number = next((float(f.value) for f in fields(record, part.start, part.end)), 0.0)
        step = _as_number(row.get("global_step"), _as_number(row.get("_step"), number))
        t = _as_number(row.get("_timestamp"), math.nan)
        for name, value in row.items():
            if name.startswith("_") or name == "global_step" or not _is_number(value):
                continue
            steps, times, values = self.columns.setdefault(name[:200], ([], [], []))
            steps.append(step)
            times.append(t)
            values.append(_as_number(value, math.nan))

    def _config(self, record: memoryview, whole: Field) -> None:
        for part in fields(record, whole.start, whole.end):
            if part.number == 1 and part.kind == BYTES:
                name, value = _item(record, part)
                self.config[name] = value

    def _run(self, record: memoryview, whole: Field) -> None:
        for part in fields(record, whole.start, whole.end):
            if part.number == 4 and part.kind == BYTES:
                self._config(record, part)
            elif part.number == 8 and part.kind == BYTES:
                self.title = _text(record, part)[:200]
            elif part.number == 17 and part.kind == BYTES:
                seconds = [f.value for f in fields(record, part.start, part.end) if f.number == 1]
                self.began = float(seconds[0]) if seconds else None


def _item(record: memoryview, whole: Field) -> tuple[str, Any]:
    """A name, whole or in parts, and its value, as JSON or typed."""
    name, nested, value = "", [], None
    for part in fields(record, whole.start, whole.end):
        if part.number == 1:
            name = _text(record, part)
        elif part.number == 2:
            nested.append(_text(record, part))
        elif part.number in (8, 16):
            value = _json(_text(record, part))
        elif part.number == 4:
            value = bool(part.value)
        elif part.number == 5:
            value = signed(part.value)
        elif part.number == 6 and part.kind == EIGHT:
            value = struct.unpack_from("<d", record, part.start)[0]
        elif part.number == 7:
            value = _text(record, part)
    return name or "/".join(nested), value


def _text(record: memoryview, part: Field) -> str:
    return bytes(record[part.start : part.end]).decode("utf-8", "replace")


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _is_number(value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int | float) or value in ("NaN", "Infinity", "-Infinity")


def _as_number(value: Any, otherwise: float) -> float:
    if not _is_number(value):
        return otherwise
    try:
        return float(value)
    except OverflowError:
        return math.nan
