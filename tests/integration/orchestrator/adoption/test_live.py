"""A folder that is being written is followed: live, over a restart of the lab, until it is quiet or told to stop."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from support.leftovers import grow_cleanrl, leave_cleanrl
from support.server import Server, serve
from support.waiting import DEADLINE_S, wait_until
from websockets.sync.client import connect

WRITER = """
import itertools, os, sys, time
path, enough = sys.argv[1:]
with open(path, "w", buffering=1) as file:
    file.write('#{"t_start": %f, "env_id": "CartPole-v1"}\\nr,l,t\\n' % time.time())
    for i in itertools.count():
        file.write(f"{i}.0,10,{i * 0.05}\\n")
        if os.path.exists(enough):
            break
        time.sleep(0.05)
"""


def adopt(server: Server, folder: Path, **more: Any) -> dict[str, Any]:
    answer = server.client.post("/api/adoptions", json={"folder": str(folder), **more}).json()
    address = f"/api/adoptions/{answer['id']}"
    wait_until(lambda: server.client.get(address).json()["is_done"], "the adoption")
    found: dict[str, Any] = server.client.get(address).json()
    return found


def get(server: Server, run_id: str) -> dict[str, Any]:
    run: dict[str, Any] = server.client.get(f"/api/runs/{run_id}").json()
    return run


def listed(server: Server) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = server.client.get("/api/runs").json()["items"]
    return items


def rewards(server: Server, run_id: str) -> list[float]:
    series = server.client.get(f"/api/runs/{run_id}/metrics", params={"names": "reward"}).json()["series"]
    return list(series["reward"]["value"])


class Writer:
    """Another tool at work: an episode each 50 ms, until it is told that there are enough."""

    def __init__(self, path: Path, enough: Path) -> None:
        path.parent.mkdir(parents=True)
        self._path, self._enough = path, enough
        self.process = subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(enough)])

    def finish(self) -> list[float]:
        """The rewards it has written, in all."""
        self._enough.touch()
        assert self.process.wait(DEADLINE_S) == 0
        return [float(line.split(",")[0]) for line in self._path.read_text().splitlines()[2:]]


@contextmanager
def writer(path: Path, tmp_path: Path) -> Iterator[Writer]:
    at_work = Writer(path, tmp_path / "enough")
    try:
        wait_until(path.exists, "the file")
        yield at_work
    finally:
        at_work.process.kill()
        at_work.process.wait()


def test_what_is_being_written_arrives_live_and_ends_when_it_is_quiet(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    with serve(home, RL_LAB_FOLLOW_S="4") as server, writer(source / "a" / "monitor.csv", tmp_path) as other:
        adopt(server, source)
        [run] = wait_until(lambda: listed(server), "the run")
        assert (run["status"], run["source"]["is_followed"], run["allowed"]) == ("followed", True, ["stop"])
        ticks, written = 0, []
        with server.client.stream("GET", f"/api/runs/{run['id']}/stream") as stream:
            for line in stream.iter_lines():
                ticks += line.startswith("event: metrics")
                if ticks > 2 and not written:
                    written = other.finish()
                if line.startswith("event: end"):
                    break
        assert written, "it ended while it was being written"
        ended = get(server, run["id"])
        assert (ended["status"], ended["source"]["is_followed"]) == ("succeeded", False)
        assert "not followed any more" in ended["reason"]["message"]
        assert rewards(server, run["id"]) == written
        assert ended["progress"]["episodes"] == len(written)
        wait_until(
            lambda: not server.client.get("/api/adoptions").json()[0]["is_followed"], "the following to end"
        )


def test_points_of_a_followed_run_are_pushed(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    with serve(home) as server, writer(source / "a" / "monitor.csv", tmp_path) as other:
        adopt(server, source)
        [run] = wait_until(lambda: listed(server), "the run")
        pushed: dict[int, float] = {}
        written: list[float] = []
        address = server.url.replace("http://", "ws://") + "/api/live"
        with connect(address, additional_headers={"Authorization": f"Bearer {server.token}"}) as socket:
            socket.send(json.dumps({"op": "subscribe", "topic": f"run:{run['id']}:points"}))
            while not written or len(pushed) < len(written):
                for item in json.loads(socket.recv(timeout=DEADLINE_S)).get("items", []):
                    reward = item["series"]["reward"]
                    pushed |= dict(zip(reward["index"], reward["value"], strict=True))
                if len(pushed) > 10 and not written:
                    written = other.finish()
        assert pushed == dict(enumerate(written))


def test_a_new_folder_below_a_followed_one_appears_as_a_run(server: Server, tmp_path: Path) -> None:
    source = tmp_path / "source"
    leave_cleanrl(source, seed=1)
    assert adopt(server, source)["is_followed"]
    leave_cleanrl(source, episodes=5, seed=2)
    wait_until(lambda: len(listed(server)) == 2, "the second run")
    with writer(source / "deep" / "er" / "monitor.csv", tmp_path):
        wait_until(lambda: len(listed(server)) == 3, "the third run")


def test_following_goes_on_after_the_lab_was_killed(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    with writer(source / "a" / "monitor.csv", tmp_path) as other:
        with serve(home) as server:
            adopt(server, source)
            [run] = wait_until(lambda: listed(server), "the run")
            wait_until(lambda: len(rewards(server, run["id"])) > 10, "ten episodes")
            server.process.kill()
            server.process.wait()
        with serve(home) as server:
            assert get(server, run["id"])["status"] == "followed"
            written = other.finish()
            wait_until(lambda: len(rewards(server, run["id"])) >= len(written), "every episode")
            assert rewards(server, run["id"]) == written
            assert len(listed(server)) == 1


def test_stop_ends_the_following_and_adopting_again_begins_it_anew(server: Server, tmp_path: Path) -> None:
    run_folder = leave_cleanrl(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = listed(server)
    assert server.client.post(f"/api/runs/{run['id']}/pause").status_code == 409
    stopped = server.client.post(f"/api/runs/{run['id']}/stop").json()
    assert (stopped["status"], stopped["source"]["is_followed"]) == ("stopped", False)
    assert "no longer followed" in stopped["reason"]["message"]
    grow_cleanrl(run_folder, 20, 10)
    leave_cleanrl(tmp_path / "source", seed=2)  # seen by the same looks that would have seen the growth
    wait_until(lambda: len(listed(server)) == 2, "the second run")
    assert len(rewards(server, run["id"])) == 20
    again = adopt(server, tmp_path / "source")
    assert again["updated"] >= 1
    assert len(rewards(server, run["id"])) == 30
    assert get(server, run["id"])["status"] == "followed"


@pytest.mark.parametrize("way", ["delete", "archive"])
def test_a_followed_run_is_not_running_and_can_be_put_away(server: Server, tmp_path: Path, way: str) -> None:
    leave_cleanrl(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = listed(server)
    assert server.client.get("/api/runs", params={"status": "running"}).json()["items"] == []
    assert server.client.get("/api/queue").json()["running"] == []
    if way == "delete":
        answer = server.client.delete(f"/api/runs/{run['id']}")
    else:
        answer = server.client.patch(f"/api/runs/{run['id']}", json={"archived": True})
    assert answer.status_code == 200, answer.text
    assert (answer.json()["status"], answer.json()["source"]["is_followed"]) == ("stopped", False)


def test_a_source_that_vanishes_while_it_is_followed_is_said_in_words(server: Server, tmp_path: Path) -> None:
    run_folder = leave_cleanrl(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = listed(server)
    for path in run_folder.iterdir():
        path.unlink()
    run_folder.rmdir()
    lost = server.wait(run["id"], "lost", "succeeded", "failed", "stopped")
    assert lost["status"] == "lost" and "not there any more" in lost["reason"]["message"]
    assert len(rewards(server, run["id"])) == 20


def test_an_adoption_can_be_told_to_stop(server: Server, tmp_path: Path) -> None:
    leave_cleanrl(tmp_path / "source")
    found = adopt(server, tmp_path / "source")
    server.client.delete(f"/api/adoptions/{found['id']}")
    [run] = listed(server)
    server.wait(run["id"], "succeeded")
    address = f"/api/adoptions/{found['id']}"
    wait_until(lambda: not server.client.get(address).json()["is_followed"], "the following to end")


def test_a_killed_adopter_is_replaced_and_loses_nothing(home: Path, tmp_path: Path) -> None:
    import psutil

    run_folder = leave_cleanrl(tmp_path / "source")
    with serve(home, REAL_READERS="1") as server:
        adopt(server, tmp_path / "source")
        [run] = listed(server)
        children = psutil.Process(server.process.pid).children()
        [adopter] = [p for p in children if "rl_lab.orchestrator.adoption.reader" in p.cmdline()]
        adopter.kill()
        grow_cleanrl(run_folder, 20, 10)
        wait_until(lambda: len(rewards(server, run["id"])) == 30, "the new episodes")
