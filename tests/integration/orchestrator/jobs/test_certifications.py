"""`rl-lab certify` and its API on a real lab."""

from __future__ import annotations

import json

from support.server import command
from support.studio import Studio
from support.waiting import wait_until


def test_a_run_is_certified_and_shows_it(studio: Studio) -> None:
    before = studio.episodes(studio.novice, limit=200)
    assert studio.server.client.get(f"/api/runs/{studio.novice}").json()["exact_resume"] is None
    done = command(studio.home, "certify", studio.novice, "--timesteps", "8192", "--breaks", "2")
    assert done.returncode == 0, done.stderr
    assert "IDENTICAL" in done.stdout
    assert "Note: The run is set to 2,048 steps; each training had 8,192" in done.stdout
    [found] = studio.server.client.get(f"/api/runs/{studio.novice}/certificates").json()
    assert found["sentence"].startswith("Identical: broken and resumed 2 times, ")
    assert studio.server.client.get(f"/api/runs/{studio.novice}").json()["exact_resume"] == "identical"
    certificate = json.loads(studio.file(studio.novice, "resume-certificate.json").read_text())
    assert certificate["title"] == "Certificate of exact resume"
    assert certificate["result"]["verdict"] == "identical"
    assert {tensor["name"] for tensor in certificate["tensors"]} >= {"parameters"}
    kinds = {
        a["path"]: a["kind"] for a in studio.server.client.get(f"/api/runs/{studio.novice}/artifacts").json()
    }
    assert kinds["resume-certificate.html"] == "certificate"
    assert not studio.file(found["run_id"], "trainings").exists()
    assert studio.episodes(studio.novice, limit=200) == before, "the certified run has no new episodes"
    wait_until(lambda: studio.events(studio.novice, "certification_complete"), "the line in the event log")


def test_a_learner_is_certified_without_a_run(studio: Studio) -> None:
    options = ["--runner", "turbo", "--algorithm", "dqn", "--env", "CartPole-v1", "--timesteps", "2000"]
    done = command(
        studio.home, "certify", *options, "--set", "learning_starts=200", "--breaks", "1", "--json"
    )
    assert done.returncode == 0, done.stderr
    job = json.loads(done.stdout)
    kept = studio.server.client.get(f"/api/runs/{job['parent_id']}").json()
    assert (kept["status"], kept["tags"], kept["exact_resume"]) == ("created", ["certify"], "identical")
    assert kept["config"]["params"]["learning_starts"] == 200


def test_what_cannot_be_certified_is_refused_with_a_reason(studio: Studio) -> None:
    foreign = command(studio.home, "certify", "--runner", "script", "--env", "CartPole-v1")
    assert (foreign.returncode, "cannot resume exactly" in foreign.stderr) == (2, True)
    address = f"/api/runs/{studio.novice}/certificates"
    both_lengths = studio.refused(address, timesteps=10, whole=True)
    assert "either a number of steps or the whole run" in both_lengths["errors"][0]["message"]
    assert studio.refused(address, breaks=0)["status"] == 422
    short = studio.server.wait(studio.post(address, timesteps=64)["id"], "failed")
    assert "too short to be broken" in short["reason"]["message"]
    assert "--timesteps" in short["reason"]["next_step"]
    [job, *_] = studio.server.client.get(address).json()
    refused = studio.refused(f"/api/runs/{job['run_id']}/certificates")
    assert "is not a training" in refused["errors"][0]["message"]
