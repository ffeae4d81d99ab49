"""A folder that is being written is followed: live, over a restart of the lab, until it is quiet or told to stop."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from support.leftovers import grow_cleanrl, leave_cleanrl
from support.server import Server, serve

WAIT_S = 60.0
WRITER = """
import sys, time
path, count = sys.argv[1], int(sys.argv[2])
with open(path, "w", buffering=1) as file:
    file.write('#{"t_start": %f, "env_id": "CartPole-v1"}\\nr,l,t\\n' % time.time())
    for i in range(count):
        file.write(f"{i}.0,10,{i * 0.05}\\n")
        time.sleep(0.05)
"""


def adopt(server: Server, folder: Path, **more: Any) -> dict[str, Any]:
    answer = server.client.post("/api/adoptions", json={"folder": str(folder), **more}).json()
    return until(
        lambda: server.client.get(f"/api/adoptions/{answer['id']}").json(), lambda found: found["is_done"]
    )


def until(ask: Callable[[], Any], holds: Callable[[Any], bool]) -> Any:
    deadline = time.monotonic() + WAIT_S
    while not holds(answer := ask()):
        assert time.monotonic() < deadline, f"still {answer}"
        time.sleep(0.05)
    return answer


def get(server: Server, run_id: str) -> dict[str, Any]:
    run: dict[str, Any] = server.client.get(f"/api/runs/{run_id}").json()
    return run


def listed(server: Server) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = server.client.get("/api/runs").json()["items"]
    return items


def rewards(server: Server, run_id: str) -> list[float]:
    series = server.client.get(f"/api/runs/{run_id}/metrics", params={"names": "reward"}).json()["series"]
    return list(series["reward"]["value"])


@contextmanager
def writer(path: Path, count: int) -> Iterator[subprocess.Popen[bytes]]:
    """Another tool at work: an episode each 50 ms."""
    path.parent.mkdir(parents=True)
    process = subprocess.Popen([sys.executable, "-c", WRITER, str(path), str(count)])
    try:
        until(path.exists, bool)
        yield process
    finally:
        process.kill()
        process.wait()


def test_what_is_being_written_arrives_live_and_ends_when_it_is_quiet(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    with serve(home, RL_LAB_FOLLOW_S="4") as server, writer(source / "a" / "monitor.csv", 100) as other:
        adopt(server, source)
        [run] = until(lambda: listed(server), len)
        assert (run["status"], run["source"]["is_followed"], run["allowed"]) == ("running", True, ["stop"])
        ticks = []
        with server.client.stream("GET", f"/api/runs/{run['id']}/stream", timeout=WAIT_S) as stream:
            for line in stream.iter_lines():
                if line.startswith("event: metrics"):
                    ticks.append(line)
                if line.startswith("event: end"):
                    break
        assert other.wait() == 0
        assert len(ticks) > 2
        ended = get(server, run["id"])
        assert (ended["status"], ended["source"]["is_followed"]) == ("succeeded", False)
        assert "not followed any more" in ended["reason"]["message"]
        assert rewards(server, run["id"]) == [float(i) for i in range(100)]
        assert ended["progress"]["episodes"] == 100
        until(lambda: server.client.get("/api/adoptions").json()[0], lambda found: not found["is_followed"])


def test_a_new_folder_below_a_followed_one_appears_as_a_run(server: Server, tmp_path: Path) -> None:
    source = tmp_path / "source"
    leave_cleanrl(source, seed=1)
    assert adopt(server, source)["is_followed"]
    leave_cleanrl(source, episodes=5, seed=2)
    until(lambda: len(listed(server)), lambda count: count == 2)
    with writer(source / "deep" / "er" / "monitor.csv", 40):
        until(lambda: len(listed(server)), lambda count: count == 3)


def test_following_goes_on_after_the_lab_was_killed(home: Path, tmp_path: Path) -> None:
    source = tmp_path / "source"
    with writer(source / "a" / "monitor.csv", 400):
        with serve(home) as server:
            adopt(server, source)
            [run] = until(lambda: listed(server), len)
            until(lambda: len(rewards(server, run["id"])), lambda count: count > 10)
            server.process.kill()
            server.process.wait()
        with serve(home) as server:
            assert get(server, run["id"])["status"] == "running"
            until(lambda: len(rewards(server, run["id"])), lambda count: count == 400)
            assert rewards(server, run["id"]) == [float(i) for i in range(400)]
            assert len(listed(server)) == 1


def test_stop_ends_the_following_and_adopting_again_begins_it_anew(server: Server, tmp_path: Path) -> None:
    run_folder = leave_cleanrl(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = listed(server)
    assert server.client.post(f"/api/runs/{run['id']}/pause").status_code == 409
    assert server.client.delete(f"/api/runs/{run['id']}").status_code == 409
    stopped = server.client.post(f"/api/runs/{run['id']}/stop").json()
    assert (stopped["status"], stopped["source"]["is_followed"]) == ("stopped", False)
    assert "no longer followed" in stopped["reason"]["message"]
    grow_cleanrl(run_folder, 20, 10)
    leave_cleanrl(tmp_path / "source", seed=2)  # seen by the same looks that would have seen the growth
    until(lambda: len(listed(server)), lambda count: count == 2)
    assert len(rewards(server, run["id"])) == 20
    again = adopt(server, tmp_path / "source")
    assert again["updated"] >= 1
    assert len(rewards(server, run["id"])) == 30
    assert get(server, run["id"])["status"] == "running"


def test_a_source_that_vanishes_while_it_is_followed_is_said_in_words(server: Server, tmp_path: Path) -> None:
    run_folder = leave_cleanrl(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = listed(server)
    for path in run_folder.iterdir():
        path.unlink()
    run_folder.rmdir()
    lost = until(lambda: get(server, run["id"]), lambda found: found["status"] != "running")
    assert lost["status"] == "lost" and "not there any more" in lost["reason"]["message"]
    assert len(rewards(server, run["id"])) == 20


def test_an_adoption_can_be_told_to_stop(server: Server, tmp_path: Path) -> None:
    leave_cleanrl(tmp_path / "source")
    found = adopt(server, tmp_path / "source")
    server.client.delete(f"/api/adoptions/{found['id']}")
    [run] = listed(server)
    until(lambda: get(server, run["id"])["status"], lambda status: status == "succeeded")
    until(
        lambda: server.client.get(f"/api/adoptions/{found['id']}").json(), lambda now: not now["is_followed"]
    )


def test_a_killed_adopter_is_replaced_and_loses_nothing(server: Server, tmp_path: Path) -> None:
    import psutil

    run_folder = leave_cleanrl(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = listed(server)
    children = psutil.Process(server.process.pid).children()
    [adopter] = [p for p in children if "rl_lab.orchestrator.adoption.reader" in p.cmdline()]
    adopter.kill()
    grow_cleanrl(run_folder, 20, 10)
    until(lambda: len(rewards(server, run["id"])), lambda count: count == 30)
