"""Runs over HTTP: create, find, label, move, delete, and every error as a problem."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.server import Server
from support.waiting import DEADLINE_S

PROBLEM = "application/problem+json"


@pytest.fixture(scope="module")
def server(shared_server: Server) -> Server:
    return shared_server


def problem(answer: Any, status: int) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == PROBLEM
    found: dict[str, Any] = answer.json()
    assert found["status"] == status
    assert {"type", "title", "detail"} <= set(found)
    return found


def test_health_needs_no_token(server: Server) -> None:
    with server.stranger() as stranger:
        answer = stranger.get("/api/health")
    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert answer.json()["version"]


def test_environments_have_what_a_card_shows(server: Server) -> None:
    found = {env["id"]: env for env in server.client.get("/api/environments", timeout=DEADLINE_S).json()}
    cartpole = found["CartPole-v1"]
    assert cartpole["action_space_type"] == "discrete"
    assert cartpole["obs_space_dims"] == [4]
    assert found["BipedalWalker-v3"]["action_space_type"] == "continuous"


def test_runners_offer_algorithms_with_schema_and_presets(server: Server) -> None:
    found = {runner["id"]: runner for runner in server.client.get("/api/runners").json()}
    ppo = next(a for a in found["sb3"]["algorithms"] if a["id"] == "ppo")
    gamma = ppo["params_schema"]["properties"]["gamma"]
    assert gamma["default"] == 0.99
    assert "x-group" in gamma
    assert {preset["id"] for preset in ppo["presets"]} >= {"fast", "stable", "high_score"}
    assert found["fake"]["ready"] is True
    assert found["fake"]["capabilities"]["pause"] is True


def test_a_run_is_created_started_and_ends_with_its_reason(server: Server) -> None:
    run = server.create(name="first", tags=["a", "b"])
    assert run["status"] == "created"
    assert run["allowed"] == ["start"]
    assert run["config"]["params"]["steps_per_second"] == 20_000
    answer = server.client.post(f"/api/runs/{run['id']}/start")
    assert answer.status_code == 202
    ended = server.wait(run["id"], "succeeded", "failed", "lost")
    assert ended["status"] == "succeeded", ended["reason"]
    assert ended["progress"]["timestep"] >= 5000
    assert ended["progress"]["fraction"] == 1.0
    config = server.client.get(f"/api/runs/{run['id']}/config").json()
    assert config["algorithm"] == "toy"
    kinds = {a["kind"] for a in server.client.get(f"/api/runs/{run['id']}/artifacts").json()}
    assert "checkpoint" in kinds or "model" in kinds


def test_creation_answers_with_its_address(server: Server) -> None:
    body = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake"}
    answer = server.client.post("/api/runs", json=body)
    assert answer.status_code == 201
    assert server.client.get(answer.headers["location"]).json()["id"] == answer.json()["id"]


def test_an_unknown_environment_gets_the_nearest_ones(server: Server) -> None:
    answer = server.client.post("/api/runs", json={"env_id": "CartPol-v1", "algorithm": "ppo"})
    [error] = problem(answer, 422)["errors"]
    assert error["field"] == "env_id"
    assert "CartPole-v1" in error["allowed"]


def test_every_wrong_parameter_is_named_with_its_range(server: Server) -> None:
    body = {"env_id": "CartPole-v1", "algorithm": "ppo", "params": {"gamma": 7, "gama": 0.9}}
    errors = {e["field"]: e for e in problem(server.client.post("/api/runs", json=body), 422)["errors"]}
    assert errors["params.gamma"]["allowed"]["maximum"] == 1
    assert "gamma" in errors["params.gama"]["message"]


def test_the_learning_rate_may_stand_outside_params(server: Server) -> None:
    body = {"env_id": "CartPole-v1", "algorithm": "ppo", "learning_rate": 0.001, "total_timesteps": 1000}
    made = server.client.post("/api/runs", json=body)
    assert made.status_code == 201, made.text
    assert made.json()["config"]["params"]["learning_rate"] == 0.001
    same = server.client.post("/api/runs", json={**body, "params": {"learning_rate": 0.001}})
    assert same.status_code == 201
    other = server.client.post("/api/runs", json={**body, "params": {"learning_rate": 0.5}})
    [error] = problem(other, 422)["errors"]
    assert (
        error["field"] == "learning_rate" and "given twice: 0.001 here and 0.5 in params" in error["message"]
    )


def test_a_move_refuses_fields_that_it_would_ignore(server: Server) -> None:
    body = {"env_id": "CartPole-v1", "algorithm": "toy", "runner": "fake"}
    run_id = server.client.post("/api/runs", json=body).json()["id"]
    answer = server.client.post(f"/api/runs/{run_id}/resume", json={"chekpoint": "2048"})
    [error] = problem(answer, 422)["errors"]
    assert error["field"] == "chekpoint"
    assert server.client.post(f"/api/runs/{run_id}/start", json={}).status_code == 202


@pytest.mark.parametrize(("env_id", "algorithm"), [("BipedalWalker-v3", "dqn"), ("CartPole-v1", "sac")])
def test_an_algorithm_that_cannot_learn_the_actions_is_refused_in_words(
    server: Server, env_id: str, algorithm: str
) -> None:
    answer = server.client.post("/api/runs", json={"env_id": env_id, "algorithm": algorithm})
    [error] = problem(answer, 422)["errors"]
    assert error["field"] == "algorithm"
    assert "actions" in error["message"]


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "algorithm"),
        ({"algorithm": "ppo"}, "env_id"),
        ({"env_id": "CartPole-v1", "algorithm": "ppo", "seed": -1}, "seed"),
        ({"env_id": "CartPole-v1", "algorithm": "ppo", "total_timesteps": 0}, "total_timesteps"),
        ({"env_id": "CartPole-v1", "algorithm": "ppo", "typo": 1}, "typo"),
    ],
)
def test_a_wrong_body_names_the_field(server: Server, body: dict[str, Any], field: str) -> None:
    errors = problem(server.client.post("/api/runs", json=body), 422)["errors"]
    assert field in {error["field"] for error in errors}


@pytest.mark.parametrize(
    "value",
    ['"\\ud800"', "1" + "0" * 30, "NaN", "[" * 300 + "]" * 300],
    ids=["text", "number", "nan", "deep"],
)
def test_arguments_that_cannot_be_kept_are_refused_in_words(server: Server, value: str) -> None:
    body = '{"env_id":"CartPole-v1","algorithm":"ppo","env_kwargs":{"x":' + value + "}}"
    answer = server.client.post("/api/runs", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"].partition(".")[0] == "env_kwargs"


def test_broken_json_is_a_problem(server: Server) -> None:
    headers = {"Content-Type": "application/json"}
    answer = server.client.post("/api/runs", content=b'{"env_id":', headers=headers)
    assert problem(answer, 422)["errors"][0]["field"] == "body"


def test_a_move_the_state_forbids_is_refused_with_the_allowed_ones(server: Server) -> None:
    run = server.create()
    found = problem(server.client.post(f"/api/runs/{run['id']}/pause"), 409)
    assert found["allowed"] == ["start"]


def test_a_run_pauses_resumes_and_stops(server: Server) -> None:
    run = server.create(total_timesteps=10_000_000, params={"steps_per_second": 2000}, start=True)
    server.wait(run["id"], "running")
    assert server.client.post(f"/api/runs/{run['id']}/pause").status_code == 202
    server.wait(run["id"], "paused")
    assert server.client.post(f"/api/runs/{run['id']}/resume").status_code == 202
    server.wait(run["id"], "running")
    assert server.client.post(f"/api/runs/{run['id']}/stop").status_code == 202
    stopped = server.wait(run["id"], "stopped")
    assert stopped["reason"]["message"]
    assert stopped["allowed"] == ["resume"]


def test_a_forced_stop_ends_even_a_worker_that_does_not_listen(server: Server) -> None:
    run = server.create(
        total_timesteps=10**8, start=True, params={"steps_per_second": 2000, "ignore_stop": True}
    )
    server.wait(run["id"], "running")
    assert server.client.post(f"/api/runs/{run['id']}/stop").status_code == 202
    assert server.client.post(f"/api/runs/{run['id']}/stop").status_code == 409
    forced = server.client.post(f"/api/runs/{run['id']}/stop", params={"force": True})
    assert forced.status_code == 202, forced.text
    ended = server.wait(run["id"], "stopped", "failed", "lost")
    assert (ended["status"], ended["reason"]["cause"]) == ("stopped", "stopped-by-force")
    record = json.loads((server.home / "runs" / run["id"] / "attempts" / "1" / "exit.json").read_text())
    assert record["killed_by"] == "kill"  # not by the ladder of a polite stop, which takes its time


def test_metrics_are_cut_in_the_axis_asked_for(server: Server) -> None:
    run = server.create(start=True)
    server.wait(run["id"], "succeeded")
    address = f"/api/runs/{run['id']}/metrics"

    def reward(**query: Any) -> dict[str, Any]:
        answer = server.client.get(address, params={"names": "reward,length", **query})
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()["series"]
        assert set(found) == {"reward", "length"}
        return found["reward"]  # type: ignore[no-any-return]

    whole = reward()
    assert whole["total"] > 20
    assert reward(x="episode", **{"from": 3, "to": 9})["index"] == list(range(3, 10))
    middle = whole["step"][10]
    assert all(step <= middle for step in reward(x="step", to=middle)["step"])
    since = whole["time"][10]
    later = reward(x="time", **{"from": since})
    assert all(at >= since - 0.001 for at in later["time"])
    assert 0 < later["total"] <= whole["total"]
    assert server.client.get(address, params={"x": "moon"}).status_code == 422


def test_labels_change_and_the_rest_stays(server: Server) -> None:
    run = server.create(name="old", tags=["x"])
    address = f"/api/runs/{run['id']}"
    changed = server.client.patch(address, json={"name": "new"}).json()
    assert (changed["name"], changed["tags"]) == ("new", ["x"])
    changed = server.client.patch(address, json={"tags": ["y", "z"], "archived": True}).json()
    assert (changed["name"], changed["tags"], changed["archived"]) == ("new", ["y", "z"], True)
    problem(server.client.patch(address, json={"name": ""}), 422)


def test_a_deleted_run_is_gone_and_comes_back(server: Server) -> None:
    run = server.create(name="deleted and restored")
    address = f"/api/runs/{run['id']}"
    assert server.client.delete(address).status_code == 200
    problem(server.client.get(address), 410)
    assert server.client.post(f"{address}/restore").json()["name"] == "deleted and restored"
    assert server.client.get(address).status_code == 200


def test_pages_follow_each_other_without_gap_or_double(server: Server) -> None:
    made = {server.create(tags=["paged"])["id"] for _ in range(7)}
    found: list[str] = []
    cursor = None
    while True:
        query = {"tag": "paged", "limit": 3} | ({"cursor": cursor} if cursor else {})
        page = server.client.get("/api/runs", params=query).json()
        assert page["total"] == 7
        found += [run["id"] for run in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert len(found) == 7
    assert set(found) == made


def test_runs_are_found_by_status_words_and_environment(server: Server) -> None:
    run = server.create(name="needle in haystack")
    for query in (
        {"q": "needle"},
        {"status": "created", "q": "haystack"},
        {"q": run["id"], "env_id": "CartPole-v1"},
    ):
        assert [r["id"] for r in server.client.get("/api/runs", params=query).json()["items"]] == [run["id"]]
    assert server.client.get("/api/runs", params={"q": "needle", "status": "failed"}).json()["items"] == []


@pytest.mark.parametrize(
    "query",
    [
        {"limit": 0},
        {"limit": 201},
        {"limit": "x"},
        {"sort": "nonsense"},
        {"status": "dancing"},
        {"cursor": "zzz"},
        {"kind": "x"},
    ],
)
def test_a_parameter_out_of_bounds_is_named(server: Server, query: dict[str, Any]) -> None:
    errors = problem(server.client.get("/api/runs", params=query), 422)["errors"]
    assert errors[0]["field"].split(".")[0] == next(iter(query))


@pytest.mark.parametrize("run_id", ["zzzzzzzzzzzz", "000000000000"])
def test_an_unknown_run_is_not_found(server: Server, run_id: str) -> None:
    for rest in ("", "/config", "/metrics", "/log", "/events", "/artifacts", "/episodes", "/stream"):
        problem(server.client.get(f"/api/runs/{run_id}{rest}"), 404)


@pytest.mark.parametrize("run_id", ["..", "%2e%2e%2f", "A" * 12, "short", "a" * 500, "nul%00lnullnul"])
def test_what_is_not_an_id_never_gets_further(server: Server, run_id: str) -> None:
    answer = server.client.get(f"/api/runs/{run_id}/config")
    assert answer.status_code in {404, 422}
    assert answer.headers["content-type"] == PROBLEM


def test_an_unknown_address_and_a_wrong_method_are_problems(server: Server) -> None:
    problem(server.client.get("/api/nothing"), 404)
    answer = server.client.put("/api/health")
    problem(answer, 405)
    assert "GET" in answer.headers["allow"]


def test_doctor_system_and_settings_answer(server: Server) -> None:
    findings = server.client.get("/api/doctor", timeout=DEADLINE_S).json()
    assert {"python", "disk"} <= {finding["id"] for finding in findings}
    system = server.client.get("/api/system", timeout=DEADLINE_S).json()
    assert system["memory"]["total_bytes"] > 0
    assert system["cpu"]["cores"] >= 1
    settings = {s["name"]: s for s in server.client.get("/api/settings").json()}
    assert settings["home"]["value"] == str(server.home)
    assert settings["port"]["variable"] == "RL_LAB_PORT"


def test_a_run_without_a_name_is_named_by_what_differs_and_a_drawn_seed_is_short(server: Server) -> None:
    body = {
        "env_id": "CartPole-v1",
        "algorithm": "ppo",
        "runner": "turbo",
        "params": {"learning_rate": 0.002},
    }
    run = server.client.post("/api/runs", json=body).json()
    seed = run["config"]["seed"]
    assert 0 <= seed < 100_000
    assert run["name"] == f"PPO on CartPole-v1 · learning rate 0.002 · seed {seed}"
    assert run["env_id"] == "CartPole-v1"


def test_a_run_is_repeated_with_its_settings_and_seed(server: Server) -> None:
    body = {
        "env_id": "CartPole-v1",
        "algorithm": "ppo",
        "runner": "turbo",
        "params": {"gamma": 0.9},
        "tags": ["x"],
    }
    run = server.client.post("/api/runs", json=body).json()
    answer = server.client.post(f"/api/runs/{run['id']}/again", json={"start": False})
    again = answer.json()
    assert answer.status_code == 201 and answer.headers["location"] == f"/api/runs/{again['id']}"
    assert again["config"] == run["config"] and again["tags"] == ["x"] and again["id"] != run["id"]
    assert again["name"] == f"{run['name']} · again"
    other = server.client.post(f"/api/runs/{run['id']}/again", json={"start": False, "seed": 77}).json()
    assert other["config"] == {**run["config"], "seed": 77}
    assert other["name"] == "PPO on CartPole-v1 · gamma 0.9 · seed 77"


def test_an_exported_configuration_creates_the_same_run(server: Server) -> None:
    body = {"env_id": "CartPole-v1", "algorithm": "ppo", "runner": "turbo", "preset": "stable", "seed": 5}
    run = server.client.post("/api/runs", json=body).json()
    exported = server.client.get(f"/api/runs/{run['id']}/config").json()
    assert exported["kind"] == "train"
    again = server.client.post("/api/runs", json=exported)
    assert again.status_code == 201, again.text
    assert again.json()["config"] == run["config"]
    job = {"kind": "evaluate", "run_id": run["id"]}
    assert (
        "only a training" in problem(server.client.post("/api/runs", json=job), 422)["errors"][0]["message"]
    )


def test_seeds_of_one_configuration_are_grouped(server: Server) -> None:
    wanted = {"env_id": "CartPole-v1", "algorithm": "ppo", "runner": "turbo", "total_timesteps": 1000}
    ids = [server.client.post("/api/runs", json={**wanted, "seed": seed}).json()["id"] for seed in (4, 5)]
    other = server.client.post("/api/runs", json={**wanted, "seed": 4, "params": {"gamma": 0.5}}).json()["id"]
    groups = server.client.get("/api/insights/seeds", params={"run": [*ids, other]}).json()
    assert [(group["run_ids"], group["seeds"], group["insight"]) for group in groups] == [(ids, [4, 5], None)]
    problem(server.client.get("/api/insights/seeds", params={"run": ["../x"]}), 422)


def test_runs_are_compared_over_their_seeds(server: Server) -> None:
    ended = []
    for seed in (1, 2):
        run = server.create(total_timesteps=2000, seed=seed, start=True)
        ended.append(server.wait(run["id"], "succeeded")["id"])
    found = server.client.get("/api/compare", params={"runs": ended}).json()
    [group] = found["groups"]
    assert group["run_ids"] == ended and group["seeds"] == [1, 2]
    assert group["statistics"]["final"]["seeds"] == 2
    assert found["differences"] == []
    problem(server.client.get("/api/compare"), 422)
    problem(server.client.get("/api/compare", params={"runs": ["0" * 12]}), 404)


def test_the_command_of_a_run_starts_it_again(shared_server: Server) -> None:
    run = shared_server.create(params={"learning_rate": 0.5}, seed=7, total_timesteps=3000)
    answer = shared_server.client.get(f"/api/runs/{run['id']}/command").json()
    assert answer["command"] == (
        "rl-lab train CartPole-v1 --algorithm toy --runner fake --timesteps 3000 --seed 7 --evaluate 0 "
        "--set learning_rate=0.5 --set steps_per_second=20000.0"
    )
    assert shared_server.client.get("/api/runs/nosuchrun123/command").status_code == 404
