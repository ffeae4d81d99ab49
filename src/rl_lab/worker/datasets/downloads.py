"""Downloads a dataset from Minari's server, the Hugging Face Hub. A download that was cut continues where it was.

The process is confined like every import: it has no token, writes to its own folders, and gives the network up before
it opens what it has received.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    HTTPHandler,
    HTTPRedirectHandler,
    HTTPSHandler,
    OpenerDirector,
    ProxyHandler,
    UnknownHandler,
)

from rl_lab.core.errors import Forbidden, InvalidInput, LabError, NotFound, WorkerFailed
from rl_lab.guardian.confinement import seccomp
from rl_lab.worker.datasets.formats.minari import MAIN_FILE, METADATA
from rl_lab.worker.datasets.intake.forecast import require_space
from rl_lab.worker.datasets.progress import WorkCount
from rl_lab.worker.session import Session

OWNER = "farama-minari"
"""The account whose repositories hold Minari's datasets, one per group."""
REMOTE = "MINARI_REMOTE"
"""As for Minari itself: `hf://account`."""
ENDPOINT = "HF_ENDPOINT"
DEFAULT_ENDPOINT = "https://huggingface.co"
TIMEOUT_S = 30.0
BLOCK = 1 << 20
MAX_LIST_BYTES = 64 << 20
TRIES = 5
"""Without a byte in between."""
PAUSE_S = 1.0
"""Before the second try; each further one waits twice as long."""
PART = ".part"


def download_minari(session: Session, dataset_id: str, folder: Path, allowed: int | None) -> Path:
    """The dataset's folder, complete; `folder` keeps what has arrived until the import has ended."""
    os.environ.update(session.job.inputs.get("variables", {}))
    repo, prefix = repository(dataset_id)
    endpoint = os.environ.get(ENDPOINT, DEFAULT_ENDPOINT).rstrip("/")
    listing = _list_files(endpoint, repo)
    sizes = {str(one["rfilename"]): int(one.get("size") or 0) for one in listing["siblings"]}
    wanted = [f"{prefix}/data/{name}".lstrip("/") for name in (METADATA, MAIN_FILE)]
    for name in wanted:
        if name not in sizes:
            raise NotFound(f"{repo} has no file {name}.", next_step=_what_there_is(sizes))
    total = sum(sizes[name] for name in wanted)
    # A new commit is another folder: pieces of two versions are never joined.
    place = folder / re.sub(r"[^0-9a-z]", "", str(listing["sha"]))[:40]
    require_space(folder, total, allowed)
    progress, done = WorkCount(session, total, "byte"), 0
    for name in wanted:
        url = f"{endpoint}/datasets/{repo}/resolve/{listing['sha']}/{quote(name)}"
        _fetch(url, place / name, sizes[name], lambda arrived, before=done: progress.reach(before + arrived))  # type: ignore[misc]
        done += sizes[name]
    _give_up_network(session)
    return place / prefix if prefix else place


def repository(dataset_id: str) -> tuple[str, str]:
    """The repository of an id such as `D4RL/door/human-v2`, and the folder in it."""
    parts = dataset_id.strip("/").split("/")
    if not all(re.fullmatch(r"[A-Za-z0-9_-]+", part) for part in parts) or len(parts) > 8:
        raise InvalidInput.of_field(
            "minari", f"“{dataset_id}” is not an id of Minari; one looks like D4RL/door/human-v2."
        )
    remote = os.environ.get(REMOTE, f"hf://{OWNER}")
    kind, _, owner = remote.partition("://")
    if kind != "hf" or not re.fullmatch(r"[A-Za-z0-9_.-]+", owner):
        raise InvalidInput(
            f"{REMOTE} is {remote}; the lab downloads from the Hugging Face Hub only.",
            next_step="Unset it, or download with Minari's own command and import the folder.",
        )
    return f"{owner}/{parts[0]}", "/".join(parts[1:])


def _list_files(endpoint: str, repo: str) -> dict[str, Any]:
    url = f"{endpoint}/api/datasets/{repo}?blobs=true"
    try:
        with _open(url, {}) as answer:
            found = json.loads(answer.read(MAX_LIST_BYTES))
        if not isinstance(found["siblings"], list) or not isinstance(found["sha"], str):
            raise TypeError
    except (URLError, OSError, HTTPException) as error:
        raise _explain(error, url) from None
    except (ValueError, KeyError, TypeError):
        raise WorkerFailed(
            f"{endpoint} did not answer like the Hugging Face Hub.", next_step=_LATER
        ) from None
    return dict(found)


def _fetch(url: str, path: Path, size: int, report: Callable[[int], None]) -> None:
    """The whole file, from where an earlier download of it has ended; tried again when the connection breaks."""
    if path.exists() and path.stat().st_size == size:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(path.name + PART)
    tries = 0
    while (arrived := part.stat().st_size if part.exists() else 0) < size:
        try:
            _append(url, part, size, report)
        except (URLError, OSError, HTTPException) as error:
            has_moved = part.exists() and part.stat().st_size > arrived
            tries = 1 if has_moved else tries + 1
            if tries >= TRIES or isinstance(error, HTTPError):
                raise _explain(error, url) from None
            time.sleep(PAUSE_S * 2**tries)
    if part.exists():
        part.rename(path)
    else:
        path.touch()


def _append(url: str, part: Path, size: int, report: Callable[[int], None]) -> None:
    start = part.stat().st_size if part.exists() else 0
    headers = {"Range": f"bytes={start}-", "Accept-Encoding": "identity"} if start else {}
    with _open(url, headers) as answer:
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


def _open(url: str, headers: dict[str, str]) -> Any:
    """HTTP and HTTPS only, also where the server sends us on."""
    opener = OpenerDirector()
    for handler in (
        ProxyHandler,
        HTTPHandler,
        HTTPSHandler,
        HTTPRedirectHandler,
        HTTPErrorProcessor,
        HTTPDefaultErrorHandler,
        UnknownHandler,
    ):
        opener.add_handler(handler())
    opener.addheaders = [("User-Agent", "rl-lab"), *headers.items()]
    return opener.open(url, timeout=TIMEOUT_S)


def _explain(error: Exception, url: str) -> LabError:
    if isinstance(error, HTTPError):
        if error.code in (401, 404):
            return NotFound(
                f"Minari's server has no dataset at {url.partition('?')[0]}, or it is private.",
                next_step="Check the id; https://minari.farama.org lists the datasets.",
            )
        if error.code == 403:
            return Forbidden(f"Access to {url} was refused.", next_step="Choose a public dataset.")
        return WorkerFailed(f"Minari's server answered {error.code} {error.reason}.", next_step=_LATER)
    reason = getattr(error, "reason", None) or error
    return WorkerFailed(
        f"Minari's server cannot be reached ({reason}). What has arrived is kept.",
        next_step="Check the network and import it again: it continues. Without a network, copy the dataset's folder "
        "here and import that.",
    )


def _what_there_is(sizes: dict[str, int]) -> str:
    found = sorted(
        name.removesuffix(f"/data/{METADATA}") for name in sizes if name.endswith(f"data/{METADATA}")
    )
    return f"It has {', '.join(found[:10])}." if found else "It holds no dataset of Minari in HDF5."


def _give_up_network(session: Session) -> None:
    """The files come from somebody else: from here on nothing can be sent anywhere."""
    if "folder" in session.job.inputs and seccomp.is_known_machine():
        seccomp.install(network=False)


_LATER = "Try again later."
