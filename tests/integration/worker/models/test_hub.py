"""Pushes and pulls with the real huggingface_hub client, against a Hub on the loopback address that can fail."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.hub_server import TOKEN, HubServer, Repo, serve_hub
from support.waiting import DEADLINE_S, wait_until

pytest.importorskip("huggingface_hub")
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")
"""The library's own, about its HTTP client."""

MODEL = b"model" * 5000
FILES = {"README.md": b"---\nlicense: mit\n---\n# Card\n", "config.json": b"{}", "model.zip": MODEL}


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    from huggingface_hub import constants, file_download, hf_api
    from huggingface_hub.utils import _http

    with serve_hub() as server:
        template = server.url + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "ENDPOINT", server.url)
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(file_download, "HUGGINGFACE_CO_URL_TEMPLATE", template, raising=False)
        monkeypatch.setattr(hf_api, "ENDPOINT", server.url, raising=False)
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_XET", True)
        monkeypatch.setattr(constants, "HF_HUB_DISABLE_TELEMETRY", True)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "cache"))
        monkeypatch.setattr(_http.time, "sleep", lambda _: None)  # the client waits before it tries again
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
        yield server


@pytest.fixture
def package(tmp_path: Path) -> Path:
    path = tmp_path / "package.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in FILES.items():
            archive.writestr(name, data)
    return path


def push(package: Path, **changes: Any) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    from rl_lab.worker.models.hub import run_action

    given = {
        "action": "push",
        "zip": str(package),
        "repo": "ada/lander",
        "private": False,
        "message": "first",
    }
    reported: list[dict[str, Any]] = []
    return run_action({**given, **changes}, reported.append), reported


def pull(folder: Path, **changes: Any) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
    from rl_lab.worker.models.hub import run_action

    reported: list[dict[str, Any]] = []
    given = {"action": "pull", "repo": "ada/lander", "revision": None, "folder": str(folder)}
    return run_action({**given, **changes}, reported.append), reported


def test_what_was_pushed_comes_back_by_a_pull(hub: HubServer, package: Path, tmp_path: Path) -> None:
    failure, reported = push(package, private=True)
    assert failure is None
    assert hub.repos["ada/lander"].files == FILES and hub.repos["ada/lander"].private
    assert reported[-1]["commit"] == hub.repos["ada/lander"].commits[-1]
    assert reported[-2]["done_bytes"] == reported[-2]["total_bytes"] == sum(map(len, FILES.values()))
    failure, reported = pull(tmp_path / "pulled")
    assert failure is None
    assert {one.name: one.read_bytes() for one in (tmp_path / "pulled").iterdir()} == FILES
    assert not any(TOKEN in one for one in hub.requests), "a token in an address is logged by servers"


def test_a_repository_that_exists_gets_a_commit_and_loses_the_earlier_model(
    hub: HubServer, package: Path
) -> None:
    hub.repos["ada/lander"] = Repo(
        files={"notes.txt": b"mine", "model.safetensors": b"old", "README.md": b""}
    )
    failure, reported = push(package)
    assert failure is None
    assert set(hub.repos["ada/lander"].files) == {*FILES, "notes.txt"}
    assert any("existed already" in one.get("note", "") for one in reported)
    failure, _ = push(package, private=True)
    assert failure is not None and "is public" in failure["message"]


