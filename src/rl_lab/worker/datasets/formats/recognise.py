"""Which format a file has, by its contents; its name is only a text."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from rl_lab.core.datasets.formats import ImportFormat
from rl_lab.core.errors import InvalidInput, NotFound
from rl_lab.worker.datasets.formats import minari
from rl_lab.worker.datasets.formats.minari_zips import has_minari, open_zip
from rl_lab.worker.datasets.formats.source import OpenSource

READERS: dict[ImportFormat, str] = {
    "minari": "rl_lab.worker.datasets.formats.recognise:open_minari",
    "hdf5": "rl_lab.worker.datasets.formats.hdf5:open_file",
    "npz": "rl_lab.worker.datasets.formats.npz:open_file",
    "parquet": "rl_lab.worker.datasets.formats.parquet:open_file",
    "csv": "rl_lab.worker.datasets.formats.csv_files:open_file",
}
HDF5_MAGIC, ZIP_MAGIC, PARQUET_MAGIC = b"\x89HDF\r\n\x1a\n", b"PK\x03\x04", b"PAR1"
NPY_MAGIC, GZIP_MAGIC = b"\x93NUMPY", b"\x1f\x8b"
WHAT_IS_READ = "The lab reads Minari folders, HDF5, NPZ, Parquet and CSV."


def open_source(path: Path, format: ImportFormat | None = None) -> OpenSource:
    """What is at a path, opened; InvalidInput when it is no dataset that the lab can read."""
    found = recognise(path)
    if format is not None and format != found:
        raise InvalidInput(
            f"{path.name} is not {format}: its contents are {found}.",
            next_step=f"Leave the format out, or write {found}.",
        )
    module, _, name = READERS[found].partition(":")
    source: OpenSource = getattr(import_module(module), name)(path)
    return source


def open_minari(path: Path) -> OpenSource:
    return minari.open_folder(path) if path.is_dir() else open_zip(path)


def recognise(path: Path) -> ImportFormat:
    if path.is_dir():
        if minari.find_data(path) is None:
            raise InvalidInput(
                f"The folder {path.name} is not a dataset of Minari: it has no {minari.METADATA}.",
                next_step="Choose the folder of one dataset (the one with `data` in it), or a single file.",
            )
        return "minari"
    if not path.exists():
        raise NotFound(
            f"There is no file {path}.", next_step="Check the path; it is one of the lab's machine."
        )
    if not path.is_file():
        raise InvalidInput(f"{path.name} is not a file.", next_step="Choose a file or a folder.")
    with path.open("rb") as file:
        start = file.read(4096)
    return _by_start(path, start)


def main_file(path: Path) -> Path:
    """The file whose checksum counts."""
    data = minari.find_data(path) if path.is_dir() else None
    return path if data is None else data / minari.MAIN_FILE


def _by_start(path: Path, start: bytes) -> ImportFormat:
    if not start:
        raise InvalidInput(f"{path.name} is empty.", next_step="Get the file again.")
    if start.startswith(HDF5_MAGIC) or _has_user_block(path):
        return "hdf5"
    if start.startswith(ZIP_MAGIC):
        return "minari" if has_minari(path) else "npz"
    if start.startswith(PARQUET_MAGIC):
        return "parquet"
    refused = _refusal(start)
    if refused:
        raise InvalidInput(f"{path.name} {refused}", next_step=WHAT_IS_READ)
    return "csv"


def _refusal(start: bytes) -> str:
    if start.startswith(NPY_MAGIC):
        return "is a single array; a dataset needs several, as numpy.savez writes them."
    if start.startswith(b"\x80"):
        return "is a pickle. Pickles are never loaded, because loading one runs code."
    if start.startswith(GZIP_MAGIC):
        return "is packed with gzip; unpack it first."
    if b"\0" in start:
        return "is in no format that the lab knows."
    return ""


def _has_user_block(path: Path) -> bool:
    """HDF5 may begin at byte 512, 1024, 2048, …"""
    size = path.stat().st_size
    with path.open("rb") as file:
        place = 512
        while place < min(size, 1 << 16):
            file.seek(place)
            if file.read(8) == HDF5_MAGIC:
                return True
            place *= 2
    return False
