"""A reward of one's own over HTTP and on the command line: saved, tried, trained with, repeated, packed."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from support.server import Server, command

SOURCE = (
    "def reward_function(obs, reward):\n    return {'environment': reward, 'centre': -abs(float(obs[0]))}\n"
)
TRAINING = {
    "env_id": "CartPole-v1",
    "algorithm": "ppo",
    "runner": "turbo",
    "total_timesteps": 600,
    "evaluate_after": 0,
    "seed": 1,
    "start": True,
}


@pytest.fixture(scope="module")
def server(shared_server: Server) -> Server:
    return shared_server


@pytest.fixture(scope="module")
def trained(server: Server) -> dict[str, Any]:
    """A run with the reward “centred”."""
    saved = save(server, "centred")
    assert (saved["name"], saved["version"]) == ("centred", 1)
    run = server.client.post("/api/runs", json={**TRAINING, "reward": {"name": "centred"}})
    assert run.status_code == 201, run.text
    return server.wait(run.json()["id"], "succeeded", "failed", "lost")


def save(server: Server, name: str, source: str = SOURCE) -> dict[str, Any]:
    answer = server.client.post(
        "/api/rewards", json={"name": name, "source": source, "env_id": "CartPole-v1"}
    )
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json()
    return found


def check(server: Server, source: str, **asked: Any) -> dict[str, Any]:
    answer = server.client.post("/api/rewards/check", json={"source": source, **asked}, timeout=120)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_a_training_names_its_exact_reward_and_keeps_a_copy(server: Server, trained: dict[str, Any]) -> None:
    assert trained["status"] == "succeeded", trained["reason"]
    reward = trained["config"]["reward"]
    assert (reward["name"], reward["version"]) == ("centred", 1)
    assert (server.home / "runs" / trained["id"] / "reward.py").read_text() == SOURCE
    assert server.client.get(f"/api/runs/{trained['id']}/reward").json() == {
        "choice": reward,
        "source": SOURCE,
    }
    assert server.client.get("/api/rewards/centred").json()["versions"][0]["used_by"] >= 1
    assert "reward centred@v1" in trained["name"]


def test_jobs_of_such_a_training_get_the_reward(server: Server, trained: dict[str, Any]) -> None:
    answer = server.client.post(f"/api/runs/{trained['id']}/evaluations", json={"episodes": 1})
    job = server.wait(answer.json()["id"], "succeeded", "failed")
    assert job["status"] == "succeeded", job["reason"]
    attempt = server.home / "runs" / job["id"] / "attempts" / "1" / "job.json"
    assert json.loads(attempt.read_text())["inputs"]["reward"]["source"] == SOURCE


def test_a_run_is_repeated_and_packed_without_the_saved_reward(
    server: Server, trained: dict[str, Any]
) -> None:
    assert server.client.delete("/api/rewards/centred").status_code == 200
    again = server.client.post(f"/api/runs/{trained['id']}/again", json={"seed": 2}).json()
    ended = server.wait(again["id"], "succeeded", "failed")
    assert ended["config"]["reward"] == trained["config"]["reward"]
    pack = server.client.get(f"/api/runs/{trained['id']}/pack")
    assert pack.status_code == 200, pack.text
    uploaded = server.client.post("/api/packs", params={"name": "p.zip"}, content=pack.content).json()
    taken = server.client.post(f"/api/packs/{uploaded['id']}/import").json()
    new_id = taken["runs"][trained["id"]]
    assert server.client.get(f"/api/runs/{new_id}/reward").json()["source"] == SOURCE
    restored = server.client.get("/api/rewards/centred").json()["versions"]
    assert [one["source"] for one in restored] == [SOURCE]


def test_an_unknown_reward_and_a_runner_without_rewards_are_refused_at_the_field(server: Server) -> None:
    save(server, "known")
    for change, words in (
        ({"reward": {"name": "knwon"}}, "Did you mean known?"),
        ({"reward": {"name": "known", "version": 9}}, "no version 9"),
        ({"reward": {"name": "known"}, "runner": "fake", "algorithm": "toy"}, "cannot learn from a reward"),
    ):
        answer = server.client.post("/api/runs", json={**TRAINING, **change})
        assert answer.status_code == 422
        assert [error["field"] for error in answer.json()["errors"]] == ["reward"]
        assert words in answer.json()["detail"]


def test_a_reward_that_fails_in_the_environment_is_refused_before_anything_is_trained(server: Server) -> None:
    """It was written for the eight numbers of LunarLander."""
    save(server, "for another", "def reward_function(obs):\n    return float(obs[6])\n")
    base = {**TRAINING, "reward": {"name": "for another"}}
    study = {"name": "refused", "base": {k: v for k, v in base.items() if k not in ("seed", "start")}}
    for address, body in {"/api/runs": base, "/api/studies": {**study, "seeds": [1]}}.items():
        answer = server.client.post(address, json=body)
        assert answer.status_code == 422, answer.text
        [error] = answer.json()["errors"]
        assert error["field"].endswith("reward")
        assert "Line 2: IndexError" in error["message"] and "obs = [" in error["message"]
    found = server.client.post("/api/runs/reward-check", json=base).json()
    assert (found["is_usable"], found["remarks"][0]["line"]) == (False, 2)


def test_what_a_reward_warns_of_is_in_the_event_log_of_its_training(server: Server) -> None:
    save(server, "random", "import random\n\ndef reward_function():\n    return random.random()\n")
    created = server.client.post(
        "/api/runs", json={**TRAINING, "reward": {"name": "random"}, "start": False}
    ).json()
    answer = server.client.get(f"/api/runs/{created['id']}/events")
    events = [one["message"] for one in answer.json()["items"] if one["type"] == "reward_warning"]
    assert any("The same step gave different numbers" in one for one in events)


def test_a_study_trains_every_run_with_the_reward(server: Server) -> None:
    save(server, "of a study")
    base = {name: value for name, value in TRAINING.items() if name not in ("seed", "start")}
    body = {
        "name": "rewarded",
        "base": {**base, "reward": {"name": "of a study"}},
        "seeds": [1, 2],
        "start": True,
    }
    study = server.client.post("/api/studies", json=body).json()
    runs = server.client.get("/api/runs", params={"study_id": study["id"]}).json()["items"]
    for run in runs:
        ended = server.wait(run["id"], "succeeded", "failed")
        assert ended["config"]["reward"]["name"] == "of a study"
        assert (server.home / "runs" / run["id"] / "reward.py").read_text() == SOURCE


@pytest.mark.parametrize(
    ("source", "status"),
    [("def reward_function(:", 422), ("#" * 300_000, 422), ("x\0y", 422), ("#" * 2_000_000, 413)],
)
def test_code_that_cannot_be_saved_is_a_problem_not_a_failure(
    server: Server, source: str, status: int
) -> None:
    answer = server.client.post("/api/rewards", json={"name": "bad", "source": source})
    assert answer.status_code == status
    assert answer.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("name", ["new", "v3", "a/b", "", "x" * 65, "examples"])
def test_a_name_that_means_something_else_is_refused(server: Server, name: str) -> None:
    assert server.client.post("/api/rewards", json={"name": name, "source": SOURCE}).status_code == 422


def test_a_check_is_kept_with_the_contents_that_are_saved_later(server: Server) -> None:
    source = SOURCE + "# tried before it was saved\n"
    found = check(server, source, env_id="CartPole-v1")
    assert found["is_usable"], found
    assert (found["calls"], found["terms"], found["takes"]) == (
        1000,
        ["environment", "centre"],
        ["obs", "reward"],
    )
    assert found["isolation"] in ("confined", "partly", "none")
    assert found["calls_per_second"] > 0 and 0 < found["slowdown"] < 1
    assert save(server, "tried", source)["check"] == found


def test_a_check_on_recorded_steps_finds_the_step_that_fails(server: Server, trained: dict[str, Any]) -> None:
    source = "def reward_function(obs, action):\n    if action == 1:\n        return obs[77]\n    return 0\n"
    found = check(server, source, run_ids=[trained["id"]])
    (remark,) = found["remarks"]
    assert not found["is_usable"]
    assert (remark["line"], remark["level"]) == (3, "error")
    assert "IndexError" in remark["message"] and "action = 1" in remark["message"]


def test_a_check_without_steps_only_opens_the_code(server: Server) -> None:
    found = check(server, SOURCE)
    assert (found["is_usable"], found["calls"]) == (True, 0)
    assert check(server, "import nothing_like_this\n" + SOURCE)["remarks"][0]["line"] == 1
    assert check(server, "def reward(:")["remarks"][0]["line"] == 1


def test_an_environment_that_does_not_exist_is_named(server: Server) -> None:
    answer = server.client.post("/api/rewards/check", json={"source": SOURCE, "env_id": "CartPol-v1"})
    assert answer.status_code == 422
    assert "CartPole-v1" in answer.json()["detail"]


def test_evaluation_code_has_the_same_addresses(server: Server) -> None:
    source = "def evaluate(episode):\n    return {'steps': episode.length}\n"
    body = {"name": "steps", "source": source}
    assert server.client.post("/api/evaluation-codes", json=body).status_code == 201
    body = {"source": source, "env_id": "CartPole-v1"}
    found = server.client.post("/api/evaluation-codes/check", json=body, timeout=120).json()
    assert (found["is_usable"], found["terms"]) == (True, ["steps"])
    assert found["calls"] > 1


def test_the_command_line_saves_a_file_once_and_trains_with_it(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "typed reward.py"
    file.write_text(SOURCE + "# typed\n")
    words = (
        "train",
        "CartPole-v1",
        "--runner",
        "turbo",
        "-n",
        "600",
        "--evaluate",
        "0",
        "--reward",
        str(file),
    )
    first = command(server.home, *words)
    assert first.returncode == 0, first.stderr
    assert "as typed reward@v1" in first.stderr
    assert "typed reward@v1 works on 1,000 steps of CartPole-v1." in first.stderr
    assert "of this training's speed" in first.stderr
    second = command(server.home, *words, "--detach")
    assert "is typed reward@v1" in second.stderr
    shown = command(server.home, "rewards", "show", "typed reward")
    assert shown.stdout == file.read_text()


def test_the_command_line_lists_examples_and_prints_one_that_can_be_saved(
    server: Server, tmp_path: Path
) -> None:
    assert "mountain_car_shaping" in command(server.home, "rewards", "examples").stdout
    file = tmp_path / "from_example.py"
    file.write_text(command(server.home, "rewards", "examples", "mountain").stdout)
    assert command(server.home, "rewards", "save", str(file)).returncode == 0
    missing = command(server.home, "rewards", "examples", "nothing")
    assert missing.returncode != 0
    assert "mountain_car_shaping" in missing.stderr


def test_the_command_line_shows_errors_as_a_compiler_does(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "wrong.py"
    file.write_text("def reward_function(obs)\n    return 1\n")
    done = command(server.home, "rewards", "save", str(file))
    assert done.returncode == 2
    assert f"{file}:1: error: Syntax error" in done.stderr
    assert "    def reward_function(obs)" in done.stderr
    file.write_text("def reward_function(obs):\n    return None\n")
    done = command(server.home, "rewards", "check", str(file), "--env", "CartPole-v1")
    assert done.returncode == 1
    assert f"{file}:1: error: It returned None" in done.stderr


def test_the_configuration_of_a_run_brings_its_reward_to_another_lab(
    server: Server, trained: dict[str, Any], tmp_path: Path
) -> None:
    """The folder of a run has config.json and reward.py; here a lab that no longer has the reward."""
    folder = server.home / "runs" / trained["id"]
    config = json.loads((folder / "config.json").read_text())
    config["reward"] = {"name": "elsewhere", "version": 4, "sha256": "0" * 64}
    answer = server.client.post("/api/runs", json=config)
    assert answer.status_code == 422
    assert "no reward “elsewhere”" in answer.json()["detail"]
    copy = tmp_path / "run"
    copy.mkdir()
    source = SOURCE + "# from elsewhere\n"
    config["reward"]["sha256"] = hashlib.sha256(source.encode()).hexdigest()
    (copy / "config.json").write_text(json.dumps(config))
    (copy / "reward.py").write_text(source)
    done = command(server.home, "train", "--config", str(copy / "config.json"), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["config"]["reward"]["name"] == "elsewhere"
