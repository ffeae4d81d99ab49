"""A small Hugging Face Hub on the loopback address: the endpoints that pushes and pulls use, and faults to order.

It speaks to the real huggingface_hub client. Repositories are dictionaries from names to bytes.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote, urlsplit

TOKEN = "hf_goodtokenofada"
LARGE = (".zip", ".safetensors", ".onnx", ".npz", ".mp4", ".hdf5")


@dataclass
class Repo:
    private: bool = False
    files: dict[str, bytes] = field(default_factory=dict)
    commits: list[str] = field(default_factory=lambda: ["0" * 40])
    declared: dict[str, int] = field(default_factory=dict)
    """Sizes that the list of files claims, where they are not the real ones."""
    checksums: dict[str, str] = field(default_factory=dict)
    """The same for the checksums of large files."""


@dataclass
class HubServer:
    url: str = ""
    repos: dict[str, Repo] = field(default_factory=dict)
    blobs: dict[str, bytes] = field(default_factory=dict)
    """Large files that have arrived, by hash."""
    requests: list[str] = field(default_factory=list)
    refuse_writes: bool = False
    cut_uploads: int = 0
    """How many of the next large files are cut in the middle."""
    cut_downloads: int = 0
    stalled: threading.Event | None = None
    """Set when a large file has been sent by half; the rest never comes."""
    ranges: list[str] = field(default_factory=list)
    """The Range headers of downloads."""


@contextmanager
def serve_hub() -> Iterator[HubServer]:
    hub = HubServer()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("BoundHandler", (_Handler,), {"hub": hub}))
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    hub: HubServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        path = self._noted()
        if path == "/api/whoami-v2":
            self._whoami()
        elif path.startswith("/api/models/"):
            self._info(path.removeprefix("/api/models/").partition("/revision/"))
        elif path.startswith("/api/datasets/"):
            self._info(path.removeprefix("/api/datasets/").partition("/revision/"))
        elif "/resolve/" in path:
            self._resolve(path)
        else:
            self._fail(404, "Not here")

    def do_HEAD(self) -> None:
        self._resolve(self._noted())

    def do_PUT(self) -> None:
        oid = self._noted().rpartition("/")[2]
        length = int(self.headers["Content-Length"])
        if self.hub.cut_uploads > 0:
            self.hub.cut_uploads -= 1
            self.rfile.read(length // 2)
            self._cut()
            return
        data = self.rfile.read(length)
        assert hashlib.sha256(data).hexdigest() == oid
        self.hub.blobs[oid] = data
        self._answer({})

    def do_POST(self) -> None:
        path = self._noted()
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if path == "/api/validate-yaml":
            self._answer({"errors": [], "warnings": []})
        elif not self._may_write():
            pass
        elif path == "/api/repos/create":
            self._create(json.loads(body))
        elif path.endswith("/info/lfs/objects/batch"):
            self._batch(json.loads(body))
        elif "/preupload/" in path:
            self._preupload(json.loads(body))
        elif "/commit/" in path:
            self._commit(path.removeprefix("/api/models/").partition("/commit/")[0], body)
        else:
            self._fail(404, "Not here")

    def _noted(self) -> str:
        path = unquote(urlsplit(self.path).path)
        self.hub.requests.append(f"{self.command} {self.path}")
        return path

    @property
    def _is_signed_in(self) -> bool:
        return self.headers.get("Authorization") == f"Bearer {TOKEN}"

    def _has_wrong_token(self) -> bool:
        """The Hub refuses a wrong token for public repositories too."""
        is_wrong = "Authorization" in self.headers and not self._is_signed_in
        if is_wrong:
            self._fail(401, "Invalid credentials in Authorization header")
        return is_wrong

    def _may_write(self) -> bool:
        if not self._is_signed_in:
            self._fail(401, "Invalid username or password.")
        elif self.hub.refuse_writes:
            self._fail(403, "You don't have the rights to create a model under this namespace")
        else:
            return True
        return False

    def _whoami(self) -> None:
        if self._is_signed_in:
            self._answer({"name": "ada", "type": "user", "auth": {"accessToken": {"role": "write"}}})
        else:
            self._fail(401, "Invalid username or password.")

    def _create(self, wanted: dict[str, Any]) -> None:
        name = f"{wanted.get('organization') or 'ada'}/{wanted['name']}"
        if name in self.hub.repos:
            self._fail(409, "You already created this model repo")
            return
        is_private = bool(wanted.get("private")) or wanted.get("visibility") == "private"
        self.hub.repos[name] = Repo(private=is_private)
        self._answer({"url": f"{self.hub.url}/{name}"})

    def _info(self, named: tuple[str, str, str]) -> None:
        if self._has_wrong_token():
            return
        repo = self.hub.repos.get(named[0])
        if repo is None or (repo.private and not self._is_signed_in):
            self._fail(404 if self._is_signed_in else 401, "Repository not found", code="RepoNotFound")
            return
        if named[2] and named[2] not in ("main", *repo.commits):
            self._fail(404, "Invalid rev id", code="RevisionNotFound")
            return
        sizes = {name: repo.declared.get(name, len(data)) for name, data in repo.files.items()}
        siblings = [
            {"rfilename": name, "size": size, **_lfs(repo, name, size)}
            for name, size in {**sizes, **repo.declared}.items()
        ]
        self._answer({"id": named[0], "sha": repo.commits[-1], "private": repo.private, "siblings": siblings})

    def _preupload(self, wanted: dict[str, Any]) -> None:
        found = [
            {
                "path": one["path"],
                "uploadMode": "lfs" if one["path"].endswith(LARGE) else "regular",
                "shouldIgnore": False,
            }
            for one in wanted["files"]
        ]
        self._answer({"files": found})

    def _batch(self, wanted: dict[str, Any]) -> None:
        objects = []
        for one in wanted["objects"]:
            place = (
                {}
                if one["oid"] in self.hub.blobs
                else {"upload": {"href": f"{self.hub.url}/lfs/{one['oid']}"}}
            )
            objects.append({**one, **({"actions": place} if place else {})})
        self._answer({"transfer": "basic", "objects": objects})

    def _commit(self, name: str, body: bytes) -> None:
        repo = self.hub.repos[name]
        for line in body.splitlines():
            item = json.loads(line)
            value = item["value"]
            if item["key"] == "file":
                repo.files[value["path"]] = base64.b64decode(value["content"])
            elif item["key"] == "lfsFile":
                repo.files[value["path"]] = self.hub.blobs[value["oid"]]
            elif item["key"] == "deletedFile":
                del repo.files[value["path"]]
        repo.commits.append(hashlib.sha1(body).hexdigest())
        url = f"{self.hub.url}/{name}/commit/{repo.commits[-1]}"
        self._answer({"success": True, "commitOid": repo.commits[-1], "commitUrl": url})

    def _resolve(self, path: str) -> None:
        if self._has_wrong_token():
            return
        found = re.fullmatch(r"(?:/datasets)?/([^/]+/[^/]+)/resolve/([^/]+)/(.+)", path)
        repo = self.hub.repos.get(found[1]) if found else None
        if found is None or repo is None or found[3] not in repo.files:
            self._fail(404, "Entry not found", code="EntryNotFound")
            return
        data = repo.files[found[3]]
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range") or "")
        start = int(wanted[1]) if wanted else 0
        if wanted:
            self.hub.ranges.append(self.headers["Range"])
        self.send_response(206 if start else 200)
        self.send_header("Content-Length", str(len(data) - start))
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        self.send_header("ETag", f'"{hashlib.sha256(data).hexdigest()}"')
        self.send_header("X-Repo-Commit", repo.commits[-1])
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()
        if self.command == "HEAD":
            return
        if self.hub.stalled is not None and found[3].endswith(LARGE):
            self.wfile.write(data[start : start + (len(data) - start) // 2])
            self.wfile.flush()
            self.hub.stalled.set()
            self.rfile.read(1)  # until the client is gone
            return
        if self.hub.cut_downloads > 0 and found[3].endswith(LARGE):
            self.hub.cut_downloads -= 1
            self.wfile.write(data[start : start + (len(data) - start) // 2])
            self._cut()
            return
        self.wfile.write(data[start:])

    def _answer(self, value: Any) -> None:
        self._send(200, json.dumps(value).encode(), {})

    def _fail(self, status: int, message: str, code: str = "") -> None:
        headers = {"X-Error-Message": message, **({"X-Error-Code": code} if code else {})}
        self._send(status, json.dumps({"error": message}).encode(), headers)

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def _cut(self) -> None:
        """Breaks the connection, as a failing network does."""
        self.wfile.flush()
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)


def _lfs(repo: Repo, name: str, size: int) -> dict[str, Any]:
    """What the list of files has of a large one."""
    if not name.endswith(LARGE):
        return {}
    sha256 = repo.checksums.get(name) or hashlib.sha256(repo.files.get(name, b"")).hexdigest()
    return {"lfs": {"sha256": sha256, "size": size, "pointerSize": 134}}
