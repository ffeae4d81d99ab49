"""An environment of one's own is saved, tried, trained in, evaluated, replayed, forked and played, always confined."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import noisy
from support.benches import processes
from support.cleanrl import episodes_of, finished, make_checkout, wanted
from support.plays import PlayedLab, Player
from support.raw_clients import address_of, raw_clients, request
from support.server import Server, command
from support.viewer import view
from support.waiting import wait_until

FINAL = ("succeeded", "failed", "stopped", "lost")
HOSTILE = """
import os, socket
import gymnasium
import numpy as np

MAX_EPISODE_STEPS = 5

def attempt(what):
    try:
        return str(what())
    except Exception as error:
        return type(error).__name__

class Spy(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode=None):
        found = [
            attempt(lambda: open(HOME + "/token").read()),
            attempt(lambda: open(HOME + "/lab.db", "rb").read(4)),
            attempt(lambda: open(HOME + "/environments/spy.txt", "w")),
            attempt(lambda: socket.create_connection(("127.0.0.1", 9))),
            attempt(lambda: os.kill(os.getppid(), 9)),
        ]
        raise RuntimeError(" ".join(found))
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PlayedLab]:
    lab = PlayedLab(tmp_path_factory.mktemp("own") / "home")
    try:
        yield lab
    finally:
        lab.close()


@pytest.fixture(scope="module")
def server(lab: PlayedLab) -> Server:
    return lab.server


def post(server: Server, path: str, **body: Any) -> Any:
    answer = server.client.post(path, json=body)
    assert answer.status_code < 300, answer.text
    return answer.json()


@pytest.fixture(scope="module")
def grid(server: Server) -> dict[str, Any]:
    examples = server.client.get("/api/own-environments/examples").json()
    source = next(one["source"] for one in examples if one["name"] == "grid_world")
    saved: dict[str, Any] = post(server, "/api/own-environments", name="grid world", source=source)
    return saved


@pytest.fixture(scope="module")
def trained(server: Server, grid: dict[str, Any]) -> dict[str, Any]:
    run = post(
        server,
        "/api/runs",
        env_id="own:grid world",
        runner="turbo",
        algorithm="ppo",
        total_timesteps=6000,
        seed=3,
        evaluate_after=0,
        start=True,
    )
    return server.wait(run["id"], *FINAL)


def test_a_saved_environment_is_tried_and_listed_as_a_card(server: Server, grid: dict[str, Any]) -> None:
    check = grid["check"]
    assert check["is_usable"], check
    assert check["environment"]["id"] == "own:grid-world-v1"
    assert check["calls_per_second"] > 0
    cards = {one["id"]: one for one in server.client.get("/api/environments").json()}
    assert cards["own:grid-world-v1"]["action_space"] == "DISCRETE(4)"
    picture = server.client.get("/api/environments/own:grid-world-v1/thumbnail")
    assert picture.headers["content-type"] == "image/jpeg"


def test_the_same_contents_make_no_new_version_and_others_do(server: Server, grid: dict[str, Any]) -> None:
    again = post(server, "/api/own-environments", name="Grid World", source=grid["source"])
    assert again["version"] == 1
    broken = grid["source"].replace("MOVES[action]", "MOVES[actions]")
    found = post(server, "/api/own-environments/check", source=broken)
    (error,) = [one for one in found["remarks"] if one["level"] == "error"]
    assert "actions" in error["message"]
    assert "MOVES[actions]" in broken.splitlines()[error["line"] - 1]


def test_a_training_in_it_is_confined_and_can_be_lengthened(server: Server, trained: dict[str, Any]) -> None:
    assert trained["status"] == "succeeded", trained["reason"]
    assert trained["config"]["env_id"] == "own:grid-world-v1", "the newest version, by its number"
    assert trained["isolation"] == "confined"
    longer = server.client.post(f"/api/runs/{trained['id']}/continue", json={"more_timesteps": 2000})
    assert longer.status_code < 300, longer.text
    assert server.wait(trained["id"], *FINAL)["status"] == "succeeded"


def test_its_episodes_are_replayed_evaluated_and_forked(server: Server, trained: dict[str, Any]) -> None:
    run_id = trained["id"]
    episode = server.client.get(f"/api/runs/{run_id}/episodes").json()["items"][0]["episode"]
    with view(server, f"/api/runs/{run_id}/episodes/{episode}/replay") as viewer:
        opened = viewer.next().header
    assert opened["exact"] is True, opened
    evaluation = post(server, f"/api/runs/{run_id}/evaluations", episodes=2)
    assert server.wait(evaluation["id"], *FINAL)["status"] == "succeeded"
    fork = post(server, f"/api/runs/{run_id}/episodes/{episode}/forks", step=0)
    assert server.wait(fork["id"], *FINAL)["status"] == "succeeded"


