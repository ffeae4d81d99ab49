"""Zip files whose bytes depend on their contents only: fixed times, a fixed order, so that hashes can be compared."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO

EARLIEST = (1980, 1, 1, 0, 0, 0)
"""The first time a zip file can express."""
PACKED = frozenset({".zip", ".mp4", ".npz"})
"""Compressed already."""
CHUNK = 1 << 20


def write_zip(target: BinaryIO, folder: Path, names: Iterable[str]) -> None:
    with zipfile.ZipFile(target, "w") as archive:
        for name in names:
            entry = _entry(name)
            if Path(name).suffix not in PACKED:
                entry.compress_type = zipfile.ZIP_DEFLATED
            with (folder / name).open("rb") as source, archive.open(entry, "w", force_zip64=True) as member:
                while chunk := source.read(CHUNK):
                    member.write(chunk)


def forget_times(path: Path) -> None:
    """Rewrites a small zip file that a library made with the times of its members."""
    with zipfile.ZipFile(path) as archive:
        members = {entry.filename: archive.read(entry) for entry in archive.infolist()}
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in members.items():
            archive.writestr(_entry(name), data)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, EARLIEST)
    entry.external_attr = 0o644 << 16
    entry.create_system = 3
    return entry
