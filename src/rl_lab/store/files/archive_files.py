"""Packs a run's folder into one compressed file, and unpacks it.

A folder at its final path is always complete, and so is an archive: each is made under a temporary name and then
renamed. If both exist, the folder is valid. So a crash at any point loses nothing, and the interrupted step can simply
be repeated.
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tarfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NamedTuple, cast

from rl_lab.core.errors import Gone
from rl_lab.store.files.folder_trees import remove_tree, walk_tree
from rl_lab.store.files.folders import RunFolder
from rl_lab.store.files.safe_open import LINK_ERRORS, open_beneath

LEVEL = 6
CHUNK = 1 << 20
_ZEROS = bytes(1 << 16)
NOT_PACKED = "It changed while it was being packed."


class Interrupted(Exception):
    """Packing was cancelled because the folder is needed or the lab is closing; the folder is unchanged."""


class Packed(NamedTuple):
    bytes_before: int
    bytes_after: int


class _SparseTarFile(tarfile.TarFile):
    """Writes blocks of zeros as holes, so that a sparse file does not take more disk space than before."""

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
    """Writes and verifies the archive under a temporary name; the folder is kept. Raises Interrupted if it changed."""
    part = _aside(folder, "part")
    part.parent.mkdir(parents=True, exist_ok=True)
    try:
        with part.open("wb") as file:
            before, digests = _write_folder(folder.path, file, stop)
            file.flush()
            os.fsync(file.fileno())
        _verify(part, digests, stop)
        if _list_now(folder.path) != before:
            raise Interrupted(NOT_PACKED)
        return Packed(folder.size_bytes(), part.stat().st_blocks * 512)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def drop_written(folder: RunFolder) -> None:
    """Deletes the temporary archive."""
    _aside(folder, "part").unlink(missing_ok=True)


def swap_in(folder: RunFolder) -> None:
    """Replaces the folder by the archive; fast, because the folder is only renamed and deleted later."""
    gone = _aside(folder, "gone")
    if gone.exists():  # an earlier one could not be deleted whole: a file was written into it meanwhile
        remove_tree(gone)
    _aside(folder, "part").rename(folder.archive)
    _sync_folder(folder.archive.parent)
    folder.path.rename(gone)
    _sync_folder(folder.runs)


def clean_up(folder: RunFolder) -> None:
    """Deletes leftovers of an interrupted step. A folder whose archive is missing is moved back."""
    gone = _aside(folder, "gone")
    if gone.is_dir() and not folder.archive.exists() and not folder.path.exists():
        gone.rename(folder.path)
    for rest in (gone, _aside(folder, "opening")):
        _drop(rest)
    drop_written(folder)


def unpack(folder: RunFolder) -> None:
    """Restores the folder, then deletes the archive. Raises Gone if the archive is damaged."""
    opening = _aside(folder, "opening")
    _drop(opening)
    try:
        with _SparseTarFile.open(folder.archive, "r:gz") as archive:
            # The strictest filter that still allows everything a folder may contain, such as links made by a script.
            archive.extraction_filter = getattr(tarfile, "tar_filter", None)
            archive.extractall(opening)  # noqa: S202 - we wrote it, and the filter keeps it inside the folder
    except (tarfile.TarError, EOFError, ValueError) as error:
        _drop(opening)
        raise _damaged(folder, error) from None
    except OSError as error:
        _drop(opening)
        if error.errno is not None:
            raise
        raise _damaged(folder, error) from None  # errors of gzip have no errno
    _sync_files(opening)
    folder.runs.mkdir(parents=True, exist_ok=True)
    opening.rename(folder.path)
    _sync_folder(folder.runs)
    folder.archive.unlink(missing_ok=True)


def list_archives(home: Path) -> list[str]:
    """Ids of runs that have an archive."""
    return [p.name.removesuffix(".tar.gz") for p in (home / "archive").glob("[!.]*.tar.gz")]


def list_leftovers(home: Path) -> list[str]:
    """Ids of runs with temporary files, left by a lab that was killed."""
    return sorted({p.name.removeprefix(".").rpartition(".")[0] for p in (home / "archive").glob(".*")})


def _aside(folder: RunFolder, what: str) -> Path:
    return folder.archive.with_name(f".{folder.run_id}.{what}")


def _drop(rest: Path) -> None:
    with suppress(OSError):  # tried again at the next start
        remove_tree(rest)


def _damaged(folder: RunFolder, error: Exception) -> Gone:
    return Gone(
        f"The archive of run {folder.run_id} is damaged: {error}.",
        next_step=f"Restore archive/{folder.archive.name} from a backup, or delete the run.",
    )


Listing = dict[str, tuple[int, int, int]]
"""All paths in a folder, with the values that show whether a file has changed."""


def _list_now(folder: Path) -> Listing:
    """Raises Interrupted if something vanishes meanwhile: a file in the making, renamed to its final name."""
    found: Listing = {}
    try:
        for entry in walk_tree(folder, strict=True):
            info = entry.stat(follow_symlinks=False)
            if stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
                found[os.path.relpath(entry.path, folder)] = (info.st_ino, info.st_size, info.st_mtime_ns)
            elif stat.S_ISDIR(info.st_mode):
                found[os.path.relpath(entry.path, folder)] = (info.st_ino, 0, 0)
    except FileNotFoundError:
        raise Interrupted(NOT_PACKED) from None
    return found


def _write_folder(folder: Path, file: IO[bytes], stop: threading.Event) -> tuple[Listing, dict[str, str]]:
    """Writes everything in the folder; returns what was there, and the digest or link target of each member."""
    listing, digests = _list_now(folder), {}
    top = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with tarfile.open(
            fileobj=file, mode="w:gz", compresslevel=LEVEL, format=tarfile.PAX_FORMAT
        ) as archive:
            for name in sorted(listing):
                digests[name] = _write_member(archive, top, name, stop)
    except OSError as error:
        # Not what was listed: it was renamed or cut (tarfile's error has no number), or a link has taken its place.
        if error.errno in (None, errno.ENOENT, errno.EINVAL, errno.ENXIO, *LINK_ERRORS):
            raise Interrupted(NOT_PACKED) from None
        raise
    finally:
        os.close(top)
    return listing, digests


def _write_member(archive: tarfile.TarFile, top: int, name: str, stop: threading.Event) -> str:
    """Opened beneath the folder `top` without following links: a program that still runs may swap files for links."""
    *parents, base = name.split("/")
    with _folder_beneath(top, parents) as parent:
        if stat.S_ISLNK(os.stat(base, dir_fd=parent, follow_symlinks=False).st_mode):
            member = tarfile.TarInfo(name)
            member.type, member.linkname = tarfile.SYMTYPE, os.readlink(base, dir_fd=parent)
            archive.addfile(member)
            return member.linkname
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
        return _write_opened(archive, name, os.open(base, flags, dir_fd=parent), stop)


def _write_opened(archive: tarfile.TarFile, name: str, fd: int, stop: threading.Event) -> str:
    try:
        member = archive.gettarinfo(arcname=name, fileobj=cast("IO[bytes]", _Opened(fd)))
        if not member.isreg():
            archive.addfile(member)
            return member.linkname
        with os.fdopen(fd, "rb", closefd=False) as source:
            hashing = _Hashing(source, stop)
            archive.addfile(member, hashing)
        return hashing.digest.hexdigest()
    finally:
        os.close(fd)


@contextmanager
def _folder_beneath(top: int, parents: list[str]) -> Iterator[int]:
    fd = open_beneath(top, parents, os.O_RDONLY | os.O_DIRECTORY) if parents else os.dup(top)
    try:
        yield fd
    finally:
        os.close(fd)


class _Opened:
    """A descriptor as tarfile wants to see a file: it reads the kind, size and time from it."""

    name = ""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def fileno(self) -> int:
        return self._fd


class _Hashing:
    """Hashes while reading; raises Interrupted if `stop` is set."""

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
    """Reads the whole archive back and compares it with what was written."""
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
        raise OSError("the archive does not match what was written")


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
