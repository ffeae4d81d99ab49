"""Datasets of Minari's server: a Hub on the loopback address that can fail."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from support.damage import flip_bit
from support.dataset_files import make_dataset, take
from support.hub_server import HubServer, Repo, serve_hub

from rl_lab.core.errors import InvalidInput, LabError, NotFound, StorageFull, WorkerFailed
from rl_lab.worker.datasets import downloads, minari_server
from rl_lab.worker.datasets.exports import export
from rl_lab.worker.datasets.progress import StoppedEarly


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[HubServer]:
    made = export(make_dataset(tmp_path / "d", nested=True), "minari", tmp_path / "door-v1", lambda _: None)
    with serve_hub() as server, zipfile.ZipFile(made) as archive:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        monkeypatch.delenv("MINARI_REMOTE", raising=False)
        monkeypatch.setattr(downloads, "PAUSE_S", 0.0)
        files = {
            name.replace("door-v1/", "door/human-v1/"): archive.read(name) for name in archive.namelist()
        }
        server.repos["farama-minari/D4RL"] = Repo(files=files)
        yield server


class Watching:
    """A session that stops at a number of bytes."""

    def __init__(self, stop_at: float = float("inf")) -> None:
        self.job = SimpleNamespace(inputs={})
        self.telemetry = SimpleNamespace(status=self.note)
        self.reported: list[tuple[int, int]] = []
        self.timestep = 0
        self._stop_at = stop_at

    def note(self, _: str, timestep: int, total: int, unit: str) -> None:
        self.reported.append((timestep, total))

    def should_stop(self) -> bool:
        return self.timestep >= self._stop_at


def download(
    folder: Path, name: str = "D4RL/door/human-v1", allowed: int | None = None, **session: Any
) -> Any:
    watching = Watching(**session)
    return downloads.download_minari(watching, name, folder, allowed), watching.reported  # type: ignore[arg-type]


def test_a_dataset_of_minaris_server_is_downloaded_and_read(hub: HubServer, tmp_path: Path) -> None:
    place, reported = download(tmp_path / "downloads")
    total = sum(map(len, hub.repos["farama-minari/D4RL"].files.values()))
    assert reported[-1] == (total, total)
    assert take(place, tmp_path / "again").manifest.episodes == 3


def test_a_download_that_was_cut_continues_where_it_was(hub: HubServer, tmp_path: Path) -> None:
    [size] = [
        len(data) for name, data in hub.repos["farama-minari/D4RL"].files.items() if name.endswith("hdf5")
    ]
    hub.cut_downloads = 2
    place, _ = download(tmp_path / "downloads")
    assert hub.ranges == [f"bytes={size // 2}-", f"bytes={size // 2 + (size - size // 2) // 2}-"]
    assert take(place, tmp_path / "again").manifest.transitions == 9


def test_a_stopped_download_continues_in_the_next_import(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(downloads, "BLOCK", 1000)
    with pytest.raises(StoppedEarly):
        download(tmp_path / "downloads", stop_at=10_000)
    assert not hub.ranges
    download(tmp_path / "downloads")
    assert len(hub.ranges) == 1


MAIN = "door/human-v1/data/main_data.hdf5"


@pytest.mark.parametrize("cuts", [0, 2])
def test_a_file_that_does_not_have_the_servers_checksum_is_removed(
    hub: HubServer, tmp_path: Path, cuts: int
) -> None:
    repo = hub.repos["farama-minari/D4RL"]
    repo.checksums[MAIN], hub.cut_downloads = "0" * 64, cuts
    with pytest.raises(InvalidInput, match=r"main_data\.hdf5 has arrived with the SHA-256") as refused:
        download(tmp_path / "downloads")
    assert "000000000000…: it was changed or damaged on its way" in refused.value.detail
    del repo.checksums[MAIN]
    place, _ = download(tmp_path / "downloads")
    assert take(place, tmp_path / "again").manifest.episodes == 3


def test_what_had_arrived_before_is_compared_too(hub: HubServer, tmp_path: Path) -> None:
    place, _ = download(tmp_path / "downloads")
    flip_bit(place / "data" / "main_data.hdf5")
    with pytest.raises(InvalidInput, match="changed or damaged on its way"):
        download(tmp_path / "downloads")
    assert not (place / "data" / "main_data.hdf5").exists()


@pytest.mark.parametrize(
    "answered",
    [
        ["a list"],
        {"sha": "0" * 40, "siblings": ["a name"]},
        {"sha": "0" * 40, "siblings": [{"size": 5}]},
        {"sha": "0" * 40, "siblings": [{"rfilename": MAIN, "size": "large"}]},
        {"sha": "0" * 40, "siblings": [{"rfilename": MAIN, "size": -5}]},
        {"sha": "../..", "siblings": []},
    ],
)
def test_a_server_that_is_no_hub_is_named(answered: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minari_server, "open_url", lambda *_: io.BytesIO(json.dumps(answered).encode()))
    with pytest.raises(WorkerFailed, match="did not answer like the Hugging Face Hub"):
        minari_server.find_remote("D4RL/door/human-v1")


def test_what_cannot_be_downloaded_is_explained(
    hub: HubServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(NotFound, match="has no file door/expert-v1") as missing:
        download(tmp_path / "a", "D4RL/door/expert-v1")
    assert missing.value.next_step == "It has door/human-v1."
    with pytest.raises(NotFound, match="has no dataset at"):
        download(tmp_path / "a", "nobody/door-v1")
    with pytest.raises(InvalidInput, match="not an id of Minari"):
        download(tmp_path / "b", "../../etc")
    with pytest.raises(StorageFull, match="Nothing was written"):
        download(tmp_path / "c", allowed=100)
    hub.repos["farama-minari/D4RL"].declared[MAIN] = 1000
    with pytest.raises(InvalidInput, match="more than the 1,000 bytes"):
        download(tmp_path / "d")
    monkeypatch.setenv("MINARI_REMOTE", "gcp://bucket")
    with pytest.raises(InvalidInput, match="MINARI_REMOTE"):
        download(tmp_path / "e")


def test_without_a_network_the_error_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(LabError, match="cannot be reached") as gone:
        download(tmp_path / "d")
    assert "copy the dataset" in str(gone.value.next_step)