@pytest.mark.parametrize("token", ["", "hf_wrongtoken"])
def test_without_a_right_token_nothing_is_sent(
    hub: HubServer, package: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    failure, _ = push(package)
    assert failure is not None and "token" in failure["message"] and "hf auth login" in failure["next_step"]
    assert "hf_" not in failure["message"] and hub.repos == {}


def test_a_missing_token_is_named_before_anything_is_prepared(
    hub: HubServer, package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert push(package, action="check_token")[0] is None
    monkeypatch.setenv("HF_TOKEN", "")
    failure, _ = push(package, action="check_token")
    assert failure is not None and "no token" in failure["message"]


def test_a_token_without_write_permission_is_named(hub: HubServer, package: Path) -> None:
    hub.refuse_writes = True
    failure, _ = push(package)
    assert failure is not None and "may not write to ada/lander" in failure["message"]
    assert "write permission" in failure["next_step"]


def test_a_push_that_was_cut_leaves_the_repository_and_sends_only_the_rest(
    hub: HubServer, package: Path
) -> None:
    with zipfile.ZipFile(package, "a") as archive:
        archive.writestr("policy.npz", b"small")
    hub.repos["ada/lander"] = Repo(files={"README.md": b"old"})
    original = dict(hub.repos["ada/lander"].files)
    before = len(hub.blobs)
    _cut_second_upload(hub)
    failure, _ = push(package)
    assert failure is not None and "was cut" in failure["message"]
    assert hub.repos["ada/lander"].files == original
    arrived = len(hub.blobs) - before
    hub.cut_uploads = 0
    hub.requests.clear()
    failure, _ = push(package)
    assert failure is None and arrived == 1
    assert sum(one.startswith("PUT") for one in hub.requests) == 1
    assert hub.repos["ada/lander"].files["model.zip"] == MODEL


def _cut_second_upload(hub: HubServer) -> None:
    """The small file arrives; the model is cut at each of the client's tries."""

    class _Blobs(dict[str, bytes]):
        def __setitem__(self, oid: str, data: bytes) -> None:
            super().__setitem__(oid, data)
            hub.cut_uploads = 100

    hub.blobs = _Blobs()


def test_a_download_that_is_cut_continues_where_it_was(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 1000)
    hub.repos["ada/lander"] = Repo(files=dict(FILES))
    hub.cut_downloads = 2
    failure, _ = pull(tmp_path / "pulled")
    assert failure is None and (tmp_path / "pulled" / "model.zip").read_bytes() == MODEL
    assert hub.ranges[0] == f"bytes={len(MODEL) // 2 // 1000 * 1000}-"


def test_progress_is_reported_within_a_file(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    from rl_lab.worker.models import hub_pull

    monkeypatch.setattr(constants, "DOWNLOAD_CHUNK_SIZE", 10_000)
    monkeypatch.setattr(hub_pull, "REPORT_EVERY_S", -1.0)
    hub.repos["ada/lander"] = Repo(files={"README.md": b"card", "model.zip": MODEL})
    failure, reported = pull(tmp_path / "pulled")
    assert failure is None
    done = [one["done_bytes"] for one in reported if "done_bytes" in one]
    assert {4, 10_004, 20_004, len(MODEL) + 4} <= set(done) and done == sorted(done)


def test_a_pull_that_failed_does_not_fetch_twice_what_had_arrived(hub: HubServer, tmp_path: Path) -> None:
    hub.repos["ada/lander"] = Repo(files=dict(FILES))
    hub.cut_downloads = 100
    failure, _ = pull(tmp_path / "first")
    assert failure is not None and "was cut" in failure["message"] and failure["next_step"]
    hub.cut_downloads = 0
    hub.requests.clear()
    failure, _ = pull(tmp_path / "second")
    assert failure is None and (tmp_path / "second" / "model.zip").read_bytes() == MODEL
    fetched = [one for one in hub.requests if one.startswith("GET") and "/resolve/" in one]
    assert len(fetched) == 1 and fetched[0].endswith("model.zip")


@pytest.mark.parametrize("token", ["", "hf_expiredtoken"])
def test_a_public_repository_needs_no_token(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("HF_TOKEN", token)
    hub.repos["ada/lander"] = Repo(files=dict(FILES))
    failure, reported = pull(tmp_path / "pulled")
    assert failure is None and (tmp_path / "pulled" / "model.zip").read_bytes() == MODEL
    assert any("did not accept" in one.get("note", "") for one in reported) == bool(token)
    hub.repos["ada/lander"].private = True
    failure, _ = pull(tmp_path / "again")
    words = "did not accept the token" if token else "no repository ada/lander on the Hub, or it is private"
    assert failure is not None and words in failure["message"] and "hf auth login" in failure["next_step"]


def test_a_pull_whose_lab_is_gone_leaves_no_half_file(hub: HubServer, tmp_path: Path) -> None:
    hub.repos["ada/lander"] = Repo(files={"model.zip": b"x" * (30 << 20)})
    hub.stalled = threading.Event()
    environment = {**os.environ, "HF_ENDPOINT": hub.url, "HF_HUB_CACHE": str(tmp_path / "cache")}
    given = {"action": "pull", "repo": "ada/lander", "revision": None, "folder": str(tmp_path / "pulled")}
    with subprocess.Popen(
        [sys.executable, "-m", "rl_lab.worker.models.hub"],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.stdin is not None
        process.stdin.write(json.dumps(given).encode() + b"\n")
        process.stdin.flush()
        assert hub.stalled.wait(DEADLINE_S)
        wait_until(lambda: any(map(os.path.getsize, _half_files(tmp_path))), "the half file")
        process.stdin.close()
        assert process.wait(DEADLINE_S) != 0
    assert _half_files(tmp_path) == []


def _half_files(folder: Path) -> list[Path]:
    return list(folder.rglob("*.incomplete"))


def test_no_network_and_an_unknown_host_are_named(
    hub: HubServer, package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from huggingface_hub import constants

    for address in ("http://127.0.0.1:9", "http://no-such-host.invalid"):
        monkeypatch.setattr(constants, "ENDPOINT", address)
        failure, _ = push(package)
        assert failure is not None and "cannot be reached" in failure["message"]
        assert "HF_ENDPOINT" in failure["next_step"]
        failure, _ = pull(tmp_path / "nothing")
        assert failure is not None and "cannot be reached" in failure["message"]


def test_a_repository_or_revision_that_does_not_exist_is_named(hub: HubServer, tmp_path: Path) -> None:
    failure, _ = pull(tmp_path / "nothing")
    assert failure is not None and "no repository ada/lander" in failure["message"]
    hub.repos["ada/lander"] = Repo(files=dict(FILES))
    failure, _ = pull(tmp_path / "nothing", revision="v9")
    assert failure is not None and "no such revision" in failure["message"]
    assert not (tmp_path / "nothing").exists()


RUBBISH: dict[str, tuple[dict[str, int], str]] = {
    "no model": ({"README.md": 10, "data.csv": 5}, "holds no model"),
    "huge": ({"model.zip": 10 << 30}, "10.7 GB to download"),
    "many": ({f"{n}.zip": 1 for n in range(60)}, "60 files"),
    "up": ({"../../model.zip": 10}, "leads outside"),
    "absolute": ({"/etc/model.zip": 10}, "leads outside"),
    "windows": ({"..\\model.zip": 10}, "leads outside"),
    "control": ({"a\x1b[2Jmodel.zip": 10}, "leads outside"),
}


@pytest.mark.parametrize("kind", RUBBISH)
def test_a_repository_with_rubbish_is_refused_before_anything_is_downloaded(
    hub: HubServer, tmp_path: Path, kind: str
) -> None:
    declared, words = RUBBISH[kind]
    hub.repos["ada/lander"] = Repo(declared=declared)
    failure, _ = pull(tmp_path / "nothing")
    assert failure is not None and words in failure["message"] and failure["next_step"]
    assert not (tmp_path / "nothing").exists()
    assert not any("/resolve/" in one for one in hub.requests)


def test_a_file_that_is_larger_than_declared_is_not_kept(hub: HubServer, tmp_path: Path) -> None:
    hub.repos["ada/lander"] = Repo(files={"model.zip": b"x" * (3 << 20)}, declared={"model.zip": 100})
    failure, _ = pull(tmp_path / "pulled")
    assert failure is not None and "larger than the repository declares" in failure["message"]


def test_one_of_two_models_is_chosen_by_name(hub: HubServer, tmp_path: Path) -> None:
    hub.repos["ada/lander"] = Repo(files={"a.zip": b"a", "b/b.zip": b"b", "config.json": b"{}"})
    failure, _ = pull(tmp_path / "pulled", file="b/b.zip")
    assert failure is None
    found = {
        str(one.relative_to(tmp_path / "pulled")) for one in (tmp_path / "pulled").rglob("*") if one.is_file()
    }
    assert found == {"b/b.zip", "config.json"}
    failure, _ = pull(tmp_path / "pulled", file="c.zip")
    assert failure is not None and "a.zip, b/b.zip" in failure["next_step"]


def test_the_process_says_what_to_install_when_the_library_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "huggingface_hub", None)
    failure, _ = push(Path("package.zip"))
    assert failure is not None and "rl-lab[hub]" in failure["next_step"]
