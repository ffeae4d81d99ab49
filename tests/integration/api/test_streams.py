"""Live streams of a real server: metrics and events by SSE, everything by the socket, a quick end."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.leftovers import leave_sb3
from support.server import Server, events_of, serve
from support.waiting import DEADLINE_S, wait_until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

UNKNOWN = 10**12
"""A cursor that no topic has reached."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One lab with a place for every run of this file; each test follows only what it created."""
    home = tmp_path_factory.mktemp("streams") / "home"
    home.mkdir()
    with serve(home, RL_LAB_MAX_RUNNING="8") as running:
        yield running


def start_slow_run(server: Server) -> str:
    run = server.create(total_timesteps=50_000_000, params={"steps_per_second": 3000}, start=True)
    server.wait(run["id"], "running")
    return str(run["id"])


@pytest.fixture(scope="module")
def followed(lab: Server) -> str:
    """A run that goes on; tests follow it, and none changes it."""
    return start_slow_run(lab)


@pytest.fixture
def slow_run(lab: Server) -> Iterator[str]:
    """A run that goes on until the end of the test."""
    run_id = start_slow_run(lab)
    yield run_id
    lab.client.post(f"/api/runs/{run_id}/stop")  # refused when the test has stopped it


def move(server: Server, run_id: str, name: str) -> None:
    """On a connection of its own, while another one streams."""
    with server.stranger(Authorization=f"Bearer {server.token}") as other:
        assert other.post(f"/api/runs/{run_id}/{name}").status_code == 202


