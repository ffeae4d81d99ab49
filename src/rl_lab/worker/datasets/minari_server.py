"""What Minari's server, the Hugging Face Hub, has of a dataset: its files, their sizes and their checksums."""

from __future__ import annotations

import json
import os
import re
from http.client import HTTPException
from typing import Any, NamedTuple
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

from rl_lab.core.datasets.names import split_minari_id
from rl_lab.core.errors import Forbidden, InvalidInput, LabError, NotFound, WorkerFailed
from rl_lab.worker.datasets.formats.minari import MAIN_FILE, METADATA

OWNER = "farama-minari"
"""The account whose repositories hold Minari's datasets, one per group."""
REMOTE = "MINARI_REMOTE"
"""As for Minari itself: `hf://account`."""
ENDPOINT = "HF_ENDPOINT"
DEFAULT_ENDPOINT = "https://huggingface.co"
TIMEOUT_S = 30.0
MAX_LIST_BYTES = 64 << 20
SHA256 = re.compile(r"[0-9a-f]{64}")
COMMIT = re.compile(r"[0-9a-z]{1,64}")


class RemoteFile(NamedTuple):
    name: str
    url: str
    size: int
    sha256: str | None
    """None where the server lists none: it does for large files only."""


class RemoteDataset(NamedTuple):
    commit: str
    prefix: str
    """Its folder in the repository; empty for the repository itself."""
    files: list[RemoteFile]

    @property
    def size(self) -> int:
        return sum(file.size for file in self.files)


def find_remote(dataset_id: str) -> RemoteDataset:
    repo, prefix = repository(dataset_id)
    endpoint = os.environ.get(ENDPOINT, DEFAULT_ENDPOINT).rstrip("/")
    commit, known = _list_files(endpoint, repo)
    files = []
    for part in (METADATA, MAIN_FILE):
        name = f"{prefix}/data/{part}".lstrip("/")
        if name not in known:
            raise NotFound(f"{repo} has no file {name}.", next_step=_what_there_is(list(known)))
        url = f"{endpoint}/datasets/{repo}/resolve/{commit}/{quote(name)}"
        files.append(known[name]._replace(url=url))
    return RemoteDataset(commit, prefix, files)


def ask_size(given: dict[str, Any]) -> int:
    """A worker call: the bytes of the files of `minari`; `variables` name server and proxies."""
    os.environ.update(given["variables"])
    return find_remote(str(given["minari"])).size


def repository(dataset_id: str) -> tuple[str, str]:
    """The repository of an id such as `D4RL/door/human-v2`, and the folder in it."""
    parts = split_minari_id(dataset_id)
    remote = os.environ.get(REMOTE, f"hf://{OWNER}")
    kind, _, owner = remote.partition("://")
    if kind != "hf" or not re.fullmatch(r"[A-Za-z0-9_.-]+", owner):
        raise InvalidInput(
            f"{REMOTE} is {remote}; the lab downloads from the Hugging Face Hub only.",
            next_step="Unset it, or download with Minari's own command and import the folder.",
        )
    return f"{owner}/{parts[0]}", "/".join(parts[1:])


def _list_files(endpoint: str, repo: str) -> tuple[str, dict[str, RemoteFile]]:
    """The commit, and its files by name; their addresses follow."""
    url = f"{endpoint}/api/datasets/{repo}?blobs=true"
    try:
        with open_url(url, {}) as answer:
            found = json.loads(answer.read(MAX_LIST_BYTES))
        if not COMMIT.fullmatch(found["sha"]):
            raise ValueError
        return found["sha"], {file.name: file for file in map(_listed, found["siblings"])}
    except (URLError, OSError, HTTPException) as error:
        raise explain_network(error, url) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise WorkerFailed(f"{endpoint} did not answer like the Hugging Face Hub.", next_step=LATER) from None


def _listed(listed: dict[str, Any]) -> RemoteFile:
    """ValueError, KeyError, TypeError or AttributeError for anything else than a file."""
    size = int(listed.get("size") or 0)
    if size < 0:
        raise ValueError
    return RemoteFile(str(listed["rfilename"]), "", size, _checksum(listed))


def _checksum(listed: dict[str, Any]) -> str | None:
    of_large = listed.get("lfs")
    found = str(of_large.get("sha256", "")) if isinstance(of_large, dict) else ""
    return found if SHA256.fullmatch(found) else None


def open_url(url: str, headers: dict[str, str]) -> Any:
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


def explain_network(error: Exception, url: str) -> LabError:
    if isinstance(error, HTTPError):
        if error.code in (401, 404):
            return NotFound(
                f"Minari's server has no dataset at {url.partition('?')[0]}, or it is private.",
                next_step="Check the id; https://minari.farama.org lists the datasets.",
            )
        if error.code == 403:
            return Forbidden(f"Access to {url} was refused.", next_step="Choose a public dataset.")
        return WorkerFailed(f"Minari's server answered {error.code} {error.reason}.", next_step=LATER)
    reason = getattr(error, "reason", None) or error
    return WorkerFailed(
        f"Minari's server cannot be reached ({reason}). What has arrived is kept.",
        next_step="Check the network and import it again: it continues. Without a network, copy the dataset's folder "
        "here and import that.",
    )


def _what_there_is(names: list[str]) -> str:
    found = sorted(
        name.removesuffix(f"/data/{METADATA}") for name in names if name.endswith(f"data/{METADATA}")
    )
    return f"It has {', '.join(found[:10])}." if found else "It holds no dataset of Minari in HDF5."


LATER = "Try again later."
