"""Scripts of a checkout as algorithms of a real lab: asked for like any other, run as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from support.cleanrl import (
    FINAL,
    agree_and_start,
    assert_replays,
    episodes_of,
    find_runner,
    finished,
    make_checkout,
    metrics_of,
    wait_for_step,
    wanted,
)
from support.server import Server, command, serve


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_checkout(tmp_path_factory.mktemp("cleanrl"))


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory, checkout: Path) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("lab") / "home"
    home.mkdir()
    with serve(home, RL_LAB_CLEANRL=str(checkout)) as running:
        yield running


@pytest.fixture(scope="module")
def trained(lab: Server) -> dict[str, Any]:
    return finished(
        lab, wanted("ppo", total_timesteps=4096, params={"learning_rate": 0.004, "anneal_lr": False})
    )


def test_scripts_are_listed_with_the_parameters_of_their_own_text(lab: Server, checkout: Path) -> None:
    runner = find_runner(lab)
    assert (runner["ready"], runner["problems"], runner["root"]) == (True, [], str(checkout))
    algorithms = {one["id"]: one for one in runner["algorithms"]}
    assert set(algorithms) == {"ppo", "dqn_like", "reinforce_continuous_action", "old_random"}
    assert algorithms["dqn_like"]["params_schema"]["properties"]["learning_starts"]["default"] == 200
    assert algorithms["reinforce_continuous_action"]["action_kinds"] == ["continuous"]
    assert [p["total_timesteps"] for p in algorithms["ppo"]["presets"]] == [40_000, 40_000]
    assert "broken.py" in runner["notes"][0]


def test_a_script_is_shown_and_agreed_to_before_it_runs(lab: Server, checkout: Path) -> None:
    body = wanted("ppo", params={"num_envs": 3})
    refused = lab.client.post("/api/runs", json=body)
    shown = lab.client.post("/api/commands/preview", json=body).json()
    assert (refused.status_code, refused.json()["type"]) == (428, "urn:rl-lab:consent-needed")
    assert shown["command"]["shown"][1:] == [
        str(checkout / "cleanrl" / "ppo.py"),
        "--env-id",
        "CartPole-v1",
        "--seed",
        "1",
        "--total-timesteps",
        "2000",
        "--num-envs",
        "3",
    ]
    assert shown["problems"] == []


def test_a_wrong_value_is_refused_by_the_scripts_own_types(lab: Server) -> None:
    answer = lab.client.post("/api/runs", json=wanted("dqn_like", params={"loss": "l1", "gama": 0.9}))
    assert answer.status_code == 422
    assert {e["field"] for e in answer.json()["errors"]} == {"params.loss", "params.gama"}
    assert "Did you mean gamma" in answer.text


def test_an_environment_with_other_actions_is_refused(lab: Server) -> None:
    answer = lab.client.post("/api/runs", json=wanted("ppo", env_id="Pendulum-v1"))
    assert answer.status_code == 422
    assert "needs discrete actions" in answer.text


def test_an_older_environment_is_taken_and_a_misspelt_one_refused(lab: Server) -> None:
    older = lab.client.post("/api/commands/preview", json=wanted("ppo", env_id="CartPole-v0"))
    assert (older.status_code, older.json()["command"]["shown"][3]) == (200, "CartPole-v0")
    misspelt = lab.client.post("/api/commands/preview", json=wanted("ppo", env_id="CartPol-v1"))
    assert misspelt.status_code == 422
    assert "Did you mean CartPole-v1" in misspelt.text


def test_a_script_gives_episodes_metrics_and_a_checkpoint(lab: Server, trained: dict[str, Any]) -> None:
    rows = episodes_of(lab, trained)
    assert len(rows) > 20
    assert trained["progress"]["timestep"] == 4096
    assert {"value_loss", "learning_rate", "entropy"} <= metrics_of(lab, trained)
    saved = sorted((lab.home / "runs" / trained["id"] / "checkpoints").glob("*.pt"))
    state = torch.load(saved[-1], weights_only=True)
    assert "actor.0.weight" in state["modules"]["agent"]
    assert state["optimizers"]["optimizer"]["param_groups"][0]["lr"] == pytest.approx(0.004)


def test_its_episodes_replay_move_by_move(lab: Server, trained: dict[str, Any]) -> None:
    rows = [row for row in episodes_of(lab, trained) if row["recorded"]]
    assert len(rows) > 20
    for row in (rows[0], rows[len(rows) // 2], rows[-1]):
        assert_replays(lab, trained, row)


def test_episodes_the_script_saw_itself_are_those_the_lab_saw(lab: Server, trained: dict[str, Any]) -> None:
    """On Gymnasium 1.x the script's own `final_info` would stay empty without the compatibility layer."""
    log = (lab.home / "runs" / trained["id"] / "attempts" / "1" / "log.txt").read_text()
    printed = [
        float(line.rpartition("=")[2].strip("[]")) for line in log.splitlines() if "episodic_return=" in line
    ]
    rows = sorted(episodes_of(lab, trained), key=lambda row: row["episode"])
    assert printed == [row["reward"] for row in rows]


