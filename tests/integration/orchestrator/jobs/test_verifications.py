"""Verifications: a run is trained again in a new process, and every event is compared."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import msgspec
from support.server import command
from support.studio import Studio, train
from support.waiting import wait_until

from rl_lab.worker.rendering.whole_episode import tabulate


def test_a_turbo_run_is_repeated_identically_and_gets_a_certificate(studio: Studio) -> None:
    before = studio.episodes(studio.novice, limit=200)
    done = command(studio.home, "verify", studio.novice)
    assert done.returncode == 0, done.stderr
    assert "IDENTICAL" in done.stdout
    [found] = studio.server.client.get(f"/api/runs/{studio.novice}/verifications").json()
    compared = found["result"]["compared"]
    assert found["sentence"].startswith("Identical: ")
    assert compared["episodes"] == len(before)
    assert compared["weights"]
    assert compared["recordings"] > 0
    certificate = json.loads(studio.file(studio.novice, "certificate.json").read_text())
    assert certificate["result"]["recorded_sha256"] == certificate["result"]["found_sha256"]
    assert certificate["result"]["snapshot_sha256"] == certificate["here_sha256"] != ""
    kinds = {
        a["path"]: a["kind"] for a in studio.server.client.get(f"/api/runs/{studio.novice}/artifacts").json()
    }
    assert kinds["certificate.html"] == "certificate"
    assert studio.episodes(studio.novice, limit=200) == before, "the verified run has no new episodes"
    listed = studio.server.client.get("/api/runs", params={"kind": "train"}).json()["items"]
    assert found["run_id"] not in {run["id"] for run in listed}


def test_a_planted_difference_is_named_with_its_step_and_both_values(studio: Studio) -> None:
    episode = studio.episodes(studio.novice, sort="episode", limit=5)[3]
    with planted(studio, studio.novice, episode["episode"], 0.5):
        job = studio.job(f"/api/runs/{studio.novice}/verifications", tolerance=0)
    result = job["summary"]["result"]
    assert result["verdict"] == "different"
    assert result["first_difference"] == {
        "step": episode["timestep"],
        "episode": episode["episode"],
        "quantity": "return",
        "recorded": episode["reward"] + 0.5,
        "found": episode["reward"],
    }
    assert result["certificate"] is None
    assert result["probable_reasons"][0].startswith("Software, hardware and numeric fingerprint are the same")
    wait_until(lambda: job["id"] in _described(studio, "Different: "), "the line in the event log")


def test_a_small_difference_is_within_tolerance_and_two_runs_are_compared(studio: Studio) -> None:
    other = train(studio.server, total_timesteps=2048, params={"learning_rate": 1e-9})
    episode = studio.episodes(studio.novice, sort="episode", limit=5)[3]
    with planted(studio, studio.novice, episode["episode"], 0.5):
        done = command(studio.home, "verify", studio.novice, "--against", other, "--json")
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["summary"]["result"]
    assert (result["verdict"], result["tolerance"], result["against"]) == ("within tolerance", 0.05, other)
    assert result["notes"][0].startswith("Nothing was trained")


def test_what_cannot_be_repeated_is_refused_with_a_next_step(studio: Studio) -> None:
    address = f"/api/runs/{studio.novice}/verifications"
    job = studio.server.client.get(address).json()[0]["run_id"]
    assert "is not a training" in studio.refused(f"/api/runs/{job}/verifications")["errors"][0]["message"]
    assert "identical to itself" in studio.refused(address, against=studio.novice)["errors"][0]["message"]
    other = studio.refused(address, against=studio.expert)["errors"][0]["message"]
    assert "different configurations (total_timesteps, params)" in other
    assert studio.refused(address, tolerance=-1)["status"] == 422
    assert studio.refused(address, against="nowhere")["status"] == 404


def test_a_deterministic_run_that_was_stopped_is_identical_up_to_its_end(studio: Studio) -> None:
    made = studio.post(
        "/api/runs",
        env_id="CartPole-v1",
        algorithm="ppo",
        runner="turbo",
        seed=5,
        deterministic=True,
        evaluate_after=0,
        total_timesteps=100_000_000,
        start=True,
    )
    wait_until(lambda: _run(studio, made["id"])["progress"]["timestep"] > 2048, "the first updates")
    studio.post(f"/api/runs/{made['id']}/stop")
    ended = studio.server.wait(made["id"], "stopped")
    variables = json.loads(studio.file(made["id"], "attempts/1/launch.json").read_text())["env"]
    assert (variables["PYTHONHASHSEED"], variables["CUBLAS_WORKSPACE_CONFIG"]) == ("0", ":4096:8")
    assert "seeded with 5" in studio.events(made["id"], "deterministic")[0]["message"]
    job = studio.job(f"/api/runs/{made['id']}/verifications", tolerance=0)
    result = job["summary"]["result"]
    assert (result["verdict"], result["compared"]["weights"]) == ("identical", True)
    assert f"ended at step {ended['progress']['timestep']:,}" in result["notes"][0]
    assert (
        json.loads(studio.file(job["id"], "attempts/1/launch.json").read_text())["env"]["PYTHONHASHSEED"]
        == "0"
    )


def test_every_run_has_a_snapshot(studio: Studio) -> None:
    served = studio.server.client.get(f"/api/runs/{studio.expert}/snapshot").json()
    assert served == json.loads(studio.file(studio.expert, "snapshot.json").read_text())
    assert served["packages"]["gymnasium"]
    assert set(served["fingerprint"]) == {"math", "numpy", "matrix"}
    [event] = studio.events(studio.expert, "worker_config")
    assert event["data"]["versions"]["numpy"] == served["packages"]["numpy"]


def test_a_replay_that_leaves_the_recording_names_the_step(studio: Studio) -> None:
    longest = studio.episodes(studio.expert, recorded=True, sort="-length", limit=1)[0]["episode"]
    recording = studio.recording(studio.expert, longest)
    assert len(recording.checksums) == recording.count // 50 * 2 > 2
    as_recorded = tabulate({"recording": msgspec.to_builtins(recording)})
    assert (as_recorded["exact"], as_recorded["note"]) == (True, "")
    broken = recording.checksums[:2] + b"\0\0" + recording.checksums[4:]
    snapshot = json.loads(studio.file(studio.expert, "snapshot.json").read_text())
    snapshot["packages"]["gymnasium"] = "0.1"
    planted = msgspec.structs.replace(recording, checksums=broken)
    found = tabulate({"recording": msgspec.to_builtins(planted), "snapshot": snapshot})
    assert found["exact"] is False
    assert found["note"].startswith(
        "From step 100 on the replay differs from the recording (at step 50 it was still the same). "
        "Since it was recorded: gymnasium 0.1 → "
    )
    without = msgspec.structs.replace(recording, checksums=b"")
    assert tabulate({"recording": msgspec.to_builtins(without)})["exact"] is True, (
        "recordings of earlier versions"
    )


def _run(studio: Studio, run_id: str) -> dict[str, Any]:
    found: dict[str, Any] = studio.server.client.get(f"/api/runs/{run_id}").json()
    return found


def _described(studio: Studio, words: str) -> list[str]:
    found = studio.events(studio.novice, "verification_complete")
    return [event["data"]["run_id"] for event in found if event["message"].startswith(words)]


@contextmanager
def planted(studio: Studio, run_id: str, episode: int, change: float) -> Iterator[None]:
    """The recorded return of one episode is another one meanwhile."""
    with closing(sqlite3.connect(studio.file(run_id, "telemetry.db"))) as conn:
        query = "UPDATE episodes SET reward = reward + ? WHERE episode = ?"
        with conn:
            conn.execute(query, (change, episode))
        try:
            yield
        finally:
            with conn:
                conn.execute(query, (-change, episode))
