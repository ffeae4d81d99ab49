"""No path leads outside: hundreds of hostile ones in addresses, bodies, artifact rows and archives, and planted files.

An escape is an answer with bytes of the token, the database or /etc/passwd. Nothing answers with 500, and nothing
blocks: the client gives up after the deadline of all tests.
"""

from __future__ import annotations

import io
import json
import os
import random
import re
import stat
import tarfile
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from support.foreign_programs import run_program
from support.path_payloads import payloads
from support.raw_http import RawAnswer, RawClient
from support.server import Server

from rl_lab.core.errors import LabError
from rl_lab.store.files import archive_files
from rl_lab.store.files.folders import RunFolder

DRAWN = 14
"""Payloads for a route that opens no file; those that do get all."""
PRINTABLE = "".join(map(chr, range(0x21, 0x7F)))
NOT_THERE = {307, 400, 401, 403, 404, 405, 406, 409, 410, 414, 422, 431}


@pytest.fixture(scope="module")
def paths(lab: Server) -> list[str]:
    found = payloads(lab.home)
    assert len(found) >= 300
    return found


@pytest.fixture(scope="module")
def run_id(lab: Server) -> str:
    """A run that has ended, with episodes and files."""
    return str(lab.wait(lab.create(start=True)["id"], "succeeded")["id"])


@pytest.fixture
def client(lab: Server) -> Iterator[RawClient]:
    with RawClient(lab.url) as opened:
        yield opened


class Thief:
    """A caller with the right token who looks for what is outside."""

    def __init__(self, lab: Server, client: RawClient) -> None:
        self._client = client
        self._token = (("Authorization", f"Bearer {lab.token}"), ("Content-Type", "application/json"))
        self._loot = (lab.token, "SQLite format 3", Path("/etc/passwd").read_text().splitlines()[0])
        self.found: list[str] = []
        self.asked = 0

    def ask(self, method: str, target: str, body: bytes = b"") -> RawAnswer:
        # Only what cannot be part of a request line is encoded: the rest arrives as it is.
        answer = self._client.ask(method, quote(target, safe=PRINTABLE), self._token, body)
        self.asked += 1
        if answer.status >= 500 or any(word in answer.text for word in self._loot):
            self.found.append(f"{method} {target[:200]!r} {body[:200]!r}: {answer.status}")
        return answer


@pytest.fixture
def thief(lab: Server, client: RawClient) -> Thief:
    return Thief(lab, client)


def addresses(lab: Server) -> list[tuple[str, str]]:
    """Every method and address with something to fill in."""
    document = lab.client.get("/api/openapi.json").json()["paths"]
    return [(method.upper(), path) for path, item in document.items() for method in item if "{" in path]


@pytest.mark.parametrize("address", ["/api/artifacts/{}", "/api/environments/{}/exactness", "/{}"])
def test_no_path_in_an_address_that_opens_files_leads_outside(
    thief: Thief, paths: list[str], address: str
) -> None:
    answers = [thief.ask("GET", address.format(path)) for path in paths]
    assert thief.found == []
    assert thief.asked >= 300
    assert all(answer.status in NOT_THERE for answer in answers if "api" in address)


@pytest.mark.parametrize("address", ["/api/environments/{}/thumbnail", "/assets/{}", "/api/{}", "/runs/{}"])
def test_no_path_after_another_prefix_leads_outside(thief: Thief, paths: list[str], address: str) -> None:
    for path in random.Random(address).sample(paths, 60):
        thief.ask("GET", address.format(path))
    assert thief.found == []


def test_no_path_in_any_other_address_leads_outside(
    lab: Server, thief: Thief, paths: list[str], run_id: str
) -> None:
    for method, path in addresses(lab):
        for name in re.findall(r"\{(\w+)\}", path):
            others = path.replace("{run_id}", run_id) if name != "run_id" else path
            pattern = re.sub(r"\{(?!" + name + r"\})\w+\}", "0", others)
            for payload in random.Random(f"{method} {path} {name}").sample(paths, DRAWN):
                thief.ask(method, pattern.replace(f"{{{name}}}", payload), b"" if method == "GET" else b"{}")
    assert thief.found == []
    assert thief.asked >= 40 * DRAWN


