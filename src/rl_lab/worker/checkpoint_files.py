"""Loads exactly the bytes of a checkpoint that were recorded: copied, compared with their hash, then read."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rl_lab.core.errors import Gone

if TYPE_CHECKING:
    from rl_lab.core.job_file import Job

CHUNK = 1 << 20


@contextmanager
def verified(path: Path, sha256: str | None) -> Iterator[Path]:
    """A copy that nobody else can change, of a file with this hash; Gone when the file has another one.

    A hash of the file itself would not do: it could be changed between the hash and the load. None: not recorded.
    """
    if sha256 is None:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="rl-lab-checkpoint-") as folder:
        copy = Path(folder) / path.name
        if _copy(path, copy) != sha256:
            raise changed(path.name)
        yield copy


def changed(name: str) -> Gone:
    return Gone(
        f"The checkpoint file {name} was changed after it was saved, so it is not loaded.",
        next_step="Choose another checkpoint of the run.",
    )


def _copy(source: Path, target: Path) -> str:
    """The hash of what was copied."""
    digest = hashlib.sha256()
    descriptor = os.open(source, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file, target.open("wb") as copy:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            copy.write(chunk)
    return digest.hexdigest()


@contextmanager
def resume_file(job: Job) -> Iterator[Path | None]:
    path = job.resume_path
    if path is None:
        yield None
        return
    with verified(path, job.resume_sha256) as copy:
        yield copy


@contextmanager
def start_file(job: Job) -> Iterator[Path | None]:
    point, path = job.train_config.start_from, job.inputs.get("start")
    if point is None or path is None or job.resume_path is not None:
        yield None
        return
    if not Path(path).is_file():
        raise Gone(
            "The weights that this run starts with are missing from its folder.",
            next_step="Create the run again from a checkpoint that is there.",
        )
    with verified(Path(path), point.sha256) as copy:
        yield copy
