"""Opens a pack that anybody may have made: nothing of it is used unless all of it is what its list says.

Refused are paths outside, links, devices, names that occur twice, members that are missing or not listed, sizes and
hashes that are not those of the list, archives that unpack to far more than they are, and newer formats.
"""

from __future__ import annotations

import hashlib
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from rl_lab.core.errors import Forbidden, InvalidInput, LabError
from rl_lab.core.reproduction.packs import MAX_MEMBERS, PACK_FILE, PACK_FORMAT, PackManifest, PackMember
from rl_lab.core.words.shown_text import on_one_line
from rl_lab.store.files.safe_open import split_path

CHUNK = 1 << 20
MAX_LIST_BYTES = 64 << 20
MOST_GROWTH = 200
"""A member may be at most so many times as large as the whole archive, and all together too: no zip bomb."""
FREE_GROWTH = 64 << 20
"""Small archives may grow to this size anyway."""
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
ENCRYPTED = 0x1

DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
)
"""What zipfile raises for archives that are damaged."""
Write = Callable[[bytes], object]


class OpenedPack:
    """A pack whose list and names were checked; the contents are checked while they are read."""

    def __init__(self, archive: zipfile.ZipFile, manifest: PackManifest) -> None:
        self._archive = archive
        self.manifest = manifest

    @property
    def unpacked_bytes(self) -> int:
        return sum(member.size for member in self.manifest.members.values())

    def copy(self, name: str, write: Write) -> PackMember:
        """Sends the member's contents to `write`; raises unless size and hash are those of the list."""
        wanted = self.manifest.members[name]
        digest, size = hashlib.sha256(), 0
        try:
            with self._archive.open(name) as source:
                while chunk := source.read(CHUNK):
                    size += len(chunk)
                    if size > wanted.size:
                        break
                    digest.update(chunk)
                    write(chunk)
        except DAMAGE as error:
            raise refused(f"its member “{name}” is damaged ({error})") from None
        if size != wanted.size:
            raise refused(f"its member “{name}” does not have the {wanted.size:,} bytes that its list says")
        if digest.hexdigest() != wanted.sha256:
            raise refused(f"the hash of its member “{name}” is not the one in its list")
        return wanted

    def read(self, name: str, limit: int) -> bytes:
        """A small member as a whole."""
        if name not in self.manifest.members:
            raise refused(f"its member “{name}” is missing")
        if self.manifest.members[name].size > limit:
            raise refused(f"its member “{name}” is larger than {limit:,} bytes")
        parts: list[bytes] = []
        self.copy(name, parts.append)
        return b"".join(parts)

    def check_contents(self) -> None:
        for name in self.manifest.members:
            self.copy(name, lambda chunk: None)


@contextmanager
def open_pack(path: Path) -> Iterator[OpenedPack]:
    """Raises InvalidInput with the reason, and the member, if the pack cannot be trusted."""
    try:
        archive = zipfile.ZipFile(path)
    except (*DAMAGE, OverflowError) as error:
        raise refused(f"it is no ZIP archive, or its end is missing ({error})") from None
    with archive:
        entries = _entries(archive, path.stat().st_size)
        yield OpenedPack(archive, _read_list(archive, entries))


def _entries(archive: zipfile.ZipFile, archive_bytes: int) -> dict[str, zipfile.ZipInfo]:
    """All entries by name; only plain files inside, each once, that do not grow beyond measure."""
    listed = archive.infolist()
    if len(listed) > MAX_MEMBERS + 1:
        raise refused(f"it has {len(listed):,} members; at most {MAX_MEMBERS:,} are read")
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in listed:
        _check_entry(entry)
        if entry.filename in found:
            raise refused(f"the name “{entry.filename}” occurs twice")
        found[entry.filename] = entry
    most = max(FREE_GROWTH, archive_bytes * MOST_GROWTH)
    if sum(entry.file_size for entry in listed) > most:
        raise refused(f"it unpacks to more than {most:,} bytes, far more than it is large")
    if sum(entry.compress_size for entry in listed) > archive_bytes:
        raise refused("its members overlap")
    return found


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = on_one_line(entry.orig_filename)[:200]
    try:
        split_path(entry.orig_filename)
    except Forbidden:
        raise refused(f"the path of its member “{name}” leads outside, or is no path") from None
    if entry.header_offset < 0:
        raise refused("parts of it are missing")
    kind = stat.S_IFMT(entry.external_attr >> 16)
    if entry.is_dir() or kind not in (0, stat.S_IFREG):
        raise refused(f"its member “{name}” is no plain file but a link, folder or device")
    if entry.flag_bits & ENCRYPTED or entry.compress_type not in METHODS:
        raise refused(f"its member “{name}” is encrypted, or packed in a way that the lab does not read")


def _read_list(archive: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo]) -> PackManifest:
    if PACK_FILE not in entries:
        raise refused(f"it has no {PACK_FILE}, so it is no pack of RL Lab")
    if entries[PACK_FILE].file_size > MAX_LIST_BYTES:
        raise refused(f"its {PACK_FILE} is larger than {MAX_LIST_BYTES:,} bytes")
    try:
        with archive.open(PACK_FILE) as file:
            data = file.read(MAX_LIST_BYTES)
    except DAMAGE as error:
        raise refused(f"its {PACK_FILE} is damaged ({error})") from None
    manifest = parse_list(data)
    names = set(entries) - {PACK_FILE}
    if missing := sorted(set(manifest.members) - names):
        raise refused(f"its member “{missing[0]}” is missing")
    if unlisted := sorted(names - set(manifest.members)):
        raise refused(f"its member “{unlisted[0]}” is not in its list")
    return manifest


def parse_list(data: bytes) -> PackManifest:
    import orjson

    try:
        found = orjson.loads(data)
    except ValueError as error:
        raise refused(f"its {PACK_FILE} is not JSON ({error})") from None
    version = found.get("format") if isinstance(found, dict) else None
    if isinstance(version, int) and version > PACK_FORMAT:
        by = f", written by RL Lab {str(found.get('lab_version', ''))[:40]}"
        raise InvalidInput(
            f"This pack has format {version}{by}; this lab reads up to format {PACK_FORMAT}.",
            next_step="Update RL Lab, then import it again.",
        )
    try:
        return PackManifest.model_validate(found)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or PACK_FILE
        raise refused(f"its {PACK_FILE} is not valid: {place}: {first['msg']}") from None


def refused(why: str) -> LabError:
    """Also for contents that are wrong although their hashes are right."""
    return InvalidInput(
        f"The pack is refused: {why}. Nothing was imported.",
        next_step="Get the pack again from where it was made.",
    )
