"""TensorBoard beside the lab: started through the API, shows the runs' own numbers, ends when it should."""

from __future__ import annotations

import os
import re
import signal
import subprocess
from pathlib import Path

import httpx2
import psutil
import pytest
from support.server import COMMAND, Server, command, environment, serve
from support.tensorboards import open_board, shown_points, shown_tags, wait_for_state
from support.waiting import DEADLINE_S, wait_until
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def _finished(server: Server, **wanted: object) -> str:
    run_id = str(server.create(**wanted, start=True)["id"])
    server.wait(run_id, "succeeded")
    return run_id


def _tensorboards_of(server: Server) -> list[psutil.Process]:
    children = psutil.Process(server.process.pid).children(recursive=True)
    return [child for child in children if "rl_lab.worker.tensorboard" in child.cmdline()]


def test_every_series_of_a_run_is_exported_with_steps_and_times(shared_server: Server) -> None:
    run_id = _finished(shared_server)
    answer = shared_server.client.post(f"/api/runs/{run_id}/tensorboard")
    assert answer.status_code == 201 and answer.json()["kind"] == "tensorboard"
    folder = shared_server.home / "runs" / run_id / answer.json()["path"]
    accumulator = EventAccumulator(str(folder), size_guidance={"scalars": 0})
    accumulator.Reload()
    answer = shared_server.client.get(f"/api/runs/{run_id}/metrics", params={"points": 20000})
    series = answer.json()["series"]
    assert set(accumulator.Tags()["scalars"]) == set(series)
    shown, stored = accumulator.Scalars("mean_reward"), series["mean_reward"]
    assert [point.step for point in shown] == stored["step"]
    assert [point.wall_time for point in shown] == pytest.approx(stored["time"])
    assert [point.value for point in shown] == pytest.approx(stored["value"])
    assert "hyperparameters/text_summary" in accumulator.Tags()["tensors"]
    assert shared_server.client.get(f"/api/runs/{run_id}/tensorboard").json()["exists"] is True


def test_one_tensorboard_per_set_of_runs_shows_them_and_is_stopped(shared_server: Server) -> None:
    first, second = _finished(shared_server, name="first/../run"), _finished(shared_server, name="second")
    board = open_board(shared_server, first)
    both = open_board(shared_server, second, first)
    assert board["state"] == "starting" and board["id"] != both["id"]
    assert open_board(shared_server, first, second)["id"] == both["id"]
    ready = [wait_for_state(shared_server, b["id"], "ready") for b in (board, both)]
    assert set(shown_tags(ready[0]["url"])) == {"first_.._run"}
    shown = shown_tags(ready[1]["url"], runs=2)
    assert set(shown) == {"first_.._run", "second"} and "mean_reward" in shown["second"]
    assert {b["id"] for b in shared_server.client.get("/api/tensorboards").json()} >= {
        board["id"],
        both["id"],
    }
    for one in ready:
        stopped = shared_server.client.delete(f"/api/tensorboards/{one['id']}").json()
        assert stopped["state"] == "stopped" and stopped["url"] is None
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(one["url"], trust_env=False)


def test_tensorboard_answers_only_who_knows_its_address(shared_server: Server) -> None:
    board = open_board(shared_server, _finished(shared_server))
    url = wait_for_state(shared_server, board["id"], "ready")["url"]
    assert url.startswith("http://127.0.0.1:")
    root = re.sub(r"(:\d+/).*", r"\1", url)
    for path in ("", "data/runs", "data/logdir"):
        assert httpx2.get(root + path, trust_env=False).status_code == 404
    assert httpx2.get(url, trust_env=False).status_code == 200
    (process,) = _tensorboards_of(shared_server)
    assert url.split("/")[3] not in " ".join(process.cmdline())
    shared_server.client.delete(f"/api/tensorboards/{board['id']}")


def newest_step(url: str, run: str) -> float:
    return max(point[1] for point in shown_points(url, run, "mean_reward"))


def test_a_run_that_goes_on_is_shown_live(shared_server: Server) -> None:
    run = shared_server.create(
        name="live", start=True, total_timesteps=10**6, params={"steps_per_second": 500}
    )
    shared_server.wait(run["id"], "running")
    url = wait_for_state(shared_server, open_board(shared_server, run["id"])["id"], "ready")["url"]
    shown_tags(url)
    before = newest_step(url, "live")
    wait_until(lambda: newest_step(url, "live") > before, "a new point")
    shared_server.client.post(f"/api/runs/{run['id']}/stop")
    shared_server.wait(run["id"], "stopped")


