"""A run's folder as one compressed file, and back.

A folder at its place is always whole, and so is an archive: each is made aside and renamed. While both are there the
folder is the truth. So a crash at any point loses nothing, and the step that was interrupted is simply done again.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tarfile
import threading
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, NamedTuple

from rl_lab.core.errors import Gone
from rl_lab.store.files.folder_trees import remove_tree, walk_tree
from rl_lab.store.files.folders import RunFolder

LEVEL = 6
CHUNK = 1 << 20
_ZEROS = bytes(1 << 16)
NOT_PACKED = "It changed while it was being packed."


class Interrupted(Exception):
    """Somebody wants the folder, or the lab is closing: it stays as it is."""


class Packed(NamedTuple):
    bytes_before: int
    bytes_after: int


class _Sparing(tarfile.TarFile):
    """Leaves holes where only zeros were: a file of a terabyte that was never filled takes no more than before."""

    def makefile(self, tarinfo: tarfile.TarInfo, targetpath: Any) -> None:
        source: Any = self.fileobj
        source.seek(tarinfo.offset_data)
        with Path(targetpath).open("wb") as target:
            left = tarinfo.size
            while left:
                data = source.read(min(len(_ZEROS), left))
                if not data:
                    raise tarfile.ReadError("unexpected end of data")
                if data == _ZEROS[: len(data)]:
                    target.seek(len(data), os.SEEK_CUR)
                else:
                    target.write(data)
                left -= len(data)
            target.truncate(tarinfo.size)


def write_archive(folder: RunFolder, stop: threading.Event) -> Packed:
    """The folder as a verified file aside; nothing is taken away yet. Interrupted when it is disturbed."""
    part = _aside(folder, "part")
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        before = _listing(folder.path)
        with part.open("wb") as file:
            digests = _write_members(folder.path, sorted(before), file, stop)
            file.flush()
            os.fsync(file.fileno())
        _verify(part, digests, stop)
        if _listing(folder.path) != before:
            raise Interrupted(NOT_PACKED)
        return Packed(folder.size_bytes(), part.stat().st_blocks * 512)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def drop_written(folder: RunFolder) -> None:
    """The file aside is not wanted after all."""
    _aside(folder, "part").unlink(missing_ok=True)


def swap_in(folder: RunFolder) -> None:
    """The archive takes the place of the folder; quick, for the bytes go later."""
    _aside(folder, "part").rename(folder.archive)
    _sync_folder(folder.archive.parent)
    folder.path.rename(_aside(folder, "gone"))
    _sync_folder(folder.runs)


def clean_up(folder: RunFolder) -> None:
    """What an interrupted step left aside. A folder whose archive is missing goes back to its place."""
    gone = _aside(folder, "gone")
    if gone.is_dir() and not folder.archive.exists() and not folder.path.exists():
        gone.rename(folder.path)
    for rest in (gone, _aside(folder, "opening")):
        _drop(rest)
    drop_written(folder)


def unpack(folder: RunFolder) -> None:
    """The folder as it was; the archive goes when the folder is at its place. Gone when the archive is damaged."""
    opening = _aside(folder, "opening")
    _drop(opening)
    try:
        with _Sparing.open(folder.archive, "r:gz") as archive:
            # The strictest filter that lets through what a folder may hold, such as links a script made.
            archive.extraction_filter = getattr(tarfile, "tar_filter", None)
            archive.extractall(opening)  # noqa: S202 - we wrote it, and the filter holds it inside
    except (tarfile.TarError, EOFError, ValueError) as error:
        _drop(opening)
        raise _damaged(folder, error) from None
    except OSError as error:
        _drop(opening)
        if error.errno is not None:
            raise
        raise _damaged(folder, error) from None  # gzip's complaints carry no number
    _sync_files(opening)
    folder.runs.mkdir(parents=True, exist_ok=True)
    opening.rename(folder.path)
    _sync_folder(folder.runs)
    folder.archive.unlink(missing_ok=True)


def list_archives(home: Path) -> list[str]:
    """Ids of runs that have an archive."""
    return [p.name.removesuffix(".tar.gz") for p in (home / "archive").glob("[!.]*.tar.gz")]


def list_leftovers(home: Path) -> list[str]:
    """Ids of runs with something aside, left by a lab that was killed."""
    return sorted({p.name.removeprefix(".").rpartition(".")[0] for p in (home / "archive").glob(".*")})


def _aside(folder: RunFolder, what: str) -> Path:
    return folder.archive.with_name(f".{folder.run_id}.{what}")


def _drop(rest: Path) -> None:
    with suppress(OSError):  # tried again at the next start
        remove_tree(rest)


def _damaged(folder: RunFolder, error: Exception) -> Gone:
    return Gone(
        f"The archive of run {folder.run_id} is damaged: {error}.",
        next_step=f"Put archive/{folder.archive.name} back from a backup, or delete the run.",
    )


def _listing(folder: Path) -> dict[str, tuple[int, int, int]]:
    """Every path below with what tells whether it has changed."""
    found = {}
    for entry in walk_tree(folder, strict=True):
        info = entry.stat(follow_symlinks=False)
        if stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
            found[os.path.relpath(entry.path, folder)] = (info.st_ino, info.st_size, info.st_mtime_ns)
        elif stat.S_ISDIR(info.st_mode):
            found[os.path.relpath(entry.path, folder)] = (info.st_ino, 0, 0)
    return found


def _write_members(folder: Path, names: list[str], file: IO[bytes], stop: threading.Event) -> dict[str, str]:
    """The digest of each plain file, as it was read; a second name of the same file is kept as such."""
    digests: dict[str, str] = {}
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=LEVEL, format=tarfile.PAX_FORMAT) as archive:
        for name in names:
            member = archive.gettarinfo(str(folder / name), arcname=name)
            if member.isreg():
                with (folder / name).open("rb") as source:
                    hashing = _Hashing(source, stop)
                    archive.addfile(member, hashing)
                digests[name] = hashing.digest.hexdigest()
            else:
                archive.addfile(member)
                digests[name] = member.linkname
    return digests


class _Hashing:
    """Reads and hashes at once; stops when told to."""

    def __init__(self, source: IO[bytes], stop: threading.Event) -> None:
        self._source = source
        self._stop = stop
        self.digest = hashlib.sha256()

    def read(self, size: int = CHUNK) -> bytes:
        if self._stop.is_set():
            raise Interrupted
        data = self._source.read(size)
        self.digest.update(data)
        return data


def _verify(part: Path, digests: dict[str, str], stop: threading.Event) -> None:
    """Reads the whole archive back; what was read must be what was written."""
    found: dict[str, str] = {}
    with tarfile.open(part, "r:gz") as archive:
        for member in archive:
            source = archive.extractfile(member) if member.isreg() else None
            if source is None:
                found[member.name] = member.linkname
                continue
            hashing = _Hashing(source, stop)
            while hashing.read(CHUNK):
                pass
            found[member.name] = hashing.digest.hexdigest()
    if found != digests:
        raise OSError("the archive does not read back as it was written")


def _sync_files(folder: Path) -> None:
    for entry in walk_tree(folder, strict=True):
        if entry.is_file(follow_symlinks=False):
            fd = os.open(entry.path, os.O_RDONLY)
            try:
                os.fsync(fd)
            finally:
                os.close(fd)
        elif entry.is_dir(follow_symlinks=False):
            _sync_folder(Path(entry.path))
    _sync_folder(folder)


def _sync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