def read_metrics(server: Server, run_id: str, count: int, last_id: int | None = None) -> list[dict[str, Any]]:
    """The first `count` ticks of a new connection."""
    headers = {"Last-Event-ID": str(last_id)} if last_id is not None else {}
    found: list[dict[str, Any]] = []
    with server.client.stream("GET", f"/api/runs/{run_id}/stream", headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for event in events_of(answer.iter_lines()):
            assert event["event"] == "metrics"
            tick = json.loads(event["data"])
            assert int(event["id"]) == tick["id"]
            found.append(tick)
            if len(found) == count:
                return found
    raise AssertionError(f"the stream ended after {len(found)} ticks")


def open_socket(server: Server) -> ClientConnection:
    address = server.url.replace("http://", "ws://") + "/api/live"
    return connect(address, additional_headers={"Authorization": f"Bearer {server.token}"})


def receive(socket: ClientConnection, topic: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = json.loads(socket.recv(timeout=DEADLINE_S))
        if message.get("topic") == topic:
            return message


def test_metrics_stream_carries_the_contracts_fields_at_most_four_a_second(
    lab: Server, followed: str
) -> None:
    ticks = read_metrics(lab, followed, 6)
    wanted = {
        "id",
        "episode",
        "episode_count",
        "timestep",
        "reward",
        "mean_reward",
        "episode_length",
        "loss",
        "fps",
        "timestamp",
    }
    assert wanted <= set(ticks[-1])
    assert [t["id"] for t in ticks] == list(range(ticks[0]["id"], ticks[0]["id"] + 6))
    assert ticks[0]["timestep"] < ticks[-1]["timestep"]
    quarters = [int(tick["timestamp"] * 4) for tick in ticks]
    assert quarters == sorted(set(quarters)), "at most one in each quarter of a second"


def test_reconnect_resumes_after_last_event_id(lab: Server, followed: str) -> None:
    seen: list[int] = [t["id"] for t in read_metrics(lab, followed, 2)]
    for _ in range(4):
        seen += [t["id"] for t in read_metrics(lab, followed, 2, last_id=seen[-1])]
    assert seen == list(range(seen[0], seen[0] + len(seen)))


def test_a_finished_run_replays_its_ticks_and_ends(lab: Server) -> None:
    run = lab.create(total_timesteps=20_000, start=True)
    lab.wait(run["id"], "succeeded")
    with lab.client.stream("GET", f"/api/runs/{run['id']}/stream", params={"since": 0}) as answer:
        events = list(events_of(answer.iter_lines()))
    assert [e["event"] for e in events[:-1]] == ["metrics"] * (len(events) - 1)
    assert len(events) > 1
    assert events[-1]["event"] == "end"
    assert json.loads(events[-1]["data"])["status"] == "succeeded"


def test_a_watched_run_ends_its_stream(lab: Server, slow_run: str) -> None:
    names = []
    with lab.client.stream("GET", f"/api/runs/{slow_run}/stream") as answer:
        for event in events_of(answer.iter_lines()):
            names.append(event["event"])
            if len(names) == 2:
                move(lab, slow_run, "stop")
    assert names[0] == "metrics"
    assert names[-1] == "end"


@pytest.mark.parametrize("wrong", ["x", "-1", "1" * 30, "9007199254740993"])
def test_a_wrong_last_event_id_is_a_problem(lab: Server, wrong: str) -> None:
    run = lab.create()
    answer = lab.client.get(f"/api/runs/{run['id']}/stream", headers={"Last-Event-ID": wrong})
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["field"] == "Last-Event-ID"


def test_events_come_as_pages_newest_first_and_as_a_stream_oldest_first(lab: Server) -> None:
    run = lab.create(start=True)
    lab.wait(run["id"], "succeeded")
    address = f"/api/runs/{run['id']}/events"
    page = lab.client.get(address).json()
    ids = [event["id"] for event in page["items"]]
    assert ids == sorted(ids, reverse=True)
    assert page["next_cursor"] is None
    first = lab.client.get(address, params={"limit": 2}).json()
    rest = lab.client.get(address, params={"limit": 200, "before_id": first["next_cursor"]}).json()
    assert [e["id"] for e in first["items"] + rest["items"]] == ids
    streamed = []
    headers = {"Accept": "text/event-stream", "Last-Event-ID": str(ids[-1])}
    with lab.client.stream("GET", address, headers=headers) as answer:
        for event in events_of(answer.iter_lines()):
            streamed.append(int(event["id"]))
            if streamed[-1] == ids[0]:
                break
    assert streamed == sorted(ids)[1:]


def test_the_live_log_shows_what_happens_now(lab: Server) -> None:
    run = lab.create(total_timesteps=20_000)
    headers = {"Accept": "text/event-stream"}
    messages = {}
    with lab.client.stream("GET", f"/api/runs/{run['id']}/events", headers=headers) as answer:
        lines = events_of(answer.iter_lines())
        move(lab, run["id"], "start")
        while "run_succeeded" not in messages:
            event = json.loads(next(lines)["data"])
            messages[event["type"]] = event["message"]
    assert messages["training_started"] == "Training started: TOY on CartPole-v1, 20,000 steps, seed 1."


def test_the_socket_follows_ticks_events_and_status_of_a_run(lab: Server) -> None:
    run = lab.create(total_timesteps=20_000, params={"steps_per_second": 10_000})
    topics = [f"run:{run['id']}:{kind}" for kind in ("metrics", "events", "status")] + ["runs"]
    got: dict[str, list[Any]] = {topic: [] for topic in topics}
    with open_socket(lab) as socket:
        for topic in topics:
            socket.send(json.dumps({"op": "subscribe", "topic": topic}))
        receive(socket, f"run:{run['id']}:status")
        lab.client.post(f"/api/runs/{run['id']}/start")
        while not any(item["status"] == "succeeded" for item in got[f"run:{run['id']}:status"]):
            message = json.loads(socket.recv(timeout=DEADLINE_S))
            got[message["topic"]] += message["items"]
    ids = [tick["id"] for tick in got[f"run:{run['id']}:metrics"]]
    assert ids == list(range(1, len(ids) + 1))
    assert run["id"] in {item["id"] for item in got["runs"]}
    events = [event["id"] for event in got[f"run:{run['id']}:events"]]
    assert events == sorted(set(events))


def test_a_socket_that_comes_back_goes_on_at_its_cursor(lab: Server, slow_run: str) -> None:
    topic = f"run:{slow_run}:metrics"
    seen: list[int] = []
    cursor = 0
    for _ in range(3):
        with open_socket(lab) as socket:
            socket.send(json.dumps({"op": "subscribe", "topic": topic, "since": cursor}))
            for _ in range(2):
                message = receive(socket, topic)
                seen += [tick["id"] for tick in message["items"]]
                cursor = message["cursor"]
    assert seen == list(range(1, len(seen) + 1))


Columns = dict[str, list[Any]]


def points_by_index(columns: Columns) -> dict[int, tuple[Any, ...]]:
    rows = zip(columns["index"], columns["step"], columns["time"], columns["value"], strict=True)
    return {row[0]: row for row in rows}


def get_series(server: Server, run_id: str) -> dict[str, Columns]:
    answer = server.client.get(f"/api/runs/{run_id}/metrics", params={"points": 20_000})
    series: dict[str, Columns] = answer.json()["series"]
    return series


def test_pushed_points_continue_the_fetched_series_without_a_gap(lab: Server, followed: str) -> None:
    read_metrics(lab, followed, 2)
    pushed: dict[str, dict[int, tuple[Any, ...]]] = {}
    with open_socket(lab) as socket:
        fetched = get_series(lab, followed)
        socket.send(json.dumps({"op": "subscribe", "topic": f"run:{followed}:points"}))
        for message_number in range(8):
            message = receive(socket, f"run:{followed}:points")
            assert "reset" not in message
            for item in message["items"]:
                for name, columns in item["series"].items():
                    if message_number > 0:  # the first message has the recent past
                        assert columns["index"][0] <= max(pushed.get(name, {-1: ()})) + 1, "a gap"
                    assert columns["total"] == columns["index"][-1] + 1
                    pushed.setdefault(name, {}).update(points_by_index(columns))
    stored = get_series(lab, followed)
    assert set(pushed) == set(stored) == set(fetched)
    for name, points in pushed.items():
        by_index = points_by_index(stored[name])
        assert len(points) > 4
        assert all(by_index[index] == point for index, point in points.items())
        assert set(range(len(fetched[name]["index"]), max(points) + 1)) <= set(points), (
            "a gap after the fetch"
        )


def test_the_last_points_of_a_run_are_pushed(lab: Server) -> None:
    run = lab.create(total_timesteps=20_000, params={"steps_per_second": 20_000})
    topic, status = f"run:{run['id']}:points", f"run:{run['id']}:status"
    totals: dict[str, int] = {}
    with open_socket(lab) as socket:
        for name in (topic, status):
            socket.send(json.dumps({"op": "subscribe", "topic": name}))
        receive(socket, status)
        lab.client.post(f"/api/runs/{run['id']}/start")
        lab.wait(run["id"], "succeeded")
        wanted = {name: columns["total"] for name, columns in get_series(lab, run["id"]).items()}
        while totals != wanted:
            for item in receive(socket, topic)["items"]:
                totals |= {name: columns["total"] for name, columns in item["series"].items()}


def test_points_after_an_unknown_cursor_begin_with_a_reset(lab: Server, followed: str) -> None:
    topic = f"run:{followed}:points"
    with open_socket(lab) as socket:
        socket.send(json.dumps({"op": "subscribe", "topic": topic, "since": UNKNOWN}))
        reset = receive(socket, topic)
        assert reset["reset"] is True
        after = receive(socket, topic)
        assert "reset" not in after
        assert after["cursor"] > reset["cursor"]


def test_the_list_of_runs_cannot_be_resumed_and_says_so(lab: Server) -> None:
    with open_socket(lab) as socket:
        socket.send(json.dumps({"op": "subscribe", "topic": "runs", "since": UNKNOWN}))
        message = receive(socket, "runs")
        assert message["reset"] is True
        run = lab.create()
        while run["id"] not in {item["id"] for item in receive(socket, "runs")["items"]}:
            pass  # a change of another run


@pytest.mark.parametrize(
    "message",
    [
        "nonsense",
        "[]",
        '{"op":"dance"}',
        '{"op":"subscribe","topic":"../etc"}',
        '{"op":"subscribe"}',
        '{"op":"subscribe","topic":"run:zzzzzzzzzzzz:metrics"}',
        '{"op":"subscribe","topic":"runs","since":-1}',
        '{"op":"subscribe","topic":"runs","x":1}',
        "[" * 5000,
    ],
)
def test_bad_input_on_the_socket_is_answered_and_the_socket_stays(lab: Server, message: str) -> None:
    with open_socket(lab) as socket:
        socket.send(message)
        answer = json.loads(socket.recv(timeout=DEADLINE_S))
        assert answer["op"] == "error"
        assert answer["detail"]
        socket.send(json.dumps({"op": "subscribe", "topic": "runs", "since": 0}))
        assert receive(socket, "runs")["topic"] == "runs"


def test_unsubscribed_topics_are_silent(lab: Server, followed: str) -> None:
    topic = f"run:{followed}:metrics"
    with open_socket(lab) as socket:
        socket.send(json.dumps({"op": "subscribe", "topic": topic}))
        receive(socket, topic)
        socket.send(json.dumps({"op": "unsubscribe", "topic": topic}))
        socket.send(json.dumps({"op": "subscribe", "topic": "runs", "since": 0}))
        receive(socket, "runs")
        heard = {json.loads(socket.recv(timeout=DEADLINE_S)).get("topic") for _ in range(3)}
    assert topic not in heard


def test_the_server_ends_while_streams_are_open(server: Server) -> None:
    run_id = start_slow_run(server)
    with (
        open_socket(server) as socket,
        server.client.stream("GET", f"/api/runs/{run_id}/stream") as metrics,
        server.client.stream(
            "GET", f"/api/runs/{run_id}/events", headers={"Accept": "text/event-stream"}
        ) as log,
    ):
        socket.send(json.dumps({"op": "subscribe", "topic": "runs"}))
        lines, log_lines = metrics.iter_lines(), log.iter_lines()
        next(lines), next(log_lines)
        server.client.post(f"/api/runs/{run_id}/stop")
        server.wait(run_id, "stopped")
        server.process.terminate()
        assert server.process.wait(DEADLINE_S) == 0  # a stream that did not end would hold it for ever
        with pytest.raises(ConnectionClosed):
            while True:
                socket.recv(timeout=DEADLINE_S)


def read_lines(
    server: Server, run_id: str, what: str, count: int | None = None, last_id: int | None = None
) -> list[tuple[int, dict[str, Any]]]:
    """Ids and contents of a stream of steps or episodes: the first `count`, or all until its end."""
    headers = {"Accept": "text/event-stream"} | ({"Last-Event-ID": str(last_id)} if last_id else {})
    found: list[tuple[int, dict[str, Any]]] = []
    with server.client.stream("GET", f"/api/runs/{run_id}/{what}", headers=headers) as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        for event in events_of(answer.iter_lines()):
            if event["event"] == "end":
                return found
            found.append((int(event["id"]), json.loads(event["data"])))
            if len(found) == count:
                return found
    raise AssertionError(f"the stream broke after {len(found)} lines")


def test_episodes_stream_live_and_resume_without_gap_or_double(lab: Server, slow_run: str) -> None:
    first = read_lines(lab, slow_run, "episodes", count=5)
    move(lab, slow_run, "stop")
    rest = read_lines(lab, slow_run, "episodes", last_id=first[-1][0])
    whole = read_lines(lab, slow_run, "episodes")
    assert first + rest == whole
    numbers = [line["episode"] for _, line in whole]
    total = lab.client.get(f"/api/runs/{slow_run}/episodes", params={"limit": 1}).json()["total"]
    assert len(numbers) == len(set(numbers)) == total
    assert {"type", "t", "episode", "timestep", "reward", "length"} <= set(whole[0][1])


def test_a_run_without_step_lines_streams_none_and_ends(lab: Server) -> None:
    run = lab.create(total_timesteps=2000, start=True)
    assert read_lines(lab, run["id"], "steps") == []
    assert lab.client.get(f"/api/runs/{run['id']}/steps").json() == {"items": []}


def test_episodes_of_an_adopted_run_stream_and_resume(lab: Server, tmp_path: Path) -> None:
    leave_sb3(tmp_path / "source")
    wanted = {"folder": str(tmp_path / "source"), "follow": False}
    adoption = lab.client.post("/api/adoptions", json=wanted).json()["id"]
    address = f"/api/adoptions/{adoption}"
    wait_until(lambda: lab.client.get(address).json()["is_done"], "the adoption")
    run = lab.client.get("/api/runs", params={"tag": "adopted"}).json()["items"][0]
    listed = lab.client.get(f"/api/runs/{run['id']}/episodes", params={"sort": "episode"}).json()
    whole = read_lines(lab, run["id"], "episodes")
    assert whole and len(whole) == listed["total"]
    assert [(line["episode"], line["reward"], line["length"]) for _, line in whole[:50]] == [
        (row["episode"], row["reward"], row["length"]) for row in listed["items"]
    ]
    assert read_lines(lab, run["id"], "episodes", last_id=whole[1][0]) == whole[2:]
    assert read_lines(lab, run["id"], "steps") == []


@pytest.mark.parametrize("what", ["episodes", "steps"])
def test_lines_of_an_unknown_run_are_refused(lab: Server, what: str) -> None:
    answer = lab.client.get(f"/api/runs/nosuchrun123/{what}", headers={"Accept": "text/event-stream"})
    assert answer.status_code == 404
    assert answer.json()["next_step"]
