"""A dataset of Minari's server, downloaded and read by a confined worker of a real lab."""

from __future__ import annotations

import zipfile
from pathlib import Path

from support.dataset_files import make_dataset
from support.hub_server import Repo, serve_hub
from support.server import command, serve
from support.studio import FINAL
from support.waiting import wait_until

from rl_lab.worker.datasets.exports import export


def test_a_confined_worker_downloads_and_then_gives_the_network_up(tmp_path: Path) -> None:
    made = export(make_dataset(tmp_path / "d"), "minari", tmp_path / "door-v1", lambda _: None)
    with zipfile.ZipFile(made) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    (tmp_path / "home").mkdir()
    with serve_hub() as hub, serve(tmp_path / "home", HF_ENDPOINT=hub.url, no_proxy="127.0.0.1") as server:
        hub.repos["farama-minari/group"] = Repo(files=files)
        operation = {"do": "import", "name": "door", "minari": "group/door-v1"}
        size = sum(map(len, files.values()))
        forecast = server.client.post("/api/datasets/forecast", json={"operation": operation}).json()
        assert (forecast["bytes"], forecast["problem"]) == (2 * size, None), forecast
        assert "are downloaded" in forecast["notes"][0]
        job = server.client.post("/api/datasets/jobs", json={"operation": operation}).json()
        ended = server.wait(job["id"], *FINAL)
        assert ended["status"] == "succeeded", ended["reason"]
        wait_until(lambda: server.client.get("/api/datasets/door").status_code == 200, "the new version")
        [version] = server.client.get("/api/datasets/door").json()["versions"]
        assert (version["episodes"], version["source"]) == (3, "Minari: group/door-v1")
        assert not list((tmp_path / "home" / "downloads").glob("*/*"))
        missing = {"do": "import", "name": "none", "minari": "group/window-v1"}
        refused = server.client.post("/api/datasets/jobs", json={"operation": missing})
        assert refused.status_code >= 400 and "has no file window-v1" in refused.json()["detail"]
        assert refused.json()["next_step"] == "It has door-v1."
        asked = len(hub.requests)
        misspelt = {"do": "import", "name": "none", "minari": "group/../door"}
        refused = server.client.post("/api/datasets/jobs", json={"operation": misspelt})
        assert refused.status_code == 422 and len(hub.requests) == asked
        assert refused.json()["errors"][0]["field"] == "minari"


def test_a_download_that_does_not_fit_on_the_disk_is_refused_before_it_starts(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    main, about = "large-v1/data/main_data.hdf5", "large-v1/data/metadata.json"
    with serve_hub() as hub, serve(tmp_path / "home", HF_ENDPOINT=hub.url, no_proxy="127.0.0.1") as server:
        hub.repos["farama-minari/group"] = Repo(files={main: b"x", about: b"{}"}, declared={main: 10**15})
        operation = {"do": "import", "name": "large", "minari": "group/large-v1"}
        forecast = server.client.post("/api/datasets/forecast", json={"operation": operation}).json()
        assert "This needs about" in forecast["problem"] and "have to stay free" in forecast["problem"]
        refused = server.client.post("/api/datasets/jobs", json={"operation": operation})
        assert refused.status_code == 409 and "This needs about" in refused.json()["detail"]
        shown = command(
            server.home, "datasets", "import", "minari:group/large-v1", "--name", "l", "--dry-run"
        )
        assert shown.returncode == 1 and "It cannot start: This needs about" in shown.stdout
        assert not [one for one in hub.requests if "/resolve/" in one]
