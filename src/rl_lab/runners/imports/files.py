"""The files of an import, and safe access to zips: bounded in members and size, no links, doubles and passwords."""

from __future__ import annotations

import io
import stat
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from rl_lab.runners.imports.refusals import refused

MAX_MEMBERS = 20_000
MAX_DIRECTORY_BYTES = 4 << 20
MAX_UNPACKED_BYTES = 4 << 30
MAX_RATIO = 200
"""Of unpacked to packed bytes, above the first megabyte; weights compress by little."""
MAX_TEXT_BYTES = 16 << 20
"""Of JSON and other texts."""
EOCD, EOCD64, LOCATOR64 = b"PK\x05\x06", b"PK\x06\x06", b"PK\x06\x07"


@dataclass(frozen=True)
class GivenFile:
    """A file of an import: its name as the user knows it, and where it is."""

    name: str
    path: Path

    @property
    def base(self) -> str:
        return self.name.rpartition("/")[2]

    @property
    def depth(self) -> int:
        return self.name.count("/")

    def head(self, size: int = 16) -> bytes:
        with self.path.open("rb") as file:
            return file.read(size)

    def text(self) -> str:
        with self.path.open("rb") as file:
            return file.read(MAX_TEXT_BYTES).decode("utf-8", "replace")


@contextmanager
def open_zip(file: Path | BinaryIO, name: str) -> Iterator[zipfile.ZipFile]:
    """A zip whose list of members was checked; nothing is unpacked yet."""
    with file.open("rb") if isinstance(file, Path) else file as opened:
        if _directory_bytes(opened) > MAX_DIRECTORY_BYTES:
            raise refused(f"“{name}” has too many members for a model.", "Import the model file alone.")
        try:
            archive = zipfile.ZipFile(opened)
        except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, OSError) as error:
            raise refused(f"“{name}” is a damaged zip: {error}.") from None
        _check_members(archive.infolist(), name)
        if min((info.header_offset for info in archive.infolist()), default=0):
            raise refused(f"“{name}” is a damaged zip: it does not begin with its first member.")
        yield archive


def read_member(archive: zipfile.ZipFile, member: str, limit: int = MAX_UNPACKED_BYTES) -> bytes:
    """One member; a wrong checksum or length is refused."""
    info = archive.getinfo(member)
    if info.file_size > limit:
        raise refused(f"The member “{member}” is too large: {info.file_size:,} bytes.")
    try:
        with archive.open(info) as opened:
            data = opened.read(limit + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError) as error:
        raise refused(f"The member “{member}” is damaged: {error}.") from None
    except Exception as error:  # zlib and lzma have errors of their own
        raise refused(f"The member “{member}” cannot be unpacked: {error}.") from None
    if len(data) != info.file_size:
        raise refused(f"The member “{member}” is not as long as the zip says.")
    return data


def member_file(archive: zipfile.ZipFile, member: str) -> BinaryIO:
    return io.BytesIO(read_member(archive, member))


def _check_members(members: list[zipfile.ZipInfo], name: str) -> None:
    seen: set[str] = set()
    packed = unpacked = 0
    if len(members) > MAX_MEMBERS:
        raise refused(f"“{name}” has {len(members):,} members, too many for a model.")
    for info in members:
        _check_member(info, name)
        if info.filename in seen:
            raise refused(f"“{name}” has two members “{info.filename}”, so it is not clear which one counts.")
        seen.add(info.filename)
        packed, unpacked = packed + info.compress_size, unpacked + info.file_size
    if unpacked > MAX_UNPACKED_BYTES or unpacked > (1 << 20) + MAX_RATIO * packed:
        raise refused(f"“{name}” would unpack to {unpacked:,} bytes; that is no model.")


def _check_member(info: zipfile.ZipInfo, name: str) -> None:
    shown = info.filename
    if info.flag_bits & 1:
        raise refused(f"“{name}” is encrypted.", "Unpack it with its password and import the model inside.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise refused(f"“{name}” holds a link (“{shown}”); a model has none.")
    parts = shown.replace("\\", "/").split("/")
    if shown.startswith(("/", "\\")) or ".." in parts or (len(shown) > 1 and shown[1] == ":"):
        raise refused(f"“{name}” holds a member that leads outside (“{shown}”); a model has none.")


def _directory_bytes(file: BinaryIO) -> int:
    """How long the list of members is, before it is read; 0 when the file has none."""
    size = file.seek(0, io.SEEK_END)
    start = max(0, size - 65_557 - 20)
    file.seek(start)
    tail = file.read()
    file.seek(0)
    at = tail.rfind(EOCD)
    if at < 0 or len(tail) < at + 22:
        return 0
    found = int(struct.unpack_from("<I", tail, at + 12)[0])
    if at >= 20 and tail[at - 20 : at - 16] == LOCATOR64:
        offset = int(struct.unpack_from("<Q", tail, at - 12)[0])
        file.seek(min(offset, size))
        record = file.read(56)
        file.seek(0)
        if record[:4] == EOCD64 and len(record) >= 48:
            found = max(0 if found == 0xFFFFFFFF else found, int(struct.unpack_from("<Q", record, 40)[0]))
    return found
