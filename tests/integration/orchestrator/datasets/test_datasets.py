"""Datasets of recorded and collected episodes: made, verified, listed, watched, renamed, deleted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.damage import flip_bit
from support.server import command
from support.studio import Studio
from support.viewer import view
from support.waiting import wait_until

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
    assert found["sha256"] == dataset.manifest.sha256
    assert not studio.file(found["run_id"], "dataset").exists()


def test_policies_collect_in_their_shares_and_every_episode_verifies(studio: Studio) -> None:
    told = command(
        studio.home, "datasets", "collect", "mixed", f"{studio.expert}=3:0.1", "random", "-e", "8", "--json"
    )
    assert told.returncode == 0, told.stderr
    assert json.loads(told.stdout)["summary"]["result"]["versions"] == ["mixed@v1"]
    dataset = opened(studio, "mixed")
    assert dataset.column("episode_sources").tolist() == [0] * 6 + [1] * 2
    assert dataset.returns[:6].mean() > dataset.returns[6:].mean()
    done = command(studio.home, "datasets", "verify", "mixed")
    assert (done.returncode, done.stdout) == (0, "8 episodes came back step by step.\n")
    shown = command(studio.home, "datasets", "show", "mixed@v1")
    assert "identical" in shown.stdout
    renamed = command(studio.home, "datasets", "rename", "mixed", "Mixed ones")
    assert renamed.stdout == "mixed is now called Mixed ones.\n"
    assert opened(studio, "Mixed ones").manifest == dataset.manifest
    assert command(studio.home, "datasets", "delete", "mixed-ones").stdout == "Deleted Mixed ones.\n"
    assert not (studio.home / "datasets" / "Mixed ones").exists()


def test_a_stopped_job_leaves_nothing_behind(studio: Studio) -> None:
    operation = {"do": "collect", "name": "endless", "env_id": "CartPole-v1", "policies": [{}]}
    job = studio.post("/api/datasets/jobs", operation={**operation, "episodes": 1_000_000})
    studio.server.wait(job["id"], "running")
    studio.post(f"/api/runs/{job['id']}/stop")
    studio.server.wait(job["id"], "stopped")
    wait_until(lambda: not studio.file(job["id"], "dataset").exists(), "its files are gone")
    assert studio.server.client.get("/api/datasets/endless").status_code == 404


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


def test_episodes_of_several_environments_are_refused_with_the_next_step(studio: Studio) -> None:
    other = studio.server.create(env_id="Acrobot-v1", start=True)
    studio.server.wait(other["id"], "succeeded")
    runs = [studio.novice, other["id"]]
    problem = refused(studio, do="make", name="both", choose={"runs": runs})
    assert problem["detail"].startswith("A dataset holds episodes of one environment")
    assert problem["next_step"] == "Name the environment, or choose fewer runs."
    found = studio.post(
        "/api/datasets/forecast", operation={"do": "make", "name": "both", "choose": {"runs": runs}}
    )
    assert (found["problem"], found["remedy"]) == (problem["detail"], problem["next_step"])
    kwargs = {"wrappers": [{"id": "time_limit", "steps": 50}]}
    shorter = studio.server.create(env_kwargs=kwargs, start=True)
    studio.server.wait(shorter["id"], "succeeded")
    problem = refused(studio, do="make", name="both", choose={"runs": [studio.novice, shorter["id"]]})
    assert problem["next_step"] == "Choose runs with the same options of the environment."


def test_nothing_is_made_of_a_damaged_version(studio: Studio, made: dict[str, Any]) -> None:
    work(studio, do="prune", name="hurt", of={"name": "novice"}, best=3)
    flip_bit(studio.home / "datasets" / "hurt" / "v1" / "rewards.npy")
    of = {"name": "hurt"}
    for operation in (
        {"do": "export", "of": of, "format": "npz"},
        {"do": "split", "name": "one", "rest": "two", "of": of, "share": 0.5},
        {"do": "prune", "name": "one", "of": of, "best": 1},
        {"do": "merge", "name": "one", "of": [of, {"name": "novice"}]},
    ):
        job = studio.server.wait(studio.post("/api/datasets/jobs", operation=operation)["id"], "failed")
        assert "hurt@v1 is damaged: rewards.npy does not have its checksum" in job["reason"]["message"]
        assert "rl-lab datasets check hurt@v1" in job["reason"]["next_step"]
    assert studio.server.client.get("/api/datasets/one").status_code == 404


def test_a_forecast_says_how_much_before_anything_starts(studio: Studio, made: dict[str, Any]) -> None:
    wanted = {"do": "make", "name": "y", "choose": {"runs": [studio.novice], "best": 10}}
    found = studio.post("/api/datasets/forecast", operation=wanted)
    exact = version(studio, "novice")
    assert (found["episodes"], found["transitions"]) == (10, exact["transitions"])
    assert 0.5 < found["bytes"] / exact["size"] < 2
    assert found["problem"] is None
    assert found["seconds"] > 0
    assert sum(found["returns"]["counts"]) == 10
    wanted["choose"]["return_min"] = 1000
    assert "No episode fits" in studio.post("/api/datasets/forecast", operation=wanted)["problem"]