def test_no_path_in_an_imported_config_leads_outside(lab: Server, thief: Thief, paths: list[str]) -> None:
    """The config.json of somebody else: each of its texts is a path."""
    config = {"runner": "fake", "algorithm": "toy", "env_id": "CartPole-v1", "start": False}
    for path in random.Random("configs").sample(paths, 60):
        for field in ("env_id", "runner", "algorithm", "preset", "resume_from"):
            thief.ask("POST", "/api/runs", json.dumps({**config, field: path}).encode())
    assert thief.found == []
    assert lab.client.get("/api/health").status_code == 200


def test_every_path_of_a_command_is_answered(thief: Thief, paths: list[str]) -> None:
    """Who holds the token may name any file of theirs as a script: only errors and endless reading count."""

    def preview(runner: str, algorithm: str, **params: Any) -> None:
        body = {"runner": runner, "algorithm": algorithm, "params": params}
        thief.ask("POST", "/api/commands/preview", json.dumps(body).encode())

    for path in random.Random("commands").sample(paths, 40):
        preview("script", "python", command=["python3", path])
        preview("program", "protocol", command=[path])
        preview("program", "protocol", command=["/bin/true"], workdir=path, reads=[path], writes=[path])
    assert [found for found in thief.found if not found.endswith(": 200")] == []


PLANTED = {
    "link": "ln -s /etc/passwd link",
    "token-link": "ln -s {home}/token token-link",
    "link.png": "ln -s /etc/passwd link.png",
    "relative": "ln -s ../../../token relative",
    "folder/passwd": "ln -s /etc folder",
    "above/token": "ln -s ../../.. above",
    "loop": "ln -s loop loop",
    "deep/a/b/token": "mkdir -p deep/a; ln -s {home} deep/a/b",
    "zero": "ln -s /dev/zero zero",
    "self/fd/0": "ln -s /proc/self self",
    "pipe": "mkfifo pipe",
    "pipe.mp4": "mkfifo pipe.mp4",
    "directory": "mkdir directory",
    "hard": "ln /etc/passwd hard",
}
"""What a program leaves in its folder: the path it reports, and the command that makes it."""


def reported(*files: dict[str, Any]) -> str:
    lines = [{"type": "status", "total": 1, "timestep": 1}, *files, {"type": "finished"}]
    return "cat <<'END'\n{}\nEND\n".format("\n".join(map(json.dumps, lines)))


def plant(folder: Path) -> None:
    """What a confined program may not make itself."""
    os.mknod(folder / "socket", stat.S_IFSOCK | 0o600)
    with suppress(PermissionError):  # only root makes devices
        os.mknod(folder / "device", stat.S_IFCHR | 0o666, os.makedev(1, 5))
    for name in PLANTED:
        if not os.path.lexists(folder / name) and "/" not in name:
            os.mkfifo(folder / name) if "pipe" in name else (folder / name).symlink_to("/etc/passwd")


def test_no_artifact_a_program_reports_leads_outside(
    lab: Server, thief: Thief, paths: list[str], tmp_path: Path
) -> None:
    planted = [f"files/{name}" for name in (*PLANTED, "socket", "device")]
    commands = "".join(f"{{ {line}; }} 2>/dev/null\n" for line in PLANTED.values())
    files = [{"type": "artifact", "path": path} for path in (*planted, "files/honest", *paths)]
    files.append({"type": "artifacts", "video": paths, "tensorboard": paths})
    text = commands.replace("{home}", str(lab.home)) + "printf ok >honest\n" + reported(*files)
    run = run_program(lab, tmp_path / "thief", f"#!/bin/sh\n{text}")
    plant(lab.home / "runs" / run["id"] / "files")
    listed = lab.client.get(f"/api/runs/{run['id']}/artifacts").json()
    assert {*planted, "files/honest"} <= {file["path"] for file in listed}
    opened = {}
    for file in listed:
        for method in ("HEAD", "GET") if file["path"] in planted else ("GET",):
            opened[file["path"]] = thief.ask(method, f"/api/artifacts/{file['id']}").status
    assert thief.found == []
    own = {"files/honest", "config.json", "metrics.json", "metrics.jsonl", "summary.json"}
    assert {path for path, status in opened.items() if status < 400} <= own
    assert opened["files/honest"] == 200


