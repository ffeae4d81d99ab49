"""Datasets of recorded and collected episodes: made, split, merged, pruned, checked, verified, watched."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from support.studio import Studio
from support.viewer import view
from support.waiting import wait_until

from rl_lab.core.datasets.manifest import DatasetManifest
from rl_lab.worker.datasets.reading import OpenDataset, open_dataset


def work(studio: Studio, **operation: Any) -> dict[str, Any]:
    """A job on datasets, once its versions are in place; returns its result."""
    job = studio.job("/api/datasets/jobs", operation=operation)

    def published() -> bool:
        return bool(studio.events(job["id"], "dataset_complete"))

    wait_until(published, "the job's follow-up")
    result: dict[str, Any] = studio.server.client.get(f"/api/runs/{job['id']}").json()["summary"]["result"]
    return result


def refused(studio: Studio, **operation: Any) -> dict[str, Any]:
    return studio.refused("/api/datasets/jobs", operation=operation)


def version(studio: Studio, name: str, number: int = 1) -> dict[str, Any]:
    answer = studio.server.client.get(f"/api/datasets/{name}/versions/{number}")
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def opened(studio: Studio, name: str, number: int = 1) -> OpenDataset:
    return open_dataset(studio.home / "datasets" / name / f"v{number}")


@pytest.fixture(scope="module")
def made(studio: Studio) -> dict[str, Any]:
    """`novice`: the ten best recorded episodes of the novice."""
    return work(studio, do="make", name="novice", choose={"runs": [studio.novice], "best": 10}, licence="MIT")


@pytest.fixture(scope="module")
def collected(studio: Studio) -> dict[str, Any]:
    policies = [{"run_id": studio.expert, "share": 3, "noise": 0.1}, {"share": 1}]
    return work(studio, do="collect", name="mixed", policies=policies, episodes=8, seed=3)


def test_recorded_episodes_become_a_dataset_as_they_were_played(studio: Studio, made: dict[str, Any]) -> None:
    assert made["versions"] == ["novice@v1"]
    found, dataset = version(studio, "novice"), opened(studio, "novice")
    best = studio.episodes(studio.novice, sort="-reward", limit=10, recorded=True)
    assert found["episodes"] == 10
    assert sorted(dataset.returns) == sorted(row["reward"] for row in best)
    first = studio.recording(studio.novice, int(dataset.column("episode_numbers")[0]))
    assert (dataset.seeds[0], dataset.lengths[0]) == (first.seed, first.count)
    assert (found["integrity"], found["licence"], found["env_id"]) == ("intact", "MIT", "CartPole-v1")
    assert found["sources"][0]["run_id"] == studio.novice
    assert found["statistics"]["return_max"] == best[0]["reward"]
    assert sum(found["statistics"]["actions"][0]["counts"]) == found["transitions"]
    assert (
        found["sha256"]
        == DatasetManifest.model_validate_json((dataset.folder / "dataset.json").read_bytes()).sha256
    )
    assert not studio.file(found["run_id"], "dataset").exists()


def test_equal_contents_are_no_new_version(studio: Studio, made: dict[str, Any]) -> None:
    again = work(studio, do="make", name="novice", choose={"runs": [studio.novice], "best": 10})
    assert again["versions"] == made["versions"]
    assert "exactly these contents" in again["message"]


def test_policies_collect_in_their_shares_and_it_verifies(studio: Studio, collected: dict[str, Any]) -> None:
    dataset = opened(studio, "mixed")
    assert dataset.column("episode_sources").tolist() == [0] * 6 + [1] * 2
    assert [source["kind"] for source in version(studio, "mixed")["sources"]] == ["policy", "policy"]
    assert dataset.returns[:6].mean() > dataset.returns[6:].mean()
    result = work(studio, do="verify", of={"name": "mixed"})
    assert result["verification"]["outcome"] == "identical"
    assert version(studio, "mixed")["verification"]["checked"] == 8


def test_split_merge_and_prune_keep_every_episode(studio: Studio, collected: dict[str, Any]) -> None:
    result = work(studio, do="split", name="train", rest="test", of={"name": "mixed"}, share=0.75)
    assert result["versions"] == ["train@v1", "test@v1"]
    both = [{"name": "train"}, {"name": "test", "version": 1}]
    work(studio, do="merge", name="both", of=both)
    whole, again = opened(studio, "mixed"), opened(studio, "both")
    assert sorted(again.seeds) == sorted(whole.seeds)
    assert np.isclose(again.returns.sum(), whole.returns.sum())
    limit = float(np.median(whole.returns))
    work(studio, do="prune", name="good", of={"name": "mixed"}, return_min=limit, best=3)
    assert len(opened(studio, "good")) == 3


def test_a_damaged_file_and_a_changed_step_are_named(studio: Studio, made: dict[str, Any]) -> None:
    work(studio, do="prune", name="harmed", of={"name": "novice"}, best=2)
    folder = studio.home / "datasets" / "harmed" / "v1"
    data = bytearray((folder / "rewards.npy").read_bytes())
    data[-8:] = np.float64(7.0).tobytes()
    (folder / "rewards.npy").unlink()
    (folder / "rewards.npy").write_bytes(data)
    assert work(studio, do="check", of={"name": "harmed"})["integrity"] == "damaged"
    assert version(studio, "harmed")["integrity_message"].startswith("rewards.npy")
    verification = work(studio, do="verify", of={"name": "harmed"})["verification"]
    assert (verification["outcome"], verification["episode"]) == ("different", 1)
    assert verification["step"] == opened(studio, "harmed").lengths[1]
    (folder / "actions.npy").unlink()
    assert work(studio, do="check", of={"name": "harmed"})["integrity"] == "missing"


def test_episodes_are_listed_and_watched(studio: Studio, made: dict[str, Any]) -> None:
    client, address = studio.server.client, "/api/datasets/novice/versions/1/episodes"
    page = client.get(address, params={"sort": "-return", "limit": 3}).json()
    returns = [one["return"] for one in page["items"]]
    assert (page["total"], returns) == (10, sorted(returns, reverse=True))
    assert page["items"][0]["run_id"] == studio.novice
    few = client.get(address, params={"return_min": returns[1], "offset": 1}).json()
    assert few["total"] >= 2
    best = page["items"][0]
    with view(studio.server, f"{address}/{best['episode']}/replay?step=2") as viewer:
        opened_with = viewer.next().header
        assert opened_with["length"] == best["length"]


def test_what_cannot_work_is_refused_with_what_there_is(studio: Studio, made: dict[str, Any]) -> None:
    few = refused(studio, do="make", name="x", choose={"runs": [studio.novice], "return_min": 400})
    assert "No episode fits" in few["detail"]
    assert "returns from" in few["detail"]
    unknown = refused(studio, do="check", of={"name": "novise"})
    assert (unknown["status"], "Did you mean novice?" in unknown["detail"]) == (404, True)
    random = {"do": "collect", "policies": [{}], "episodes": 1}
    other = refused(studio, **random, name="novice", env_id="Pendulum-v1")
    assert "holds episodes of CartPole-v1" in other["detail"]
    assert refused(studio, **random, name="x")["status"] == 422
    assert refused(studio, **random, name="jobs", env_id="CartPole-v1")["status"] == 422
    work(studio, **random, name="swings", env_id="Pendulum-v1")
    pair = [{"name": "novice"}, {"name": "swings"}]
    body = {"operation": {"do": "merge", "name": "x", "of": pair}}
    job = studio.server.wait(studio.post("/api/datasets/jobs", **body)["id"], "failed")
    assert "environment CartPole-v1 against Pendulum-v1" in job["reason"]["message"]
    assert not studio.file(job["id"], "dataset").exists()


def test_a_forecast_says_how_much_before_anything_starts(studio: Studio, made: dict[str, Any]) -> None:
    wanted = {"do": "make", "name": "y", "choose": {"runs": [studio.novice], "best": 10}}
    found = studio.post("/api/datasets/forecast", operation=wanted)
    exact = version(studio, "novice")
    assert (found["episodes"], found["transitions"]) == (10, exact["transitions"])
    assert 0.5 < found["bytes"] / exact["size"] < 2
    assert found["problem"] is None
    assert sum(found["returns"]["counts"]) == 10
    wanted["choose"]["return_min"] = 1000
    assert "No episode fits" in studio.post("/api/datasets/forecast", operation=wanted)["problem"]


def test_names_pins_and_versions_are_kept(studio: Studio, made: dict[str, Any]) -> None:
    client = studio.server.client
    for best in (1, 2, 3):
        work(studio, do="prune", name="kept", of={"name": "novice"}, best=best)
    client.patch("/api/datasets/kept/versions/1", json={"pinned": True})
    changed = client.patch("/api/datasets/kept", json={"name": "Kept", "keep": 1, "note": "best ones"}).json()
    assert [one["version"] for one in changed["versions"]] == [3, 1]
    assert sorted(p.name for p in (studio.home / "datasets" / "Kept").iterdir()) == ["v1", "v3"]
    listed = client.get("/api/datasets", params={"q": "best cartpole", "sort": "name"}).json()
    assert [one["name"] for one in listed["items"]] == ["Kept"]
    assert client.patch("/api/datasets/Kept", json={"name": "novice"}).status_code == 409
    client.delete("/api/datasets/Kept/versions/3")
    assert client.delete("/api/datasets/kept").json()["versions"][0]["version"] == 1
    assert not (studio.home / "datasets" / "Kept").exists()
