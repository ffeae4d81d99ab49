"""A run's files and numbers over HTTP: bytes by id, ranges, series, log, episodes."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from support.server import Server


@pytest.fixture(scope="module")
def run(shared_server: Server) -> dict[str, Any]:
    made = shared_server.create(name="named run", total_timesteps=20_000, start=True)
    return shared_server.wait(made["id"], "succeeded")


@pytest.fixture(scope="module")
def artifact(shared_server: Server, run: dict[str, Any]) -> dict[str, Any]:
    found: list[dict[str, Any]] = shared_server.client.get(f"/api/runs/{run['id']}/artifacts").json()
    return next(a for a in found if a["size"] > 10 and a["sha256"])


def test_a_file_comes_whole_with_its_etag(shared_server: Server, artifact: dict[str, Any]) -> None:
    answer = shared_server.client.get(f"/api/artifacts/{artifact['id']}")
    assert answer.status_code == 200
    assert hashlib.sha256(answer.content).hexdigest() == artifact["sha256"]
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "sandbox" in answer.headers["content-security-policy"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["accept-ranges"] == "bytes"
    again = shared_server.client.get(
        f"/api/artifacts/{artifact['id']}", headers={"If-None-Match": answer.headers["etag"]}
    )
    assert (again.status_code, again.content) == (304, b"")


def test_a_download_is_named_after_its_run(
    shared_server: Server, run: dict[str, Any], artifact: dict[str, Any]
) -> None:
    answer = shared_server.client.get(f"/api/artifacts/{artifact['id']}", params={"download": True})
    name = answer.headers["content-disposition"].partition('filename="')[2].rstrip('"')
    assert run["name"] == "named run"
    assert name == f"named-run-{artifact['path'].rsplit('/', 1)[-1]}"


def test_reports_and_tables_are_named_after_the_run(shared_server: Server, run: dict[str, Any]) -> None:
    def name_of(address: str) -> str:
        return str(shared_server.client.get(address).headers["content-disposition"])

    base = f"/api/runs/{run['id']}"
    assert name_of(f"{base}/report?format=html") == 'inline; filename="named-run-report.html"'
    assert name_of(f"{base}/metrics.csv") == 'attachment; filename="named-run-metrics.csv"'
    compared = f"/api/compare/report?format=text&runs={run['id']}"
    assert name_of(compared) == 'inline; filename="comparison-of-1-run-report.txt"'


def test_one_range_a_request(shared_server: Server, artifact: dict[str, Any]) -> None:
    address = f"/api/artifacts/{artifact['id']}"
    whole = shared_server.client.get(address).content
    part = shared_server.client.get(address, headers={"Range": "bytes=2-5"})
    assert (part.status_code, part.content) == (206, whole[2:6])
    assert part.headers["content-range"] == f"bytes 2-5/{len(whole)}"
    assert shared_server.client.get(address, headers={"Range": "bytes=-3"}).content == whole[-3:]
    many = shared_server.client.get(address, headers={"Range": "bytes=0-1,3-4"})
    assert (many.status_code, many.content) == (200, whole)
    outside = shared_server.client.get(address, headers={"Range": f"bytes={len(whole)}-"})
    assert outside.status_code == 416
    assert outside.headers["content-range"] == f"bytes */{len(whole)}"
    stale = shared_server.client.get(address, headers={"Range": "bytes=0-1", "If-Range": '"other"'})
    assert stale.status_code == 200


def test_head_tells_the_size_and_sends_nothing(shared_server: Server, artifact: dict[str, Any]) -> None:
    answer = shared_server.client.head(f"/api/artifacts/{artifact['id']}")
    assert (answer.status_code, answer.content) == (200, b"")
    assert int(answer.headers["content-length"]) > 0


@pytest.mark.parametrize("wrong", ["nothing", "..%2f..%2ftoken", "%2e%2e", "a" * 65, "a.b"])
def test_what_is_not_an_artifact_is_a_problem(shared_server: Server, wrong: str) -> None:
    answer = shared_server.client.get(f"/api/artifacts/{wrong}")
    assert answer.status_code in {404, 422}
    assert answer.headers["content-type"] == "application/problem+json"


def test_series_are_thinned_tailed_and_cut(shared_server: Server, run: dict[str, Any]) -> None:
    address = f"/api/runs/{run['id']}/metrics"
    whole = shared_server.client.get(address).json()["series"]
    assert {"reward", "length"} <= set(whole)
    reward = whole["reward"]
    assert len(reward["value"]) == len(reward["step"]) == len(reward["time"]) == len(reward["index"])
    assert reward["total"] == run["progress"]["episodes"]
    few = shared_server.client.get(address, params={"names": "reward", "points": 10}).json()["series"]
    assert list(few) == ["reward"]
    assert len(few["reward"]["value"]) <= 10
    tail = shared_server.client.get(address, params={"tail": 3, "names": "reward"}).json()["series"]["reward"]
    assert tail["index"][-1] == reward["total"] - 1
    assert len(tail["index"]) == 3
    middle = shared_server.client.get(address, params={"names": "reward", "from": 5000, "to": 6000}).json()[
        "series"
    ]["reward"]
    assert middle["step"]
    assert all(5000 <= step <= 6000 for step in middle["step"])


@pytest.mark.parametrize(
    "query", [{"points": 2}, {"points": 20_001}, {"tail": 0}, {"from": "nan"}, {"to": -1}]
)
def test_series_have_bounds(shared_server: Server, run: dict[str, Any], query: dict[str, Any]) -> None:
    assert shared_server.client.get(f"/api/runs/{run['id']}/metrics", params=query).status_code == 422


def test_episodes_come_in_pages(shared_server: Server, run: dict[str, Any]) -> None:
    address = f"/api/runs/{run['id']}/episodes"
    page = shared_server.client.get(address, params={"limit": 5}).json()
    assert page["total"] == run["progress"]["episodes"]
    numbers = [row["episode"] for row in page["items"]]
    assert numbers == list(range(page["total"] - 1, page["total"] - 6, -1))
    following = shared_server.client.get(address, params={"limit": 5, "cursor": page["next_cursor"]}).json()
    assert following["items"][0]["episode"] == numbers[-1] - 1
    best = shared_server.client.get(address, params={"sort": "-reward", "limit": 2}).json()["items"]
    assert best[0]["reward"] >= best[1]["reward"]


def test_a_bar_of_the_histogram_lists_exactly_its_episodes(
    shared_server: Server, run: dict[str, Any]
) -> None:
    address = f"/api/runs/{run['id']}/episodes"
    found = shared_server.client.get(f"{address}/histogram", params={"bars": 8}).json()
    assert sum(bar["episodes"] for bar in found["bars"]) == found["episodes"] == run["progress"]["episodes"]
    bar = max(found["bars"], key=lambda bar: bar["episodes"])
    listed = shared_server.client.get(address, params={"min_reward": bar["low"], "max_reward": bar["high"]})
    assert listed.json()["total"] == bar["episodes"]


def test_a_note_on_an_episode_is_listed_with_it(shared_server: Server, run: dict[str, Any]) -> None:
    address = f"/api/runs/{run['id']}/episodes"
    written = shared_server.client.put(f"{address}/2/note", json={"text": " fell over "})
    assert written.json()["note"] == "fell over"
    noted = shared_server.client.get(address, params={"noted": True}).json()
    assert [(row["episode"], row["note"]) for row in noted["items"]] == [(2, "fell over")]
    assert shared_server.client.put(f"{address}/2/note", json={"text": ""}).json()["note"] is None
    assert shared_server.client.get(address, params={"noted": True}).json()["total"] == 0
    missing = shared_server.client.put(f"{address}/999999/note", json={"text": "x"})
    assert missing.status_code == 404 and "no episode 999999" in missing.json()["detail"]


def test_an_ended_run_is_found_by_a_metric(shared_server: Server, run: dict[str, Any]) -> None:
    last = run["summary"]["metrics"]["reward"]
    query = {"q": f"metrics.reward:{last} and {run['id']}"}
    assert shared_server.client.get("/api/runs", params=query).json()["total"] == 1


def test_the_workers_own_output_is_at_hand(shared_server: Server) -> None:
    made = shared_server.create(params={"crash_at": 100}, start=True)
    failed = shared_server.wait(made["id"], "failed")
    assert failed["reason"]["message"]
    lines = shared_server.client.get(f"/api/runs/{made['id']}/log", params={"tail": 100}).json()["lines"]
    assert any("Traceback" in line for line in lines)
    assert (
        len(shared_server.client.get(f"/api/runs/{made['id']}/log", params={"tail": 1}).json()["lines"]) == 1
    )