def acts_alone(player: Player, name: str) -> None:
    """Waits for two steps that the policy of this run takes."""

    def is_so(header: dict[str, Any]) -> bool:
        return bool(header.get("problem")) or (name in str(header.get("agent")) and header["who"] == "agent")

    for _ in range(2):
        shown = player.until(is_so)
        assert not shown.get("problem"), shown["problem"]


PLAIN = """import gymnasium
import numpy as np

MAX_EPISODE_STEPS = 10

class Plain(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-20, 20, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.x = NOISE
        return np.array([self.x], np.float32), {}

    def step(self, action):
        self.x += 1 if action else -1
        return np.array([self.x], np.float32), 1.0, False, False, {}
"""


@pytest.mark.parametrize("noise", ["0", "np.random.random()"])
def test_an_environment_without_pictures_is_evaluated_without_a_video(server: Server, noise: str) -> None:
    saved = post(server, "/api/own-environments", name="plain", source=PLAIN.replace("NOISE", noise))
    assert saved["check"]["is_usable"], saved["check"]
    wanted = {"runner": "turbo", "algorithm": "ppo", "total_timesteps": 2000, "evaluate_after": 0}
    run = post(server, "/api/runs", env_id=f"own:plain-v{saved['version']}", **wanted, seed=3, start=True)
    assert server.wait(run["id"], *FINAL)["status"] == "succeeded"
    evaluation = post(server, f"/api/runs/{run['id']}/evaluations", episodes=2)
    job = server.wait(evaluation["id"], *FINAL)
    assert job["status"] == "succeeded", job["reason"]
    result = job["summary"]["result"]
    assert result["mean_reward"] == 10
    assert result["video"] is None
    assert "cannot be drawn" in result["video_problem"]
    film = server.wait(post(server, f"/api/runs/{run['id']}/films")["id"], *FINAL)
    assert film["status"] == "failed" and film["reason"]["message"].startswith(
        "The environment cannot be drawn"
    )
    assert "whose render() returns a picture" in film["reason"]["next_step"]


def test_an_unmodified_script_trains_in_it_and_its_policy_is_evaluated(
    lab: PlayedLab, server: Server, grid: dict[str, Any], tmp_path: Path
) -> None:
    root = make_checkout(tmp_path)
    assert server.client.put("/api/runners/cleanrl/root", json={"path": str(root)}).status_code < 300
    run = finished(server, wanted("ppo", env_id="own:grid-world", total_timesteps=1500))
    assert run["config"]["env_id"] == "own:grid-world-v1"
    episode = episodes_of(server, run)[0]["episode"]
    with view(server, f"/api/runs/{run['id']}/episodes/{episode}/replay") as viewer:
        assert viewer.next().header["exact"] is True
    evaluation = post(server, f"/api/runs/{run['id']}/evaluations", episodes=2)
    ended = server.wait(evaluation["id"], *FINAL)
    assert ended["status"] == "succeeded", ended["reason"]
    play = lab.start(env_id="own:grid-world-v1", mode="agent", policy_run_id=run["id"])
    with lab.join(play) as player:
        acts_alone(player, run["name"])
        lab.finish(player, play)
    later = lab.start(env_id="own:grid-world-v1", mode="hybrid")
    with lab.join(later) as player:
        refused = player.tell("policy", run_id=run["id"])
        assert "acts in a Python of its own" in refused["problem"]["message"]
        lab.finish(player, later)


def test_a_person_plays_in_it_with_its_own_keys(lab: PlayedLab, grid: dict[str, Any]) -> None:
    run_id = lab.start(env_id="own:grid-world-v1")
    with lab.join(run_id) as player:
        keys = player.note("controls")["controls"]["keys"]
        assert ["KeyW"] in [key["keys"] for key in keys if key["action"] == 0]
        assert player.act(0, 1)["step"] == 2
        ended = lab.finish(player, run_id)
    assert ended["status"] == "succeeded"


