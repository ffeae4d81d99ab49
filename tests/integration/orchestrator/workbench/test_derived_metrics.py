"""Derived metrics on a real lab: charted, exported, filtered and compared like every other metric."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.server import Server, command, serve
from support.waiting import wait_until


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serve(tmp_path_factory.mktemp("derived") / "home") as opened:
        yield opened


@pytest.fixture(scope="module")
def run(server: Server) -> dict[str, Any]:
    """Ended before any derived metric was saved."""
    made = server.create(name="first", start=True)
    return server.wait(made["id"], "succeeded")


@pytest.fixture(scope="module")
def per_step(server: Server, run: dict[str, Any]) -> str:
    body = {"name": "per_step", "expression": "return / length", "note": "how good a step is"}
    saved = server.client.post("/api/derived-metrics", json=body)
    assert saved.status_code == 201, saved.text
    assert saved.json()["uses"] == ["reward", "length"]
    server.client.post("/api/derived-metrics", json={"name": "smooth", "expression": "ema(per_step, 0.5)"})
    return "per_step"


def values(server: Server, run_id: str, **query: Any) -> dict[str, Any]:
    found = server.client.get(f"/api/runs/{run_id}/metrics", params=query).json()["series"]
    return {name: one["value"] for name, one in found.items()}


def test_a_derived_metric_is_a_series_of_every_run(
    server: Server, run: dict[str, Any], per_step: str
) -> None:
    found = values(server, run["id"])
    expected = [reward / length for reward, length in zip(found["reward"], found["length"], strict=True)]
    assert found[per_step] == pytest.approx(expected)
    assert found["smooth"][:2] == pytest.approx([expected[0], (expected[0] + expected[1]) / 2])
    assert list(values(server, run["id"], names="smooth")) == ["smooth"]
    assert values(server, run["id"], names="smooth", tail=3)["smooth"] == pytest.approx(found["smooth"][-3:])
    series = server.client.get(f"/api/runs/{run['id']}/metrics").json()["series"]
    assert series["smooth"]["source"] == "derived: ema(per_step, 0.5)"
    assert series["smooth"]["step"] == series["reward"]["step"]
    few = server.client.get(f"/api/runs/{run['id']}/metrics", params={"points": 10}).json()["series"][
        "smooth"
    ]
    assert len(few["value"]) <= 10 < few["total"]
    assert set(few["value"]) <= set(found["smooth"])


def test_it_is_exported_with_the_rest(server: Server, run: dict[str, Any], per_step: str) -> None:
    table = csv.DictReader(io.StringIO(server.client.get(f"/api/runs/{run['id']}/metrics.csv").text))
    rows = [row for row in table if row["reward"]]
    assert float(rows[0][per_step]) == pytest.approx(float(rows[0]["reward"]) / float(rows[0]["length"]))
    query = {"runs": run["id"], "format": "csv", "table": "metrics"}
    long = csv.DictReader(io.StringIO(server.client.get("/api/exports", params=query).text))
    assert sum(row["metric"] == per_step for row in long) == len(rows)


def test_runs_that_have_ended_are_filtered_and_sorted_by_it(
    server: Server, run: dict[str, Any], per_step: str
) -> None:
    def listed(**query: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = server.client.get("/api/runs", params=query).json()["items"]
        return found

    later = server.create(name="second", seed=2, start=True)
    server.wait(later["id"], "succeeded")
    wait_until(lambda: len(listed(q="metrics.smooth>-1000")) == 2, "the values of both runs")
    ordered = listed(sort="-metrics.smooth")
    last = [one["summary"]["derived"]["smooth"] for one in ordered]
    assert last == sorted(last, reverse=True)
    assert not listed(q="metrics.smooth>1000")
    done = command(server.home, "runs", "metrics.smooth>-1000", "--json")
    assert {one["id"] for one in json.loads(done.stdout)["items"]} == {run["id"], later["id"]}


def test_a_changed_expression_changes_values_and_all_that_use_it(server: Server, run: dict[str, Any]) -> None:
    def last() -> dict[str, float]:
        found: dict[str, float] = server.client.get(f"/api/runs/{run['id']}").json()["summary"]["derived"]
        return found

    server.client.post("/api/derived-metrics", json={"name": "one", "expression": "reward * 0 + 1"})
    server.client.post("/api/derived-metrics", json={"name": "two", "expression": "one + 1"})
    wait_until(lambda: last().get("two") == 2, "the first values")
    changed = server.client.patch("/api/derived-metrics/one", json={"expression": "reward * 0 + 5"})
    assert changed.json()["used_by"] == ["two"]
    wait_until(lambda: (last().get("one"), last().get("two")) == (5, 6), "the changed values")
    refused = server.client.delete("/api/derived-metrics/one")
    assert (refused.status_code, "is used by “two”" in refused.json()["detail"]) == (409, True)
    server.client.delete("/api/derived-metrics/two")
    server.client.delete("/api/derived-metrics/one")
    assert not {"one", "two"} & set(last())


def test_seeds_are_compared_by_it(server: Server, run: dict[str, Any], per_step: str) -> None:
    query = {"runs": run["id"], "metric": per_step}
    found = server.client.get("/api/compare/curves", params=query)
    assert found.status_code == 200, found.text
    assert found.json()["metric"] == per_step
    assert len(found.json()["groups"][0]["value"]) > 2, found.text


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        ({"name": "loss", "expression": "reward"}, 422, "means something else"),
        ({"name": "Per_Step", "expression": "reward"}, 409, "already"),
        ({"name": "a b", "expression": "reward"}, 422, "Use letters"),
        ({"name": "self", "expression": "self + 1"}, 422, "cannot use itself"),
        ({"name": "typo", "expression": "rewrad * 2"}, 422, "Did you mean reward?"),
        ({"name": "shell", "expression": "__import__(os)"}, 422, "There is no function"),
        ({"name": "long", "expression": "a+" * 400}, 422, "at most 500"),
        ({"name": "odd", "expression": "\ud83d"}, 422, ""),
    ],
)
def test_rubbish_is_refused(
    server: Server, per_step: str, body: dict[str, Any], status: int, words: str
) -> None:
    answer = server.client.post("/api/derived-metrics", content=json.dumps(body), headers=JSON)
    assert answer.status_code == status
    assert words in answer.text


JSON = {"Content-Type": "application/json"}


def test_a_metric_that_a_run_has_recorded_is_not_hidden(server: Server, run: dict[str, Any]) -> None:
    own = next(name for name in run["summary"]["metrics"] if name not in ("reward", "length", "loss"))
    answer = server.client.post("/api/derived-metrics", json={"name": own, "expression": "reward"})
    assert answer.status_code in (409, 422)


def test_a_circle_through_a_change_is_refused(server: Server, per_step: str) -> None:
    answer = server.client.patch("/api/derived-metrics/per_step", json={"expression": "smooth * 2"})
    assert answer.status_code == 422
    assert "per_step → smooth → per_step" in answer.json()["detail"]


def test_an_expression_is_tried_on_a_run_before_it_is_saved(server: Server, run: dict[str, Any]) -> None:
    def preview(expression: str) -> dict[str, Any]:
        body = {"expression": expression, "run_id": run["id"], "points": 20}
        found: dict[str, Any] = server.client.post("/api/derived-metrics/preview", json=body).json()
        return found

    good = preview("mean(return, 5)")
    assert good["fault"] is None and 3 <= len(good["series"]["value"]) <= 20
    fault = {"message": "There is no metric “lenght”. Did you mean length?", "column": 9}
    assert preview("return / lenght") == {"series": None, "fault": fault}
    assert preview("0 / 0 * reward")["series"]["value"][0] is None


def test_the_commands_list_add_change_show_and_delete(
    server: Server, run: dict[str, Any], per_step: str
) -> None:
    home: Path = server.home
    made = command(home, "metrics", "add", "half", "return / 2", "--note", "half of it")
    assert (made.returncode, "half = return / 2 is saved" in made.stdout) == (0, True)
    assert "half of it" in command(home, "metrics").stdout
    shown = command(home, "metrics", "show", "first", "half", "--points", "5", "--json")
    assert len(json.loads(shown.stdout)["value"]) <= 5
    missing = command(home, "metrics", "show", "first", "hlaf")
    assert (missing.returncode, "Did you mean half?" in missing.stderr) == (1, True)
    wrong = command(home, "metrics", "change", "half", "return /")
    assert wrong.returncode == 2
    assert wrong.stderr.splitlines()[1:3] == ["  return /", "          ^"]
    assert command(home, "metrics", "delete", "half").returncode == 0
    assert "half" not in command(home, "metrics", "list").stdout
