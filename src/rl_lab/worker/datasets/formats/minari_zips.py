"""A dataset of Minari in a zip, as the lab exports it: the HDF5 in it is stored, and read without unpacking."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.formats.hdf5_files import open_hdf5_in
from rl_lab.worker.datasets.formats.minari import MAIN_FILE, METADATA, open_episodes, read_metadata
from rl_lab.worker.datasets.formats.source import OpenSource

LOCAL_HEADER = 30
"""Bytes before the name of a member."""


def has_minari(path: Path) -> bool:
    """Whether a zip holds a dataset of Minari; False for one that cannot be read."""
    try:
        with zipfile.ZipFile(path) as archive:
            return _main_file(archive) is not None
    except (zipfile.BadZipFile, OSError, ValueError):
        return False


def open_zip(path: Path) -> OpenSource:
    with zipfile.ZipFile(path) as archive:
        main = _main_file(archive)
        assert main is not None
        name = main.filename.removesuffix(MAIN_FILE) + METADATA
        if name not in archive.namelist():
            raise InvalidInput(
                f"{path.name} has no {name}.", next_step="Pack the whole folder of the dataset."
            )
        metadata = read_metadata(zipfile.Path(archive, name))
    if main.compress_type != zipfile.ZIP_STORED or main.flag_bits & 1 or main.file_size != main.compress_size:
        raise InvalidInput(
            f"{path.name} has its {MAIN_FILE} packed or encrypted, so it cannot be read in place.",
            next_step="Unpack it and import the folder, or pack it without compression (zip -0).",
        )
    part = FilePart(path, _data_offset(path, main), main.file_size)
    return open_episodes(
        open_hdf5_in(io.BufferedReader(part), f"{path.name}/{MAIN_FILE}", main.file_size), metadata
    )


class FilePart(io.RawIOBase):
    """Some bytes of a file, as a file."""

    def __init__(self, path: Path, start: int, size: int) -> None:
        super().__init__()
        self._file = path.open("rb", buffering=0)
        self._start, self._size, self._at = start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        count = max(0, min(len(view), self._size - self._at))
        self._file.seek(self._start + self._at)
        read = self._file.readinto(view[:count]) or 0
        self._at += read
        return read

    def close(self) -> None:
        self._file.close()
        super().close()


def _main_file(archive: zipfile.ZipFile) -> zipfile.ZipInfo | None:
    found = [one for one in archive.infolist() if one.filename.rpartition("/")[2] == MAIN_FILE]
    return found[0] if len(found) == 1 else None


def _data_offset(path: Path, member: zipfile.ZipInfo) -> int:
    with path.open("rb") as file:
        file.seek(member.header_offset)
        header = file.read(LOCAL_HEADER)
    if len(header) < LOCAL_HEADER or header[:4] != b"PK\x03\x04":
        raise InvalidInput(f"{path.name} is damaged.", next_step="Get the file again.")
    lengths = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    return member.header_offset + LOCAL_HEADER + lengths