def test_its_policy_acts_in_a_play_of_it_from_the_start(lab: PlayedLab, trained: dict[str, Any]) -> None:
    run_id = lab.start(env_id="own:grid-world-v1", mode="agent", policy_run_id=trained["id"])
    with lab.join(run_id) as player:
        acts_alone(player, trained["name"])
        ended = lab.finish(player, run_id)
    assert (ended["status"], ended["isolation"]) == ("succeeded", "confined")


def test_its_policy_takes_over_in_a_play_that_has_begun(lab: PlayedLab, trained: dict[str, Any]) -> None:
    """The play reads no folder but its own: the checkpoint is linked into it."""
    run_id = lab.start(env_id="own:grid-world-v1", mode="hybrid")
    with lab.join(run_id) as player:
        player.viewer.send("policy", run_id=trained["id"], n=1)
        acts_alone(player, trained["name"])
        lab.finish(player, run_id)
    linked = lab.server.home / "runs" / run_id / "inputs"
    wait_until(lambda: not linked.exists(), "the link to be removed with the end of the play")


def test_its_policy_is_offered_for_plays_of_it_and_deployed_confined(
    server: Server, trained: dict[str, Any]
) -> None:
    asked = {"env_id": "own:grid-world-v1", "acts_live": True, "runner": "turbo"}
    offered = server.client.get("/api/checkpoints", params=asked).json()["items"]
    assert trained["id"] in {item["run_id"] for item in offered}
    with view(server, f"/api/stage?env_id=own:grid-world-v1&run_id={trained['id']}") as viewer:
        while not (header := viewer.picture().header)["agent"].get("run_id"):
            assert not header["problem"], header["problem"]
        shelves = server.home / "cache" / "stages"
        assert len(list(shelves.iterdir())) == 1
    wait_until(lambda: not list(shelves.iterdir()), "the checkpoint to be removed with the stage")


def test_its_policy_does_not_act_in_another_environment(lab: PlayedLab, trained: dict[str, Any]) -> None:
    asked = {"env_id": "CartPole-v1", "mode": "agent", "policy_run_id": trained["id"]}
    refused = lab.server.client.post("/api/plays", json=asked).json()
    assert "was trained in an environment of your own" in refused["detail"], refused


@pytest.mark.parametrize(
    ("env_id", "message"),
    [
        ("own:nothing", "There is no environment “nothing”"),
        ("own:grid-world-v9", "There is no own:grid-world-v9 in this lab"),
        ("own:grid-world@v0", "“grid-world@v0” is not a saved environment"),
        ("own:" + "a" * 70, "is not a saved environment"),
    ],
)
def test_an_unknown_environment_is_refused_by_its_name(
    server: Server, grid: dict[str, Any], env_id: str, message: str
) -> None:
    answer = server.client.post("/api/runs", json={"env_id": env_id, "runner": "turbo", "algorithm": "ppo"})
    assert answer.status_code == 422
    assert message in answer.json()["detail"]


@pytest.mark.parametrize("path", ["/api/runs", "/api/plays"])
@pytest.mark.parametrize(
    ("wrapper", "field", "message"),
    [
        ({"id": "custom", "code": "nothing"}, "env_kwargs.wrappers", "The wrapper “nothing” is not saved"),
        ({"id": "slowly"}, "env_kwargs.wrappers.0", "There is no wrapper “slowly”"),
    ],
)
def test_an_unknown_wrapper_is_refused_by_its_name(
    server: Server, path: str, wrapper: dict[str, Any], field: str, message: str
) -> None:
    training = {"runner": "turbo", "algorithm": "ppo"} if path == "/api/runs" else {}
    body = {"env_id": "CartPole-v1", "env_kwargs": {"wrappers": [wrapper]}, **training}
    answer = server.client.post(path, json=body)
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"
    (error,) = answer.json()["errors"]
    assert (error["field"], message in error["message"]) == (field, True)


def test_its_code_reaches_neither_the_lab_nor_the_network(server: Server) -> None:
    source = f"HOME = {str(server.home)!r}\n" + HOSTILE
    found = post(server, "/api/own-environments/check", source=source)
    assert not found["is_usable"]
    (remark,) = found["remarks"]
    assert (
        remark["message"]
        == "RuntimeError: PermissionError PermissionError PermissionError PermissionError PermissionError"
    )
    assert not (server.home / "environments" / "spy.txt").exists()


