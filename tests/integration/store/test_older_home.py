"""A home made by version 0.1 as it was before the code moved into rooms: every run opens, and answers as it did.

`home-0.1.tar.xz` holds a training with its evaluation, fork, duel and film, a captured script, an adopted folder, an
archived and a stopped training; `home-0.1-answers.json.xz` what that version answered about each of them.
"""

from __future__ import annotations

import json
import lzma
import re
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.server import Server, serve
from support.viewer import view

from rl_lab.core.run_events import FORMER_NAMES

DATA = Path(__file__).parent / "data"
FIRST, SCRIPT, STOPPED, ADOPTED = "1nfm5sxcr0pw", "1nfm5tvf9jfj", "1nfm5wf8qxrp", "1nfm5tzbya5g"
ANSWERS: dict[str, dict[str, Any]] = json.loads(
    lzma.decompress((DATA / "home-0.1-answers.json.xz").read_bytes())
)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = tmp_path_factory.mktemp("older") / "home"
    with tarfile.open(DATA / "home-0.1.tar.xz") as archive:
        archive.extractall(home, filter="data")
    with serve(home) as server:
        yield server


def get(lab: Server, address: str) -> Any:
    answer = lab.client.get(address)
    assert answer.status_code == 200, f"{address}: {answer.text}"
    return answer.json()


WITHDRAWN = re.compile(r"\b(return_)?ci\[[01]\]: .*|\.length: 0$")
"""What was not true: intervals of fewer than five values, and the length 0 of episodes whose length is unknown."""


def missing(old: Any, new: Any, place: str = "") -> list[str]:
    """Where the new answer lacks something of the old one, or says something else; new fields are fine."""
    if isinstance(old, dict) and isinstance(new, dict):
        return [
            gap
            for key, value in old.items()
            for gap in (missing(value, new[key], f"{place}.{key}") if key in new else [f"{place}.{key}"])
        ]
    if isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        return [
            gap
            for i, (a, b) in enumerate(zip(old, new, strict=True))
            for gap in missing(a, b, f"{place}[{i}]")
        ]
    if new is None and WITHDRAWN.search(f"{place}: {old!r}"):
        return []
    return [] if old == new else [f"{place}: {old!r} became {new!r}"]


@pytest.mark.parametrize("run_id", sorted(ANSWERS))
def test_a_run_answers_as_before(lab: Server, run_id: str) -> None:
    old = ANSWERS[run_id]
    run = get(lab, f"/api/runs/{run_id}")
    if run_id == ADOPTED:  # the folder it follows is not there any more, so its state changes
        old["run"].pop("status"), old["run"].pop("reason")
    assert missing(old["run"], run) == []
    assert missing(old["metrics"], get(lab, f"/api/runs/{run_id}/metrics")) == []
    assert missing(old["episodes"], get(lab, f"/api/runs/{run_id}/episodes?limit=200")) == []
    assert missing(old["evaluations"], get(lab, f"/api/runs/{run_id}/evaluations")) == []


@pytest.mark.parametrize("run_id", sorted(ANSWERS))
def test_every_event_and_file_of_a_run_is_there(lab: Server, run_id: str) -> None:
    events = {event["id"]: event for event in get(lab, f"/api/runs/{run_id}/events?limit=200")["items"]}
    for event in ANSWERS[run_id]["events"]:
        event["type"] = FORMER_NAMES.get(event["type"], event["type"])
        assert missing(event, events[event["id"]]) == []
    files = {file["id"]: file for file in get(lab, f"/api/runs/{run_id}/artifacts")}
    for file in ANSWERS[run_id]["artifacts"]:
        assert missing(file, files[file["id"]]) == []
        if run_id != ADOPTED:
            content = lab.client.get(f"/api/artifacts/{file['id']}")
            assert content.status_code == 200
            assert len(content.content) == file["size"] or file["size"] == 0


@pytest.mark.parametrize(("run_id", "episode"), [(FIRST, 3), (SCRIPT, 0), (SCRIPT, 1)])
def test_a_recorded_episode_is_replayed(lab: Server, run_id: str, episode: int) -> None:
    [row] = [
        e for e in get(lab, f"/api/runs/{run_id}/episodes?limit=200")["items"] if e["episode"] == episode
    ]
    with view(lab, f"/api/runs/{run_id}/episodes/{episode}/replay") as viewer:
        opened = viewer.next().header
        assert (opened["op"], opened["length"]) == ("opened", row["length"])
        viewer.picture()
        assert viewer.seek(row["length"]).header["step"] == row["length"]


def test_a_report_and_insights_are_made(lab: Server) -> None:
    report = lab.client.get(f"/api/runs/{FIRST}/report?format=text")
    assert report.status_code == 200 and "first training" in report.text
    assert lab.client.get(f"/api/runs/{FIRST}/insights").status_code == 200


def test_a_stopped_training_resumes_from_its_checkpoint(lab: Server) -> None:
    steps = get(lab, f"/api/runs/{STOPPED}")["progress"]["timestep"]
    assert lab.client.post(f"/api/runs/{STOPPED}/resume").status_code == 202
    lab.wait(STOPPED, "running")
    lab.client.post(f"/api/runs/{STOPPED}/stop")
    assert lab.wait(STOPPED, "stopped")["progress"]["timestep"] >= steps


def test_a_training_is_evaluated_again(lab: Server) -> None:
    answer = lab.client.post(f"/api/runs/{FIRST}/evaluations", json={"episodes": 2, "record": False})
    assert answer.status_code == 202, answer.text
    assert lab.wait(answer.json()["id"], "succeeded", "failed")["status"] == "succeeded"
    assert get(lab, f"/api/runs/{FIRST}/evaluations/latest")["summary"]["episodes"] == 2
