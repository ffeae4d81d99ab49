"""Writes requirements/: the packages of `make run` and `make test` with the hash of every file the index has of them.

setup.sh installs from these files with --require-hashes: a file that was changed after this script ran stops the
installation. Called by scripts/constraints.py.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from package_index import IndexFile, PackageIndex

APART = {"torch"}
"""Pinned by version only; TORCH says why."""
AT_ONCE = 8
HEADER = """\
# {title}
# Written by `make constraints` from the package index; do not edit. Each hash is one file of that version: wheels of
# every platform and the source. scripts/setup.sh installs with --require-hashes: pip stops at a file with another hash.
"""
TORCH = """\
# torch is not here: its CPU, CUDA and local builds are different files of one version. scripts/setup.sh installs it by
# the version in constraints.txt; only this version, and what a CUDA build adds (nvidia-*, triton), come without a hash.
"""

Pins = Mapping[str, str]
"""Versions by package."""


def write_locks(folder: Path, run: Pins, dev: Pins, node: Pins) -> None:
    """`run.txt`, what `dev.txt` adds to it, and `node.txt` for machines that have no Node."""
    index = PackageIndex()
    more = {name: version for name, version in dev.items() if name not in run}
    folder.mkdir(exist_ok=True)
    _write(folder / "run.txt", HEADER.format(title="What `make run` installs.") + TORCH, run, index)
    _write(folder / "dev.txt", HEADER.format(title="What `make test` adds.") + "-r run.txt\n", more, index)
    _write(folder / "node.txt", HEADER.format(title="Node for building the page."), node, index)


def _write(target: Path, header: str, pins: Pins, index: PackageIndex) -> None:
    names = sorted(pins.keys() - APART)
    with ThreadPoolExecutor(AT_ONCE) as threads:
        found = threads.map(lambda name: _entry(name, pins[name], index.files(name, pins[name])), names)
        target.write_text(header + "".join(found))


def _entry(name: str, version: str, files: Iterable[IndexFile]) -> str:
    hashes = sorted({file.sha256 for file in files})
    return " \\\n".join([f"{name}=={version}", *(f"    --hash=sha256:{one}" for one in hashes)]) + "\n"
