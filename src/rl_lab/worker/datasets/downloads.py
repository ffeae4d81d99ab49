"""Downloads a dataset from Minari's server, the Hugging Face Hub. A download that was cut continues where it was.

The process is confined like every import: it has no token, writes to its own folders, and gives the network up before
it opens what it has received.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError

from rl_lab.core.errors import InvalidInput
from rl_lab.guardian.confinement import seccomp
from rl_lab.worker.datasets.intake.forecast import require_space
from rl_lab.worker.datasets.minari_server import RemoteFile, explain_network, find_remote, open_url
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.session import Session

BLOCK = 1 << 20
TRIES = 5
"""Without a byte in between."""
PAUSE_S = 1.0
"""Before the second try; each further one waits twice as long."""
PART = ".part"


def download_minari(session: Session, dataset_id: str, folder: Path, allowed: int | None) -> Path:
    """The dataset's folder, complete; `folder` keeps what has arrived until the import has ended."""
    os.environ.update(session.job.inputs.get("variables", {}))
    remote = find_remote(dataset_id)
    # A new commit is another folder: pieces of two versions are never joined.
    place = folder / remote.commit
    require_space(folder, remote.size, allowed)
    progress, done = WorkCount(session, remote.size, "byte"), 0
    for file in remote.files:
        _fetch(file, place / file.name, lambda arrived, before=done: progress.reach(before + arrived))  # type: ignore[misc]
        _require_checksum(file, place / file.name, progress.look)
        done += file.size
    _give_up_network(session)
    return place / remote.prefix if remote.prefix else place


def _fetch(file: RemoteFile, path: Path, report: Callable[[int], None]) -> None:
    """The whole file, from where an earlier download of it has ended; tried again when the connection breaks."""
    if path.exists() and path.stat().st_size == file.size:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + PART)
    tries = 0
    while (arrived := part.stat().st_size if part.exists() else 0) < file.size:
        try:
            _append(file.url, part, file.size, report)
        except (URLError, OSError, HTTPException) as error:
            has_moved = part.exists() and part.stat().st_size > arrived
            tries = 1 if has_moved else tries + 1
            if tries >= TRIES or isinstance(error, HTTPError):
                raise explain_network(error, file.url) from None
            time.sleep(PAUSE_S * 2**tries)
    if part.exists():
        part.rename(path)
    else:
        path.touch()


def _append(url: str, part: Path, size: int, report: Callable[[int], None]) -> None:
    start = part.stat().st_size if part.exists() else 0
    headers = {"Range": f"bytes={start}-", "Accept-Encoding": "identity"} if start else {}
    with open_url(url, headers) as answer:
        is_continued = answer.status == 206
        with part.open("ab" if is_continued else "wb") as file:
            arrived = start if is_continued else 0
            while block := answer.read1(BLOCK):
                arrived += len(block)
                if arrived > size:
                    part.unlink()
                    raise InvalidInput(
                        f"The server sends more than the {size:,} bytes that it declared.",
                        next_step="Do not trust this dataset.",
                    )
                file.write(block)
                report(arrived)
    if arrived < size:
        raise ConnectionError("the connection was closed too early")


def _require_checksum(file: RemoteFile, path: Path, look: Callable[[], None]) -> None:
    """Of the whole file, also where it came in several pieces; `look` ends the job when it was stopped."""
    if file.sha256 is None:
        return
    digest = hashlib.sha256()
    with path.open("rb", buffering=0) as arrived:
        while block := arrived.read(BLOCK):
            digest.update(block)
            look()
    if digest.hexdigest() == file.sha256:
        return
    path.unlink()
    raise InvalidInput(
        f"{path.name} has arrived with the SHA-256 {digest.hexdigest()[:12]}…, not with the server's "
        f"{file.sha256[:12]}…: it was changed or damaged on its way. It was removed, and nothing was imported.",
        next_step="Import it again: the file is downloaded from its beginning.",
    )


def _give_up_network(session: Session) -> None:
    """The files come from somebody else: from here on nothing can be sent anywhere."""
    if "folder" in session.job.inputs and seccomp.is_known_machine():
        seccomp.install(network=False)
