"""Protocols: saved by contents, cited by every score, and never mixed with each other."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.server import command
from support.studio import Studio
from support.waiting import wait_until

FIXED = "def evaluate(episode):\n    return {'long': float(episode.length > 20)}\n"


def save(studio: Studio, **contents: Any) -> dict[str, Any]:
    return studio.post("/api/protocols", **contents)


def evaluate(studio: Studio, run_id: str, **wanted: Any) -> dict[str, Any]:
    return studio.job(f"/api/runs/{run_id}/evaluations", record=False, **wanted)


@pytest.fixture(scope="module")
def nightly(studio: Studio) -> dict[str, Any]:
    studio.post("/api/evaluation-codes", name="long games", source=FIXED)
    return save(
        studio,
        name="nightly",
        episodes=5,
        base_seed=7,
        code={"name": "long-games"},
        threshold=0.9,
        judged_by="long",
        description="every night",
    )


def test_other_contents_are_a_new_version_and_equal_ones_are_not(studio: Studio) -> None:
    first = save(studio, name="short", episodes=2)
    assert (first["version"], first["created_at"] is not None) == (1, True)
    assert save(studio, name="short", episodes=2, description="now with words")["version"] == 1
    second = save(studio, name="short", seeds=[4, 5])
    assert (second["version"], second["episodes"]) == (2, 2)
    assert save(studio, name="Short", episodes=2)["version"] == 1, "an older version is found again"
    saved = studio.server.client.get("/api/protocols/short").json()
    assert [one["version"] for one in saved["versions"]] == [2, 1]
    assert saved["versions"][1]["description"] == ""
    studio.server.client.delete("/api/protocols/short")
    assert studio.server.client.get("/api/protocols/short").status_code == 404
    assert save(studio, name="short", episodes=3)["version"] == 3, "a number never means other contents"


def test_a_protocol_decides_and_every_score_cites_it(studio: Studio, nightly: dict[str, Any]) -> None:
    job = evaluate(studio, studio.novice, protocol="nightly")
    config, result = job["config"], job["summary"]["result"]
    assert config["protocol"] == "nightly@v1"
    assert config["cited"]["sha256"] == nightly["sha256"]
    assert len(config["seeds"]) == config["episodes"] == 5
    assert result["seeds"] == config["seeds"]
    assert result["protocol"]["text"] == "protocol nightly@v1"
    assert result["code"] == "long games@v1"
    verdict = result["verdict"]
    assert (verdict["judged_by"], verdict["threshold"]) == ("long", 0.9)
    assert verdict["passed"] == (result["numbers"]["long"]["mean"] >= 0.9)
    cited = "over 5 episodes (protocol nightly@v1)"
    wait_until(lambda: studio.has_event(studio.novice, "evaluation_complete", cited), "the hand-in")
    again = evaluate(studio, studio.expert, protocol="nightly@v1")["summary"]["result"]
    assert again["seeds"] == result["seeds"], "the same seeds for every run"
    assert again["verdict"]["sentence"].startswith("Passed: mean long 1")


def test_scores_of_two_protocols_are_not_mixed(studio: Studio, nightly: dict[str, Any]) -> None:
    for run_id in (studio.novice, studio.expert):
        evaluate(studio, run_id, protocol="nightly")
    evaluate(studio, studio.expert, seeds=[1])
    client, runs = studio.server.client, [studio.novice, studio.expert]
    asked = {"runs": runs, "measure": "evaluation", "protocol": "nightly"}
    found = client.get("/api/compare", params=asked).json()
    assert found["measures"]["evaluation"].endswith("(protocol nightly@v1)")
    assert all(group["statistics"]["evaluation"]["seeds"] == 1 for group in found["groups"])
    assert found["protocols"][0]["name"] == "nightly"
    assert any("not mixed" in note for note in found["notes"])
    single = client.get("/api/compare", params={**asked, "protocol": "1 episode, seeds given, best actions"})
    values = [group["statistics"].get("evaluation") for group in single.json()["groups"]]
    assert values[0] is None, "the novice was not evaluated so"
    unknown = client.get("/api/compare", params={**asked, "protocol": "weekly"})
    assert unknown.status_code == 422


def test_a_report_has_the_scores_of_the_protocol_that_it_judges_by(studio: Studio) -> None:
    save(studio, name="common", episodes=2)
    save(studio, name="rare", seeds=[11])
    runs = [studio.novice, studio.expert]
    for run_id in runs:
        evaluate(studio, run_id, protocol="common")
    measured = evaluate(studio, studio.expert, protocol="rare")["summary"]["result"]["return_mean"]
    asked = {"runs": runs, "protocol": "rare", "format": "json"}
    report = studio.server.client.get("/api/compare/report", params=asked).json()
    assert [run["evaluation"] for run in report["runs"]] == [None, measured]


def test_a_study_is_judged_by_a_number_of_the_protocol_that_evaluates_its_runs(
    studio: Studio, nightly: dict[str, Any]
) -> None:
    base = {"env_id": "CartPole-v1", "algorithm": "ppo", "runner": "turbo", "total_timesteps": 512}
    unknown = studio.refused("/api/studies", base={**base, "evaluate_by": "weekly"}, seeds=[1])
    assert unknown["errors"][0]["field"] == "base.evaluate_by"
    wanted = {**base, "evaluate_by": "nightly"}
    study = studio.post("/api/studies", base=wanted, seeds=[1], measure="long", start=True)
    assert study["plan"]["base"]["evaluate_by"] == "nightly@v1", "the version of now, for all of its runs"
    address = f"/api/studies/{study['id']}"
    client = studio.server.client

    def judged() -> Any:
        [variant] = client.get(f"{address}/variants").json()["items"]
        return variant if variant["value"] is not None else None

    variant = wait_until(judged, "a variant with a value")
    [run_id] = variant["run_ids"]
    address_of_run = f"/api/runs/{run_id}"
    wait_until(lambda: client.get(address_of_run).json()["summary"]["numbers"], "the hand-in")
    summary = client.get(address_of_run).json()["summary"]
    assert summary["numbers"] == {"long": variant["value"], "long@nightly@v1": variant["value"]}
    assert summary["cited"]["long"] == "nightly@v1"
    found = client.get(f"{address}/comparison").json()
    assert found["measure"] == "long"
    assert found["measures"]["long"].endswith("(protocol nightly@v1)")
    table = client.get("/api/exports", params={"studies": study["id"], "format": "json", "table": "runs"})
    [row] = table.json()
    assert row["metrics.long@protocol"] == "nightly@v1"
    assert row["metrics.long"] == variant["value"]


def test_the_report_of_a_study_shows_no_scores_of_other_protocols(studio: Studio) -> None:
    """The evaluation by its own protocol was deleted."""
    client = studio.server.client
    for name, base_seed in (("ours", 1), ("theirs", 2)):
        save(studio, name=name, episodes=2, base_seed=base_seed)
    base = {"env_id": "CartPole-v1", "algorithm": "ppo", "runner": "turbo", "total_timesteps": 64}
    study = studio.post("/api/studies", base={**base, "evaluate_by": "ours"}, seeds=[1], start=True)

    def evaluated() -> Any:
        [variant] = client.get(f"/api/studies/{study['id']}/variants").json()["items"]
        found = [
            one
            for run_id in variant["run_ids"]
            for one in client.get("/api/runs", params={"kind": "evaluate", "parent_id": run_id}).json()[
                "items"
            ]
        ]
        return next((one for one in found if one["status"] == "succeeded"), None)

    job = wait_until(evaluated, "the evaluation after the training")
    assert client.delete(f"/api/runs/{job['id']}").status_code < 300
    evaluate(studio, job["parent_id"], protocol="theirs")
    found = client.get(f"/api/studies/{study['id']}/comparison").json()
    assert "None of these runs was evaluated by the protocol ours@v1 yet." in found["notes"]
    report = client.get(f"/api/studies/{study['id']}/report", params={"format": "json"}).json()
    assert [run["evaluation"] for run in report["runs"]] == [None]


def test_a_study_is_not_judged_by_a_number_that_its_protocol_does_not_measure(studio: Studio) -> None:
    save(studio, name="bare", episodes=2)
    base = {"env_id": "CartPole-v1", "algorithm": "ppo", "runner": "turbo", "evaluate_by": "bare"}
    wrong = studio.refused("/api/studies", base=base, seeds=[1], measure="long")
    assert wrong["errors"][0]["field"] == "measure"
    assert "The protocol bare@v1 has no evaluation code" in wrong["detail"]


def test_a_protocol_is_for_an_environment_under_its_outdated_id_too(studio: Studio) -> None:
    assert save(studio, name="lakes", env_id="GridWorld", episodes=2)["env_id"] == "FrozenLake-v1"
    training = {"runner": "turbo", "algorithm": "ppo", "total_timesteps": 64, "evaluate_by": "lakes"}
    created = studio.post("/api/runs", env_id="GridWorld", **training)
    assert (created["env_id"], created["config"]["evaluate_by"]) == ("FrozenLake-v1", "lakes@v1")
    wrong = studio.refused("/api/runs", env_id="CartPole-v1", **training)
    assert [error["field"] for error in wrong["errors"]] == ["evaluate_by"]
    assert "lakes@v1 is for FrozenLake-v1, and this run trains in CartPole-v1" in wrong["detail"]
    misspelt = studio.refused("/api/runs", env_id="GridWorld", **{**training, "evaluate_by": "@"})
    assert misspelt["detail"] == "evaluate_by: “@” is not a protocol; write NAME or NAME@v2."


def test_an_evaluation_without_a_protocol_cites_its_options(studio: Studio) -> None:
    result = evaluate(studio, studio.novice, episodes=2, deterministic=False)["summary"]["result"]
    assert result["protocol"]["name"] is None
    assert result["protocol"]["text"] == "2 episodes, seeds derived, sampled actions"


def test_options_next_to_a_protocol_are_refused_by_name(studio: Studio, nightly: dict[str, Any]) -> None:
    address = f"/api/runs/{studio.novice}/evaluations"
    both = studio.refused(address, protocol="nightly", episodes=3)
    assert both["status"] == 422
    assert "episodes and the protocol “nightly”" in both["detail"]
    missing = studio.refused(address, protocol="nightly@v9")
    assert (missing["status"], missing["next_step"]) == (404, "It has: v1.")
    assert "Did you mean nightly" in studio.refused(address, protocol="nightli")["detail"]
    save(studio, name="for the lander", env_id="LunarLander-v3", episodes=1)
    other = studio.refused(address, protocol="for the lander")
    assert "is for LunarLander-v3" in other["detail"]


def test_arguments_of_a_protocol_replace_those_of_the_run(studio: Studio) -> None:
    save(studio, name="three steps", episodes=2, env_kwargs={"max_episode_steps": 3})
    result = evaluate(studio, studio.expert, protocol="three-steps")["summary"]["result"]
    assert (result["lengths"], result["truncated"]) == ([3, 3], 2)


@pytest.mark.parametrize(
    "contents",
    [
        {"name": "standard-100"},
        {"name": "new"},
        {"name": "a", "episodes": 0},
        {"name": "a", "seeds": [1, 2], "episodes": 3},
        {"name": "a", "seeds": []},
        {"name": "a", "judged_by": "soft_landings"},
        {"name": "a", "code": {"name": "missing"}},
        {"name": "a", "env_id": "NoSuchGame-v0"},
        {"name": "a", "env_kwargs": {"x": "y" * 20_000}},
        {"name": "a", "env_kwargs": {"wrappers": [{"id": "no_such"}]}},
        {"name": "a", "threshold": "much"},
    ],
)
def test_wrong_protocols_are_refused(studio: Studio, contents: dict[str, Any]) -> None:
    assert studio.refused("/api/protocols", **contents)["status"] in (404, 409, 422)


def test_the_lab_has_a_protocol_of_its_own(studio: Studio) -> None:
    listed = studio.server.client.get("/api/protocols").json()
    assert (listed[-1]["name"], listed[-1]["is_built_in"]) == ("standard-100", True)
    assert studio.server.client.delete("/api/protocols/standard-100").status_code == 422


def test_the_command_line_saves_shows_uses_and_deletes_a_protocol(studio: Studio) -> None:
    home = studio.home
    saved = command(home, "protocols", "save", "evening", "--episodes", "2", "--threshold", "5", "--json")
    assert saved.returncode == 0, saved.stderr
    assert json.loads(saved.stdout)["version"] == 1
    assert "evening@v1" in command(home, "protocols").stdout
    assert "return ≥ 5" in command(home, "protocols", "show", "evening").stdout
    done = command(home, "evaluate", studio.novice, "--protocol", "evening", "--no-video")
    assert done.returncode == 0, done.stderr
    assert "Passed: mean return" in done.stdout
    both = command(home, "evaluate", studio.novice, "--protocol", "evening", "--stochastic", "--no-video")
    assert both.returncode == 2
    assert "deterministic and the protocol" in both.stderr
    assert "Deleted evening with 1 version." in command(home, "protocols", "delete", "evening").stdout