def test_a_killed_tensorboard_is_explained_and_can_be_opened_again(shared_server: Server) -> None:
    run_id = _finished(shared_server)
    for board in shared_server.client.get("/api/tensorboards").json():
        shared_server.client.delete(f"/api/tensorboards/{board['id']}")
    board = wait_for_state(shared_server, open_board(shared_server, run_id)["id"], "ready")
    (process,) = _tensorboards_of(shared_server)
    process.send_signal(signal.SIGKILL)
    failed = wait_for_state(shared_server, board["id"], "failed")
    assert "killed by signal 9 (SIGKILL)" in failed["message"] and failed["next_step"] == "Open it again."
    again = open_board(shared_server, run_id)
    assert again["id"] != board["id"]
    wait_for_state(shared_server, again["id"], "ready")
    shared_server.client.delete(f"/api/tensorboards/{again['id']}")


def test_a_bad_request_for_a_tensorboard_is_answered_in_words(shared_server: Server) -> None:
    post = shared_server.client.post
    assert post("/api/tensorboards", json={"run_ids": []}).status_code == 422
    assert post("/api/tensorboards", json={"run_ids": ["../../etc"]}).status_code == 422
    assert post("/api/tensorboards", json={"run_ids": ["0" * 12]}).status_code == 404
    assert shared_server.client.get("/api/tensorboards/000000000000").status_code == 404
    waiting = shared_server.create()
    offer = shared_server.client.get(f"/api/runs/{waiting['id']}/tensorboard").json()
    assert offer["can_open"] is False and "has not started" in offer["reason"]


def test_an_idle_tensorboard_stops_and_says_so(home: Path) -> None:
    with serve(home, RL_LAB_TENSORBOARD_IDLE_S="5") as server:
        board = open_board(server, _finished(server))
        wait_for_state(server, board["id"], "ready")
        (process,) = _tensorboards_of(server)
        stopped = wait_for_state(server, board["id"], "stopped")
        assert stopped["message"] == "It was not used for 5 s."
        process.wait(DEADLINE_S)
        server.client.delete(f"/api/tensorboards/{board['id']}")  # waits until it is tidied up
        assert list((home / "cache" / "tensorboards").iterdir()) == []


def test_a_lab_that_is_killed_leaves_no_tensorboard_behind(home: Path) -> None:
    with serve(home) as server:
        wait_for_state(server, open_board(server, _finished(server))["id"], "ready")
        (process,) = _tensorboards_of(server)
        server.process.kill()
        process.wait(DEADLINE_S)
    (left,) = (home / "cache" / "tensorboards").iterdir()
    with serve(home) as server:
        wait_for_state(server, open_board(server, _finished(server))["id"], "ready")
        assert not left.exists()


def test_a_lab_without_tensorboard_says_how_to_get_it(home: Path, tmp_path: Path) -> None:
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "sitecustomize.py").write_text("import sys\nsys.modules['tensorboard'] = None\n")
    with serve(home, PYTHONPATH=str(hidden)) as server:
        run_id = _finished(server)
        offer = server.client.get(f"/api/runs/{run_id}/tensorboard").json()
        assert offer["can_open"] is False and offer["next_step"] == "pip install 'rl-lab[scripts]'"
        refused = server.client.post("/api/tensorboards", json={"run_ids": [run_id]})
        assert refused.status_code == 409 and refused.json()["next_step"] == offer["next_step"]
        assert server.client.post(f"/api/runs/{run_id}/tensorboard").status_code == 201


def test_a_tensorboard_that_cannot_start_is_explained_with_its_last_words(home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken" / "tensorboard"
    broken.mkdir(parents=True)
    (broken / "__init__.py").write_text("raise RuntimeError('protobuf is too old')\n")
    with serve(home, PYTHONPATH=str(broken.parent)) as server:
        board = wait_for_state(server, open_board(server, _finished(server))["id"], "failed")
        assert "exit code 1" in board["message"] and "protobuf is too old" in board["message"]


def test_the_command_opens_tensorboard_until_it_is_interrupted(home: Path) -> None:
    run = command(home, "train", "CartPole-v1", "-a", "toy", "--runner", "fake", "--timesteps", "2000")
    assert run.returncode == 0, run.stderr
    process = subprocess.Popen(
        [*COMMAND, "tensorboard", "latest"], env=environment(home), stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        url = process.stdout.readline().removeprefix("TensorBoard: ").strip()
        assert "mean_reward" in next(iter(shown_tags(url).values()))
        os.kill(process.pid, signal.SIGINT)
        assert process.wait(DEADLINE_S) == 0
        with pytest.raises(httpx2.ConnectError):
            httpx2.get(url, trust_env=False)
    finally:
        process.kill()
        process.communicate()


def test_the_command_exports_event_files_to_a_folder(home: Path, tmp_path: Path) -> None:
    command(home, "train", "CartPole-v1", "-a", "toy", "--runner", "fake", "--timesteps", "2000")
    said = command(home, "export", "latest", "--format", "tensorboard", "--output", str(tmp_path / "out"))
    assert said.returncode == 0, said.stderr
    accumulator = EventAccumulator(str(tmp_path / "out"))
    accumulator.Reload()
    assert "mean_reward" in accumulator.Tags()["scalars"]
