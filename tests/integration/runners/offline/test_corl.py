"""Scripts of a CORL checkout as algorithms of a real lab: they learn from its datasets, unmodified."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from support.cleanrl import FINAL, agree_and_start, assert_replays, episodes_of
from support.corl import BARE, IMITATION, put_pendulum
from support.damage import flip_bit
from support.server import Server, command, serve
from support.waiting import DEADLINE_S

UPDATES = 40


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("lab") / "home"
    home.mkdir()
    with serve(home, RL_LAB_CORL=str(IMITATION)) as running:
        put_pendulum(home)
        put_pendulum(home, "discrete", action_space={"type": "Discrete", "n": 2, "start": 0})
        yield running


def wanted(algorithm: str, **changes: Any) -> dict[str, Any]:
    body = {"runner": "corl", "algorithm": algorithm, "dataset": {"name": "pendulum"}, "seed": 3}
    return {**body, "total_timesteps": UPDATES, "device": "cpu", "start": True, **changes}


@pytest.fixture(scope="module")
def trained(lab: Server) -> dict[str, Any]:
    body = wanted("td3_bc", params={"eval_freq": 20, "n_episodes": 2, "batch_size": 16})
    run = lab.wait(agree_and_start(lab, body), *FINAL)
    assert run["status"] == "succeeded", run["reason"]
    return run


def test_a_script_learns_from_a_dataset_and_counts_updates(lab: Server, trained: dict[str, Any]) -> None:
    assert trained["config"]["env_id"] == "Pendulum-v1"
    assert (trained["progress"]["timestep"], trained["progress"]["unit"]) == (UPDATES, "update")
    series = lab.client.get(f"/api/runs/{trained['id']}/metrics").json()["series"]
    assert {"critic_loss", "policy_loss", "d4rl_normalized_score"} <= set(series)
    assert series["normalised_score"]["step"] == series["evaluation/return_mean"]["step"] == [20, 40]
    assert series["normalised_score"]["value"] == pytest.approx(series["d4rl_normalized_score"]["value"])
    assert trained["summary"]["mean_reward"] == pytest.approx(series["evaluation/return_mean"]["value"][-1])
    assert "not D4RL's reference" in trained["summary"]["score_reference"]
    log = lab.client.get(f"/api/runs/{trained['id']}/events").text
    assert "not D4RL's reference" in log


def test_its_evaluations_are_recorded_with_the_update_they_belong_to(
    lab: Server, trained: dict[str, Any]
) -> None:
    rows = episodes_of(lab, trained)
    assert {row["role"] for row in rows} == {"evaluation"}
    assert sorted(row["timestep"] for row in rows) == [20, 20, 40, 40]
    assert {row["length"] for row in rows} == {200}
    for row in (rows[0], rows[-1]):
        assert_replays(lab, trained, row)
    best = lab.client.get(f"/api/runs/{trained['id']}/episodes/best").json()
    assert best["reward"] == max(row["reward"] for row in rows)
    environments = lab.client.get(f"/api/runs/{trained['id']}/environments").json()["items"]
    assert [(one["env_id"], one["role"]) for one in environments] == [("Pendulum-v1", "evaluation")]


def test_capture_changes_no_number_of_a_script(lab: Server, trained: dict[str, Any], tmp_path: Path) -> None:
    """The same weights as without the lab, with stand-ins made by hand."""
    files = lab.home / "runs" / trained["id"] / "files"
    script = IMITATION / "algorithms" / "offline" / "td3_bc.py"
    arguments = "--env pendulum --seed 3 --device cpu --max_timesteps 40 --eval_freq 20 --n_episodes 2"
    more = {"PYTHONPATH": str(BARE), "BARE_DATASET": str(lab.home / "datasets" / "pendulum" / "v1")}
    subprocess.run(
        [sys.executable, script, *arguments.split(), "--batch_size", "16", "--checkpoints_path", "."],
        cwd=tmp_path,
        env={**os.environ, **more, "OMP_NUM_THREADS": "1"},
        check=True,
        timeout=DEADLINE_S,
    )
    captured, bare = (
        torch.load(next(folder.rglob("checkpoint_39.pt")), weights_only=True) for folder in (files, tmp_path)
    )
    for name in ("actor", "critic"):
        assert all(torch.equal(captured[name][key], value) for key, value in bare[name].items())


def test_its_checkpoints_are_listed(lab: Server, trained: dict[str, Any]) -> None:
    found = lab.client.get(f"/api/runs/{trained['id']}/artifacts").json()
    paths = [one["path"] for one in (found["items"] if isinstance(found, dict) else found)]
    assert sum(path.endswith(("checkpoint_19.pt", "checkpoint_39.pt")) for path in paths) == 2
    assert any(path.startswith("checkpoints/") for path in paths)


def test_a_script_of_epochs_that_logs_no_step_counts_updates_too(lab: Server) -> None:
    run = lab.wait(agree_and_start(lab, wanted("sac_n", params={"num_updates_on_epoch": 20})), *FINAL)
    assert (run["status"], run["progress"]["timestep"]) == ("succeeded", UPDATES)
    points = lab.client.get(f"/api/runs/{run['id']}/metrics").json()["series"]["actor_loss"]
    assert points["step"] == [1, 11, 21, 31]
    log = (lab.home / "runs" / run["id"] / "attempts" / "1" / "log.txt").read_text()
    assert "3 episodes, largest action 2.0" in log


def test_what_cannot_be_learned_is_refused_before_it_starts(lab: Server) -> None:
    discrete = lab.client.post("/api/commands/preview", json=wanted("td3_bc", dataset={"name": "discrete"}))
    none = lab.client.post("/api/commands/preview", json=wanted("td3_bc", dataset=None))
    assert (discrete.status_code, none.status_code) == (422, 422)
    assert "continuous actions" in discrete.text
    assert "name one" in none.text


def test_no_script_learns_from_a_file_that_was_changed_without_changing_its_size(lab: Server) -> None:
    put_pendulum(lab.home, "bent")
    flip_bit(lab.home / "datasets" / "bent" / "v1" / "actions.npy")
    run = lab.wait(agree_and_start(lab, wanted("td3_bc", dataset={"name": "bent"})), *FINAL)
    assert (run["status"], run["reason"]["cause"], run["progress"]["timestep"]) == (
        "failed",
        "dataset-damaged",
        0,
    )
    assert "actions.npy does not have its checksum" in run["reason"]["message"]
    assert "rl-lab datasets check bent@v1" in run["reason"]["next_step"]


def test_wrappers_and_other_arguments_of_the_environment_are_refused_before_the_start(lab: Server) -> None:
    put_pendulum(lab.home, "wrapped", env_kwargs={"wrappers": [{"id": "time_limit", "steps": 50}]})
    refused = lab.client.post("/api/commands/preview", json=wanted("td3_bc", dataset={"name": "wrapped"}))
    assert refused.status_code == 422 and "were played with wrappers (time_limit)" in refused.text
    assert "The runner “offline” learns from this dataset." in refused.text
    refused = lab.client.post("/api/commands/preview", json=wanted("td3_bc", env_kwargs={"g": 5.0}))
    assert refused.status_code == 422 and "leave out g" in refused.text


def test_the_preview_promises_the_stand_ins_and_asks_for_approval(lab: Server) -> None:
    shown = lab.client.post("/api/commands/preview", json=wanted("td3_bc", params={"batch_size": 17})).json()
    assert (shown["problems"], shown["not_captured"], shown["interpreter"]["missing"]) == ([], [], [])
    assert shown["command"]["shown"][2:4] == ["--env", "pendulum"]
    assert str(lab.home / "datasets" / "pendulum" / "v1") in shown["command"]["reads"]


def test_the_command_line_names_the_runner_and_takes_its_checkout(lab: Server) -> None:
    listed = command(lab.home, "runners", "--root", str(IMITATION))
    assert f"root: {IMITATION}" in listed.stdout and "rebrac.py: it uses JAX" in listed.stdout
    refused = command(lab.home, "runners", "--root", str(lab.home))
    assert "not a CleanRL checkout" in refused.stderr and "not a CORL checkout" in refused.stderr