def test_no_checkpoint_a_program_reports_is_loaded(lab: Server, thief: Thief, tmp_path: Path) -> None:
    planted = ("files/link", "../../token", "files/zero", "/etc/passwd")
    files = [{"type": "checkpoint", "path": path, "timestep": n} for n, path in enumerate(planted)]
    text = f"ln -s /etc/passwd link\nln -s /dev/zero zero\n{reported(*files)}"
    run = run_program(lab, tmp_path / "forger", f"#!/bin/sh\n{text}")
    for file in lab.client.get(f"/api/runs/{run['id']}/artifacts").json():
        body = json.dumps({"checkpoint_id": file["id"]}).encode()
        for job in ("evaluations", "exports", "films"):
            assert thief.ask("POST", f"/api/runs/{run['id']}/{job}", body).status in NOT_THERE
    assert thief.found == []


def test_no_member_of_an_archive_is_unpacked_outside(home: Path) -> None:
    """The first member that is refused ends an archive, so those with a way up come one by one."""
    (home / "token").write_text("secret")
    before = snapshot(home.parent)
    paths = [path for path in payloads(home) if len(path) < 300]
    upward = [path for path in paths if ".." in path.split("/") or path.startswith("/")]
    harmless = [path for path in paths if path not in upward and path]
    groups = [*([path] for path in random.Random("members").sample(upward, 20)), harmless]
    for number, names in enumerate(groups):
        folder = RunFolder(home, f"run{number}")
        write_archive(folder, *map(tarfile.TarInfo, names))
        with suppress(LabError, OSError):
            archive_files.unpack(folder)
    assert snapshot(home.parent) == before


def write_archive(folder: RunFolder, *members: tarfile.TarInfo) -> None:
    """An archive somebody else made; each file in it says “forged”."""
    folder.archive.parent.mkdir(exist_ok=True)
    with tarfile.open(folder.archive, "w:gz") as archive:
        for member in members:
            member.size = len(b"forged") if member.isreg() else 0
            archive.addfile(member, io.BytesIO(b"forged"))


def link_to(name: str, target: str, kind: bytes = tarfile.SYMTYPE) -> tarfile.TarInfo:
    member = tarfile.TarInfo(name)
    member.type, member.linkname = kind, target
    return member


def test_links_in_an_archive_lead_no_later_member_outside(home: Path) -> None:
    (home / "token").write_text("secret")
    before = snapshot(home.parent)
    links = [link_to("out", str(home)), link_to("up", "../.."), link_to("etc", "/etc"), link_to("self", ".")]
    hard = [link_to("hard", "../../token", tarfile.LNKTYPE), link_to("hard", "/etc/passwd", tarfile.LNKTYPE)]
    attempts = [[link, tarfile.TarInfo(f"{link.name}/token")] for link in (*links, *hard)]
    attempts.append([link_to("self", "."), link_to("self/out", str(home)), tarfile.TarInfo("self/out/token")])
    for number, members in enumerate(attempts):
        folder = RunFolder(home, f"run{number}")
        write_archive(folder, *members)
        with suppress(LabError, OSError):
            archive_files.unpack(folder)
        assert not (folder.path / "hard").exists()
    assert snapshot(home.parent) == before


def snapshot(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, but for what belongs to runs and archives."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not {"runs", "archive"} & set(path.parts)
    }


def test_packing_a_run_follows_no_link(home: Path) -> None:
    """Links are packed as links; what they lead to, and what is no file, stays outside."""
    (home / "token").write_text("the secret")
    folder = RunFolder(home, "run1")
    folder.create()
    (folder.path / "honest").write_text("kept")
    (folder.path / "link").symlink_to(home / "token")
    (folder.path / "above").symlink_to("../..")
    (folder.path / "loop").symlink_to("loop")
    os.mkfifo(folder.path / "pipe")
    os.mknod(folder.path / "socket", stat.S_IFSOCK | 0o600)
    archive_files.write_archive(folder, threading.Event())
    archive_files.swap_in(folder)
    with tarfile.open(folder.archive) as archive:
        kinds = {member.name: member.type for member in archive}
        files = [archive.extractfile(m) for m in archive.getmembers() if m.isreg()]
        assert [file.read() for file in files if file is not None] == [b"kept"]
    link = tarfile.SYMTYPE
    assert kinds == {"honest": tarfile.REGTYPE, "link": link, "above": link, "loop": link}
