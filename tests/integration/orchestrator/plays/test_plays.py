"""Plays over the real socket: who acts, what is recorded, who may play, and what survives a killed process."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from support.plays import PlayedLab
from support.server import command
from support.studio import decode, difference
from support.viewer import view
from support.waiting import wait_until

from rl_lab.orchestrator.viewing.recordings import read_recording
from rl_lab.store.telemetry import TelemetryReader
from rl_lab.worker.jobs.film_reel import END_S
from rl_lab.worker.rendering.simulation import Simulation

PRESSED = [1, 0, 1, 1, 0, 0, 1]


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedLab]:
    # Deeper than the address of a socket may be long.
    deep = tmp_path_factory.mktemp("plays") / ("a-long-way-down-" * 6)
    deep.mkdir()
    lab = PlayedLab(deep / "home")
    yield lab
    lab.close()


@pytest.fixture(scope="module")
def played(lab: PlayedLab) -> str:
    """A play with one episode that was cut off after `PRESSED`, and one that the pole ended."""
    run_id = lab.start()
    with lab.join(run_id) as player:
        assert player.role["role"] == "player"
        assert player.note("controls")["controls"]["keys"][0]["keys"] == ["ArrowLeft"]
        first = player.until(lambda header: True)
        assert (first["waiting"], first["seed"], first["who"]) == ("key", 3, None)
        last = player.act(*PRESSED)
        assert (last["step"], last["who"], last["return"]) == (7, "person", 7.0)
        assert player.tell("next")["seed"] == 4
        player.viewer.send("held", keys=["ArrowRight"], n=100)
        ended = player.until(lambda header: header["ended"])
        assert (ended["waiting"], ended["terminated"]) == ("next", True)
        player.n = 200
        assert player.tell("act", action=0)["problem"]["message"] == "The episode is over."
        lab.finish(player, run_id)
    return run_id


def test_what_was_pressed_is_recorded_and_comes_back(lab: PlayedLab, played: str) -> None:
    run = lab.server.client.get(f"/api/runs/{played}").json()
    cut, whole = lab.episodes(played)
    assert (run["kind"], run["env_id"], run["name"]) == (
        "play",
        "CartPole-v1",
        "Play of CartPole-v1 · seed 3",
    )
    assert (cut["length"], cut["truncated"], cut["seed"], cut["recorded"]) == (7, True, 3, True)
    assert (whole["terminated"], whole["seed"]) == (True, 4)
    result = run["summary"]["result"]
    assert (result["finished"], result["players"], result["returns"]) == (1, ["person"], [whole["reward"]])
    assert (result["terminated"], result["truncated"], result["length_mean"]) == (1, 0, whole["length"])
    assert (result["return_std"], result["return_ci"]) == (0.0, [None, None])
    table = lab.steps(played, 0)
    assert table["exact"] is True
    assert [step["action"] for step in table["steps"][1:]] == PRESSED
    assert {step["who"] for step in table["steps"][1:]} == {"person"}
    assert {step["action"] for step in lab.steps(played, 1)["steps"][1:]} == {1}
    with view(lab.server, f"/api/runs/{played}/episodes/0/replay") as viewer:
        assert viewer.next().header["who"] == [1] * 7
    scores = lab.server.client.get("/api/environments/CartPole-v1/scores").json()
    [people, hybrids, policies] = scores["groups"]
    assert [(one["rank"], one["episode"], one["return"]) for one in people["scores"]] == [
        (1, 1, whole["reward"])
    ]
    assert (hybrids["scores"], policies["scores"], scores["changed"]) == ([], [], [])
    assert scores["threshold"] == 475.0


def test_an_ended_play_is_not_played_on(lab: PlayedLab, played: str) -> None:
    with view(lab.server, f"/api/plays/{played}/socket") as viewer:
        assert "This play has ended" in viewer.error()["message"]


def test_a_moment_is_taken_over_bit_by_bit(lab: PlayedLab, played: str) -> None:
    recorded = lab.steps(played, 0)["steps"]
    run_id = lab.start(env_id=None, start={"run_id": played, "episode": 0, "step": 3})
    with lab.join(run_id) as player:
        taken = player.until(lambda header: True)
        assert (taken["step"], taken["taken_over_at"], taken["seed"]) == (3, 3, 3)
        assert taken["observation"] == recorded[3]["observation"]
        assert player.act(*PRESSED[3:])["observation"] == recorded[7]["observation"]
        again = player.tell("restart")
        assert (again["step"], again["observation"]) == (3, recorded[3]["observation"])
        player.act(1)
        lab.finish(player, run_id)
    assert [one["length"] for one in lab.episodes(run_id)] == [7, 4]
    late = lab.server.client.post("/api/plays", json={"start": {"run_id": played, "episode": 0, "step": 7}})
    assert late.status_code == 422
    assert "cannot be taken over at 7" in late.json()["detail"]


def test_an_episode_of_a_dataset_is_taken_over_in_its_exact_version(lab: PlayedLab, played: str) -> None:
    client = lab.server.client
    operation = {"do": "make", "name": "pressed", "choose": {"runs": [played], "kinds": ["play"]}}
    job = client.post("/api/datasets/jobs", json={"operation": operation}).json()
    assert lab.server.wait(job["id"], "succeeded", "failed")["status"] == "succeeded"
    run_id = lab.start(env_id=None, start={"dataset": {"name": "pressed"}, "episode": 0, "step": 3})
    with lab.join(run_id) as player:
        taken = player.until(lambda header: True)
        assert taken["taken_over_at"] == 3
        assert taken["observation"] == lab.steps(played, 0)["steps"][3]["observation"]
        config = lab.finish(player, run_id)["config"]
    version = client.get("/api/datasets/pressed/versions/1").json()
    assert config["start"]["dataset"] == {name: version[name] for name in ("name", "version", "sha256")}
    for start, said in (
        ({"dataset": {"name": "pressed"}, "episode": 9, "step": 0}, "no episode 9"),
        ({"dataset": {"name": "nothing"}, "episode": 0, "step": 0}, "There is no dataset “nothing”"),
        ({"dataset": {"name": "pressed", "version": 7}, "episode": 0, "step": 0}, "has no version 7"),
        ({"episode": 0, "step": 0}, "either the run or the dataset"),
    ):
        refused = client.post("/api/plays", json={"start": start})
        assert refused.status_code >= 400
        assert said in refused.text
    played_on = command(
        lab.server.home, "play", "--from-dataset", "pressed", "--actions", str(one_action(lab))
    )
    assert played_on.returncode == 0, played_on.stderr


def one_action(lab: PlayedLab) -> Path:
    file = lab.server.home / "actions.jsonl"
    file.write_text("1\n")
    return file


def test_a_play_that_was_taken_over_is_filmed_while_it_runs(lab: PlayedLab, played: str) -> None:
    client = lab.server.client
    run_id = lab.start(env_id=None, start={"run_id": played, "episode": 0, "step": 3})
    films = f"/api/runs/{run_id}/films"
    with lab.join(run_id) as player:
        player.until(lambda header: True)
        early = client.post(films, json={})
        assert early.status_code == 409
        assert "nothing to film" in early.json()["detail"]
        player.act(1, 1)
        player.tell("restart")
        wait_until(lambda: lab.episodes(run_id), "the first episode is recorded")
        for wanted, said in [({"show": "checkpoints"}, "no checkpoints"), ({"seed": 1}, "own seeds")]:
            refused = client.post(films, json=wanted)
            assert refused.status_code == 422
            assert said in refused.json()["detail"]
        made = client.post(films, json={"seconds_per_scene": 1})
        assert made.status_code == 202, made.text
        job = lab.server.wait(made.json()["id"], "succeeded")
        lab.finish(player, run_id)
    assert [(one["episode"], one["return"]) for one in job["summary"]["result"]["scenes"]] == [(0, 5.0)]
    assert (job["parent_id"], job["name"]) == (
        run_id,
        "Film of Play of CartPole-v1 · from step 3 of episode 0",
    )
    film = decode(lab.server.home / "runs" / job["id"] / "film.mp4")
    simulation = Simulation(read_recording(lab.server.home, run_id, 0))
    simulation.advance_to(5)
    last = simulation.frame()
    simulation.close()
    shown = film.frames[-round(END_S * film.fps) - 3][: last.shape[0]]
    assert difference(shown, last) < 2
    events = client.get(f"/api/runs/{job['id']}/events", params={"limit": 200}).json()["items"]
    assert "scene_differs" not in {event["type"] for event in events}, "it came back as it was played"


def test_modes_seats_and_rubbish(lab: PlayedLab) -> None:
    run_id = lab.start(mode="hybrid")
    with lab.join(run_id) as player:
        player.until(lambda header: header["step"] > 2 and header["who"] == "agent")
        before = player.tell("restart", seed=11)
        before = player.tell("pause")
        player.viewer.send("held", keys=["ArrowRight"])
        mine = player.tell("step")
        assert (mine["who"], mine["action"], mine["step"]) == ("person", 1, before["step"] + 1)
        player.viewer.send("held", keys=[])
        assert player.tell("step")["who"] == "agent"
        last = player.tell("mode", mode="human")
        for message, said in [
            ({"op": "act", "action": 7}, "outside"),
            ({"op": "act", "action": [1.5]}, "whole number"),
            ({"op": "speed", "speed": 9}, "speed"),
            ({"op": "policy", "run_id": "1h5w2k0p7q3x"}, "no run"),
            ({"op": "nonsense"}, "not understood"),
        ]:
            refused = player.tell(**message)
            assert said in refused["problem"]["message"], refused["problem"]
            assert refused["step"] == last["step"]
        with lab.join(run_id) as second:
            assert (second.role["role"], second.role["is_free"]) == ("watcher", False)
            second.viewer.send("act", action=1)
            assert "Somebody plays already" in second.note("role")["message"]
            player.tell("pause")
            player.viewer.send("held", keys=["ArrowLeft"])
            player.viewer.close()
            assert second.note("role")["is_free"] is True
            second.viewer.send("pause")
            assert second.note("role")["role"] == "player"
            # The first player's key is not held any more: the cart was not pushed on.
            alone = second.tell("step")
            assert (alone["step"], alone["seed"]) == (last["step"] + 1, 11)
            assert second.tell("speed", speed=0.5)["speed"] == 0.5
            run = lab.finish(second, run_id)
    assert run["summary"]["result"]["by_person"] >= 2


def test_a_killed_lab_loses_no_step_and_the_same_play_goes_on(lab: PlayedLab) -> None:
    run_id = lab.start()
    with lab.join(run_id) as player:
        player.act(*PRESSED[:4])
        lab.kill_and_restart()
    with lab.join(run_id) as player:
        assert player.until(lambda header: True)["step"] == 4
        player.act(*PRESSED[4:])
        lab.finish(player, run_id)
    table = lab.steps(run_id, 0)
    assert [step["action"] for step in table["steps"][1:]] == PRESSED
    assert table["exact"] is True


def test_a_killed_worker_keeps_its_episode(lab: PlayedLab) -> None:
    run_id = lab.start()
    folder = lab.server.home / "runs" / run_id

    def stored() -> int:
        with TelemetryReader(folder / "telemetry.db", run_id) as telemetry:
            found = telemetry.live()
        return found.count if found is not None else 0

    with lab.join(run_id) as player:
        player.act(*PRESSED)
        wait_until(lambda: stored() == len(PRESSED), "the steps in the journal")
        os.kill(_worker_of(folder), signal.SIGKILL)
        ended = lab.server.wait(run_id, "failed")
    assert ended["allowed"] == [] and "What was played is kept" in ended["reason"]["next_step"]
    resumed = lab.server.client.post(f"/api/runs/{run_id}/resume", json={})
    assert resumed.status_code == 409 and "its episodes are kept" in resumed.json()["detail"]
    (kept,) = lab.episodes(run_id)
    assert (kept["length"], kept["truncated"], kept["recorded"]) == (7, True, True)
    assert {step["who"] for step in lab.steps(run_id, 0)["steps"][1:]} == {"person"}


def _worker_of(folder: Path) -> int:
    """The process that works on the run."""
    job = str(folder / "attempts" / "1" / "job.json")
    for process in psutil.process_iter(["pid", "cmdline"]):
        words = process.info["cmdline"] or []
        if "rl_lab.worker" in words and job in words:
            return int(process.info["pid"])
    raise AssertionError("the play has no worker")


def test_keys_are_chosen_and_reset(lab: PlayedLab) -> None:
    client, address = lab.server.client, "/api/environments/FrozenLake-v1/controls"
    own = client.get(address).json()
    assert (own["source"], own["rest"]) == ("lab", None)
    mine = {"kind": "discrete", "keys": [{"keys": ["KeyX"], "action": 2}], "rest": None}
    assert client.put(address, json=mine).json()["source"] == "user"
    assert client.get(address).json()["keys"][0]["keys"] == ["KeyX"]
    wrong = client.put(address, json={**mine, "keys": [{"keys": ["KeyX"], "action": 4}]})
    assert (wrong.status_code, "no action 4" in wrong.json()["detail"]) == (422, True)
    for field, value in {"rest": 9, "buttons": [0, -1, 9]}.items():
        [error] = client.put(address, json={**mine, field: value}).json()["errors"]
        assert (error["field"], "no action 9" in error["message"]) == (field, True)
    run_id = lab.start(env_id="FrozenLake-v1")
    with lab.join(run_id) as player:
        # One step for each press, however long the key is held.
        for keys in ([], ["KeyX"], ["KeyX"], [], ["KeyX"]):
            player.viewer.send("held", keys=keys)
        assert player.tell("pause")["step"] == 2
        lab.finish(player, run_id)
    assert client.delete(address).json()["source"] == "lab"


def test_a_play_is_a_side_of_a_duel_on_its_own_seeds(lab: PlayedLab, played: str) -> None:
    client, whole = lab.server.client, lab.episodes(played)[1]
    body = {"contestants": [{"run_id": played}, {"run_id": played}], "record": False}
    duel = client.post("/api/duels", json=body).json()
    result = lab.server.wait(duel["id"], "succeeded")["summary"]["result"]
    assert (result["seeds"], result["env_id"]) == ([4], "CartPole-v1")
    assert [side["summary"]["returns"] for side in result["sides"]] == [[whole["reward"]]] * 2
    assert result["differences"][0]["ties"] == 1
    contestants = [{"run_id": played, "checkpoint": "x"}, {"run_id": played}]
    wrong = client.post("/api/duels", json={"contestants": contestants})
    assert "is a play, so it has no checkpoints" in wrong.json()["detail"]


def test_the_recorded_episodes_of_a_play_are_evaluated(lab: PlayedLab, played: str) -> None:
    client, whole = lab.server.client, lab.episodes(played)[1]
    address = f"/api/runs/{played}/evaluations"
    for asked in ({"seeds": [1]}, {"fresh_seeds": True}, {"deterministic": False}):
        refused = client.post(address, json=asked)
        assert (refused.status_code, "is a play" in refused.json()["detail"]) == (422, True)
    protocol = {"name": "strict", "episodes": 50, "threshold": 400.0}
    assert client.post("/api/protocols", json=protocol).status_code == 201
    other = {"name": "elsewhere", "env_id": "Acrobot-v1"}
    assert client.post("/api/protocols", json=other).status_code == 201
    assert "is for Acrobot-v1" in client.post(address, json={"protocol": "elsewhere"}).json()["detail"]
    made = client.post(address, json={"protocol": "strict", "record": False}).json()
    result = lab.server.wait(made["id"], "succeeded")["summary"]["result"]
    assert (result["returns"], result["seeds"], result["lengths"]) == (
        [whole["reward"]],
        [4],
        [whole["length"]],
    )
    assert result["played"] == {
        "steps": whole["length"],
        "by_person": whole["length"],
        "players": ["person"],
    }
    assert result["protocol"]["text"] == "protocol strict@v1 on 1 recorded episode of a play"
    assert (result["protocol"]["name"], result["verdict"]["passed"]) == (None, False)
    assert [step["action"] for step in lab.steps(made["id"], 0)["steps"]] == [
        step["action"] for step in lab.steps(played, 1)["steps"]
    ]
    assert [one["run_id"] for one in client.get(address).json()] == [made["id"]]
    done = command(lab.server.home, "evaluate", played, "--episodes", "1")
    assert done.returncode == 0, done.stderr
    assert "the episodes of a play, as they were played" in done.stdout
    policies = client.get("/api/environments/CartPole-v1/scores", params={"player": "policy"}).json()
    assert policies["groups"] == [{"player": "policy", "scores": []}], "it is the person's score"


def test_the_command_plays_actions_of_a_file(lab: PlayedLab, tmp_path: Path) -> None:
    file = tmp_path / "actions.txt"
    file.write_text("\n".join(map(str, PRESSED)))
    done = command(lab.server.home, "play", "CartPole-v1", "--actions", str(file), "--seed", "6", "--json")
    assert done.returncode == 0, done.stderr
    run = json.loads(done.stdout)
    assert run["summary"]["result"]["by_person"] == len(PRESSED)
    assert [step["action"] for step in lab.steps(run["id"], 0)["steps"][1:]] == PRESSED
    unfinished = command(lab.server.home, "duel", run["id"], run["id"])
    assert (unfinished.returncode, "no finished episode to compare" in unfinished.stderr) == (1, True)
    unmeasured = command(lab.server.home, "evaluate", run["id"])
    assert (unmeasured.returncode, "no finished episode to measure" in unmeasured.stderr) == (1, True)
    file.write_text("1\n\nleft\n")
    refused = command(lab.server.home, "play", "CartPole-v1", "--actions", str(file))
    assert (refused.returncode, "Line 3 is not JSON" in refused.stderr) == (2, True)
    file.write_text("1\n0\n7\n")
    outside = command(lab.server.home, "play", "CartPole-v1", "--actions", str(file))
    assert outside.returncode == 2 and "Action 3 (7) was refused" in outside.stderr
    assert "The 2 actions before it were played and are kept." in outside.stderr
    assert "Nothing was played" not in outside.stderr
    assert "PERSON" in command(lab.server.home, "scores", "CartPole-v1").stdout
    nobody = command(lab.server.home, "scores", "CartPole-v1", "--player", "policy")
    assert "There is no such score" in nobody.stdout
    shown = command(lab.server.home, "show", run["id"]).stdout
    assert "CartPole-v1, seed 6, human: 0 of 1 episode finished" in shown
