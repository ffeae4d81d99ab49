"""Writes a ZIP archive while it is being sent: no member and no archive is ever whole in memory or on disk."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

FIRST_DAY = (1980, 1, 1, 0, 0, 0)
"""The time of every member, so that the same contents are the same file."""
LEVEL = 6


class ZipMember(NamedTuple):
    name: str
    chunks: Iterable[bytes]
    is_packed: bool = False
    """Compressed already: videos, pictures, models; it is stored as it is."""


class _ZipSink:
    """Takes what zipfile writes. It has no `tell`, so zipfile writes sizes after the contents."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        pass

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken


def stream_zip(members: Iterable[ZipMember]) -> Iterator[bytes]:
    sink = _ZipSink()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:  # type: ignore[call-overload]
        for member in members:
            entry = zipfile.ZipInfo(member.name, FIRST_DAY)
            entry.compress_type = zipfile.ZIP_STORED if member.is_packed else zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            with archive.open(entry, "w", force_zip64=True) as file:
                for chunk in member.chunks:
                    file.write(chunk)
                    yield sink.take()
            yield sink.take()
    yield sink.take()