def test_a_script_with_modules_of_the_checkout_learns(lab: Server) -> None:
    run = finished(lab, wanted("dqn_like", total_timesteps=1500, params={"hidden": [16], "loss": "huber"}))
    assert len(episodes_of(lab, run)) > 10
    assert "losses/td_loss" in metrics_of(lab, run)


def test_a_script_for_continuous_actions_learns_and_replays(lab: Server) -> None:
    run = finished(lab, wanted("reinforce_continuous_action", env_id="Pendulum-v1", total_timesteps=900))
    rows = episodes_of(lab, run)
    assert [row["length"] for row in rows] == [200] * 4
    assert_replays(lab, run, rows[-1])


def test_a_script_of_the_older_style_plays(lab: Server) -> None:
    run = finished(lab, wanted("old_random", total_timesteps=400, params={"is_loud": False, "twice": True}))
    assert np.mean([row["length"] for row in episodes_of(lab, run)]) > 5


def test_weights_and_biases_need_no_account(lab: Server) -> None:
    run = finished(lab, wanted("ppo", total_timesteps=512, params={"track": True, "wandb_entity": "nobody"}))
    assert "value_loss" in metrics_of(lab, run)


def test_a_stop_keeps_what_was_learned(lab: Server) -> None:
    run_id = agree_and_start(lab, wanted("ppo", total_timesteps=10_000_000))
    lab.wait(run_id, "running")
    wait_for_step(lab, run_id, 500)
    lab.client.post(f"/api/runs/{run_id}/stop")
    run = lab.wait(run_id, *FINAL)
    assert (run["status"], run["reason"]["cause"]) == ("stopped", "stopped")
    saved = sorted((lab.home / "runs" / run_id / "checkpoints").glob("*.pt"))
    assert "agent" in torch.load(saved[-1], weights_only=True)["modules"]


def test_what_a_script_cannot_do_is_refused_in_words(lab: Server) -> None:
    for field, value in (("env_kwargs", {"sutton_barto_reward": True}), ("until", "solved")):
        answer = lab.client.post("/api/runs", json=wanted("ppo", **{field: value}))
        assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, field)


def test_without_a_checkout_the_runner_says_how_to_get_one(server: Server) -> None:
    runner = find_runner(server)
    assert (runner["ready"], runner["algorithms"], runner["root"]) == (False, [], None)
    assert "git clone https://github.com/vwxyzjn/cleanrl" in runner["problems"][0]["remedy"]
    answer = server.client.post("/api/runs", json=wanted("ppo"))
    assert (answer.status_code, answer.json()["type"]) == (409, "urn:rl-lab:not-ready")
    assert "git clone" in answer.json()["next_step"]


def test_a_folder_told_once_is_remembered_and_a_wrong_one_refused(tmp_path: Path, home: Path) -> None:
    root = make_checkout(tmp_path)
    with serve(home) as server:
        for wrong, words in (
            (tmp_path / "nowhere", "There is no folder"),
            (tmp_path, "not a CleanRL checkout"),
            (root / "cleanrl", f"use its parent, {root}"),
            ("here", "absolute path"),
            ("~nobody/x", "absolute path"),
            ("/" + "x" * 300, "cannot be read"),
        ):
            refused = server.client.put("/api/runners/cleanrl/root", json={"path": str(wrong)})
            assert refused.status_code == 422
            assert words in refused.text
        assert server.client.put("/api/runners/sb3/root", json={"path": str(root)}).status_code == 422
        told = server.client.put("/api/runners/cleanrl/root", json={"path": str(root)})
        assert (told.status_code, told.json()["ready"]) == (200, True)
    with serve(home) as server:
        assert find_runner(server)["root"] == str(root)
        (root / "cleanrl" / "ppo.py").unlink()
        assert "ppo" not in {one["id"] for one in find_runner(server)["algorithms"]}


def test_the_command_trains_with_a_checkout_it_is_told(tmp_path: Path, home: Path) -> None:
    root = make_checkout(tmp_path)
    done = command(
        home,
        "train",
        "CartPole-v1",
        "--runner",
        "cleanrl",
        "-a",
        "ppo",
        "--root",
        str(root),
        "-n",
        "600",
        "--set",
        "learning-rate=0.01",
        "--yes",
    )
    assert done.returncode == 0, done.stderr
    listed = command(home, "runners").stdout
    assert f"root: {root}" in listed
    assert "note: 1 file is not offered: cleanrl/broken.py" in listed