def test_a_client_that_leaves_ends_the_trial(server: Server) -> None:
    body = json.dumps({"source": "import time\ntime.sleep(600)\n"}).encode()
    headers = [
        f"Authorization: Bearer {server.token}",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
    ]
    address = address_of(server.url)
    with raw_clients(address) as (client,):
        client.sendall(request(address, "POST /api/own-environments/check", *headers, body=body))
        wait_until(lambda: processes(server, "check_own"), "the worker to start")
    wait_until(lambda: not processes(server, "check_own"), "the worker to end after its client")
    folder = server.home / "environments"
    wait_until(lambda: not list(folder.glob("try-*")), "the files to be removed")


def test_a_folder_is_added_and_deleted_on_the_command_line(server: Server, tmp_path: Path) -> None:
    folder = tmp_path / "two files"
    (folder / "parts").mkdir(parents=True)
    (folder / "parts" / "__init__.py").write_text("")
    (folder / "parts" / "size.py").write_text("SIZE = 3\n")
    (folder / "environment.py").write_text("from parts.size import SIZE\nx = SIZE / 0\n")
    added = command(server.home, "own-environments", "add", str(folder))
    assert added.returncode == 1
    assert "ZeroDivisionError" in added.stderr
    assert "x = SIZE / 0" in added.stderr, "the line itself"
    assert command(server.home, "own-environments", "delete", "two files").returncode == 0
    assert "two-files" not in command(server.home, "own-environments").stdout


def test_a_pack_brings_the_environment_to_another_lab(
    server: Server, trained: dict[str, Any], tmp_path: Path
) -> None:
    pack = tmp_path / "grid.zip"
    assert command(server.home, "pack", trained["id"], "-o", str(pack)).returncode == 0
    other = tmp_path / "other"
    other.mkdir()
    taken = command(other, "unpack", str(pack))
    assert taken.returncode == 0, taken.stderr
    here, there = (
        home / "environments" / "grid-world" / "v1" / "environment.py" for home in (server.home, other)
    )
    assert there.read_text() == here.read_text()
    there.write_text("x = 1\n")
    refused = command(other, "unpack", str(pack))
    assert refused.returncode != 0
    assert "another environment own:grid-world-v1" in refused.stderr


def test_one_that_is_not_deterministic_is_watched_while_it_trains(server: Server) -> None:
    source = Path(noisy.__file__).read_text().split('if "Noisy-v0"')[0]
    saved = post(server, "/api/own-environments", name="jitter", source=source)
    assert saved["check"]["is_usable"], saved["check"]
    run = post(
        server,
        "/api/runs",
        env_id="own:jitter-v1",
        runner="turbo",
        algorithm="ppo",
        total_timesteps=100_000_000,
        evaluate_after=0,
        start=True,
    )
    with view(server, f"/api/runs/{run['id']}/frames") as viewer:
        shown = [viewer.picture() for _ in range(3)]
    for picture in shown:
        white = float((picture.pixels[32, :, 0] > 128).mean())
        assert white == pytest.approx(picture.header["reward"] or 0.5, abs=0.02), "what the worker really saw"
    post(server, f"/api/runs/{run['id']}/stop")
    assert server.wait(run["id"], *FINAL)["status"] == "stopped"


FRAIL = """
import os
import gymnasium
import numpy as np

MAX_EPISODE_STEPS = 50

class Frail(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode=None):
        self.steps = 0

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.steps += 1
        if self.steps == LAST:
            END
        return np.zeros(1, np.float32), 0.0, False, False, {}
"""


@pytest.mark.parametrize(
    ("runner", "end", "message"),
    [
        ("turbo", "raise KeyError('lost')", "line 22 of environment.py"),
        ("sb3", "raise KeyError('lost')", "line 22 of environment.py"),
        ("sb3", "os._exit(0)", "finished"),
    ],
)
def test_an_environment_that_breaks_ends_its_training_with_the_line(
    server: Server, runner: str, end: str, message: str
) -> None:
    # Only in a training, so that no check finds it.
    when = "(40 if os.environ.get('RL_LAB_ATTEMPT') else 10**9)"
    source = FRAIL.replace("LAST", when)
    saved = post(server, "/api/own-environments", name="frail", source=source.replace("END", end))
    assert saved["check"]["is_usable"], saved["check"]
    run = post(
        server,
        "/api/runs",
        env_id=f"own:frail-v{saved['version']}",
        runner=runner,
        algorithm="ppo",
        total_timesteps=4000,
        evaluate_after=0,
        start=True,
    )
    ended = server.wait(run["id"], *FINAL)
    assert ended["status"] == "failed"
    assert message in ended["reason"]["message"], ended["reason"]
