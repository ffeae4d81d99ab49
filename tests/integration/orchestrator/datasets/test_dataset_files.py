"""Datasets in and out of the lab: a confined import of a file, an upload in pieces, an export, a replay buffer."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import minari
import numpy as np
import pytest
from support.dataset_files import d4rl_arrays
from support.server import command
from support.studio import FINAL, Studio
from support.waiting import wait_until

from rl_lab.worker.datasets.reading import open_dataset


def work(studio: Studio, **operation: Any) -> tuple[str, dict[str, Any]]:
    """A job on datasets with its result, once its versions are in place."""
    job = studio.job("/api/datasets/jobs", operation=operation)
    wait_until(lambda: bool(studio.events(job["id"], "dataset_complete")), "the job's follow-up")
    return job["id"], studio.server.client.get(f"/api/runs/{job['id']}").json()["summary"]["result"]


@pytest.fixture(scope="module")
def pendulum(tmp_path_factory: pytest.TempPathFactory) -> Path:
    arrays = d4rl_arrays(400)
    path = tmp_path_factory.mktemp("files") / "pendulum.npz"
    np.savez(path, **{**arrays, "actions": arrays["actions"][:, :1]})
    return path


@pytest.fixture(scope="module")
def imported(studio: Studio, pendulum: Path) -> tuple[str, dict[str, Any]]:
    return work(studio, do="import", name="swing", path=str(pendulum), env_id="Pendulum-v1", source="a test")


def test_a_file_is_imported_by_a_confined_process(
    studio: Studio, pendulum: Path, imported: tuple[str, dict[str, Any]]
) -> None:
    run_id, result = imported
    assert result["versions"] == ["swing@v1"]
    run = studio.server.client.get(f"/api/runs/{run_id}").json()
    assert run["isolation"] is not None
    found = studio.server.client.get("/api/datasets/swing").json()["versions"][0]
    assert (found["env_id"], found["source"], found["episodes"]) == ("Pendulum-v1", "a test", 2)
    assert found["sources"][0]["label"] == "pendulum.npz" and found["sources"][0]["sha256"]
    assert found["action_space"]["high"] == 2.0


def test_a_version_is_exported_as_a_file_to_download(
    studio: Studio, tmp_path: Path, imported: tuple[str, dict[str, Any]]
) -> None:
    run_id, result = work(studio, do="export", of={"name": "swing"}, format="minari")
    artifacts = studio.server.client.get(f"/api/runs/{run_id}/artifacts").json()
    [made] = [one for one in artifacts if one["path"] == result["artifact"]]
    data = studio.server.client.get(f"/api/artifacts/{made['id']}").content
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert "swing-v1/data/main_data.hdf5" in archive.namelist()


def test_a_folder_of_minari_gets_the_name_that_the_user_chose(
    studio: Studio, tmp_path: Path, imported: tuple[str, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    mine = tmp_path / "swing-v1" / "notes.txt"
    mine.parent.mkdir()
    mine.write_text("of the user")
    (tmp_path / "chosen.zip").write_text("of the user")
    for options in ([], ["--force"]):
        exported = command(
            studio.home, "datasets", "export", "swing", "--output", str(tmp_path / "chosen"), *options
        )
        assert exported.returncode == 0, exported.stderr
        monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path))
        assert minari.load_dataset("chosen").total_episodes == 2
    refused = command(studio.home, "datasets", "export", "swing", "--output", str(tmp_path))
    assert refused.returncode == 1 and "exists already" in refused.stderr
    assert sorted(one.name for one in tmp_path.iterdir()) == ["chosen", "chosen.zip", "swing-v1"]
    assert [one.name for one in mine.parent.iterdir()] == ["notes.txt"]


def test_a_failed_import_is_resumed_from_its_beginning(
    studio: Studio, pendulum: Path, tmp_path: Path
) -> None:
    half = tmp_path / "half.npz"
    half.write_bytes(pendulum.read_bytes()[:2000])
    operation = {"do": "import", "name": "half", "path": str(half)}
    job = studio.server.wait(studio.post("/api/datasets/jobs", operation=operation)["id"], "failed")
    assert "not a complete archive" in job["reason"]["message"] and "resume" in job["allowed"]
    half.write_bytes(pendulum.read_bytes())
    assert studio.server.client.post(f"/api/runs/{job['id']}/resume", json={}).status_code == 202
    studio.server.wait(job["id"], "succeeded")
    wait_until(lambda: bool(studio.events(job["id"], "dataset_complete")), "the job's follow-up")
    assert studio.server.client.get("/api/datasets/half/versions/1").json()["episodes"] == 2


def test_an_upload_continues_after_a_lost_connection_and_is_imported(
    studio: Studio, pendulum: Path, imported: tuple[str, dict[str, Any]]
) -> None:
    client, data = studio.server.client, pendulum.read_bytes()
    route = "/api/datasets/uploads"
    first = client.post(route, params={"name": "my.npz", "size": len(data)}, content=data[:1000]).json()
    assert first["received"] == 1000
    assert [one["id"] for one in client.get(route).json()] == [first["id"]]
    early = studio.refused(
        "/api/datasets/jobs", operation={"do": "import", "name": "sent", "upload": first["id"]}
    )
    assert "1,000 of" in early["detail"]
    wrong = client.post(route, params={"upload": first["id"], "offset": 5}, content=b"x")
    assert wrong.status_code == 409 and "from byte 1000" in wrong.json()["next_step"]
    rest = client.post(route, params={"upload": first["id"], "offset": 1000}, content=data[1000:]).json()
    assert rest["received"] == rest["size"]
    _, result = work(studio, do="import", name="sent", upload=first["id"], env_id="Pendulum-v1")
    assert result["versions"] == ["sent@v1"]
    swing, sent = (client.get(f"/api/datasets/{name}").json()["versions"][0] for name in ("swing", "sent"))
    assert swing["sha256"] == sent["sha256"] and sent["sources"][0]["label"] == "my.npz"
    wait_until(lambda: client.get(f"{route}/{first['id']}").status_code == 404, "the upload to be removed")
    assert client.get(route).json() == []


def test_a_file_that_cannot_be_imported_leaves_nothing(
    studio: Studio, tmp_path: Path, pendulum: Path
) -> None:
    missing = studio.refused(
        "/api/datasets/jobs", operation={"do": "import", "name": "none", "path": str(tmp_path / "no.npz")}
    )
    assert "no file or folder" in missing["detail"]
    job = studio.server.client.post(
        "/api/datasets/jobs",
        json={"operation": {"do": "import", "name": "none", "path": str(pendulum), "sha256": "0" * 64}},
    ).json()
    ended = studio.server.wait(job["id"], *FINAL)
    assert ended["status"] == "failed" and "SHA-256" in ended["reason"]["message"]
    assert studio.server.client.get("/api/datasets/none").status_code == 404
    assert not studio.file(job["id"], "files/dataset").exists()


def test_the_command_sends_a_file_and_writes_a_folder_that_minari_reads(
    studio: Studio, tmp_path: Path, pendulum: Path
) -> None:
    given = (
        "--name",
        "from-command",
        "--env",
        "Pendulum-v1",
        "--licence",
        "CC0",
        "--source",
        "mine",
        "--upload",
    )
    sent = command(studio.home, "datasets", "import", str(pendulum), *given)
    assert sent.returncode == 0, sent.stderr
    assert "from-command@v1: 2 episodes with 399 steps." in sent.stdout
    exported = command(studio.home, "datasets", "export", "from-command", "--output", str(tmp_path))
    assert exported.returncode == 0, exported.stderr
    assert minari.MinariDataset(tmp_path / "from-command-v1" / "data").total_steps == 399
    asked = command(studio.home, "datasets", "import", "no-such-file.npz", "--name", "x")
    assert asked.returncode != 0 and "There is no file or folder no-such-file.npz" in asked.stderr


def test_the_replay_buffer_of_a_run_becomes_a_dataset(studio: Studio) -> None:
    """The novice is a PPO, which has none: the refusal says so."""
    refused = studio.refused(
        "/api/datasets/jobs", operation={"do": "import", "name": "buffer", "buffer_of": studio.novice}
    )
    assert "has no stored replay buffer" in refused["detail"]
    assert open_dataset(studio.home / "datasets" / "swing" / "v1").manifest.transitions == 399
