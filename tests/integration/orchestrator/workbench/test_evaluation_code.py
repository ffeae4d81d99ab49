"""Evaluation code looks at whole episodes: its numbers go wherever the score goes, and its failures cost no score."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from support.server import command
from support.studio import FINAL, Studio, observations_of
from support.waiting import wait_until

CODE = """
def evaluate(episode):
    assert len(episode.observations) == len(episode.infos) == episode.length + 1
    assert len(episode.actions) == len(episode.rewards) == episode.length
    return {
        "first_angle": episode.observations[0][2],
        "turns": (episode.actions[1:] != episode.actions[:-1]).sum(),
        "twice_the_return": 2 * episode.return_,
        "seed_again": episode.seed,
    }
"""


def save(studio: Studio, name: str, source: str) -> dict[str, Any]:
    return studio.post("/api/evaluation-codes", name=name, source=source)


def evaluate(studio: Studio, run_id: str, **wanted: Any) -> dict[str, Any]:
    return studio.job(f"/api/runs/{run_id}/evaluations", record=False, **wanted)


@pytest.fixture(scope="module")
def measured(studio: Studio) -> dict[str, Any]:
    save(studio, "angles", CODE)
    return evaluate(studio, studio.novice, seeds=[3, 4, 5, 6, 7], code={"name": "angles"})


def test_the_numbers_are_those_of_the_played_episodes(studio: Studio, measured: dict[str, Any]) -> None:
    result = measured["summary"]["result"]
    numbers = result["numbers"]
    seen = [observations_of(studio.recording(measured["id"], n)) for n in range(5)]
    assert numbers["first_angle"]["values"] == pytest.approx([float(one[0][2]) for one in seen])
    assert numbers["twice_the_return"]["values"] == [2 * one for one in result["returns"]]
    assert numbers["seed_again"]["values"] == result["seeds"] == [3, 4, 5, 6, 7]
    turns = numbers["turns"]
    assert turns["mean"] == pytest.approx(sum(turns["values"]) / 5)
    assert turns["ci"][0] <= turns["mean"] <= turns["ci"][1], "five episodes give an interval"
    assert (turns["episodes"], result["code"], result["code_problem"]) == (5, "angles@v1", None)


def test_the_evaluation_names_the_exact_code_and_keeps_a_copy(
    studio: Studio, measured: dict[str, Any]
) -> None:
    assert measured["config"]["code"] == {
        "name": "angles",
        "version": 1,
        "sha256": hashlib.sha256(CODE.encode()).hexdigest(),
    }
    assert studio.file(measured["id"], "eval/evaluation_code.py").read_text() == CODE


def test_the_result_line_the_list_and_the_report_have_the_numbers(
    studio: Studio, measured: dict[str, Any]
) -> None:
    words = "angles@v1: first_angle"
    wait_until(lambda: studio.has_event(studio.novice, "evaluation_complete", words), "the hand-in")
    client = studio.server.client
    query = {"q": "metrics.twice_the_return > 0", "sort": "-metrics.twice_the_return"}
    listed = wait_until(lambda: client.get("/api/runs", params=query).json()["items"], "the filtered run")
    assert studio.novice in [run["id"] for run in listed]
    [run] = [run for run in listed if run["id"] == studio.novice]
    mean = measured["summary"]["result"]["numbers"]["twice_the_return"]["mean"]
    assert run["summary"]["numbers"]["twice_the_return"] == mean
    for form in ("text", "html", "json"):
        report = client.get(f"/api/runs/{studio.novice}/report", params={"format": form}).text
        assert "twice_the_return" in report
        assert "angles@v1" in report


def test_a_number_is_compared_like_a_return(studio: Studio, measured: dict[str, Any]) -> None:
    evaluate(studio, studio.expert, seeds=[3, 4, 5, 6, 7], code={"name": "angles", "version": 1})
    asked = {"runs": [studio.novice, studio.expert], "measure": "twice_the_return"}
    found = studio.server.client.get("/api/compare", params=asked).json()
    title = "mean twice_the_return of the newest evaluation ("
    assert found["measures"]["twice_the_return"].startswith(title)
    means = [group["statistics"]["twice_the_return"]["mean"] for group in found["groups"]]
    assert means[0] == measured["summary"]["result"]["numbers"]["twice_the_return"]["mean"]
    assert means[1] > means[0]
    assert found["measure"] == "twice_the_return"
    assert any("higher" in note for note in found["notes"])
    refused = studio.server.client.get("/api/compare", params={**asked, "measure": "angels"})
    assert refused.status_code == 422
    assert "twice_the_return" in refused.json()["errors"][0]["allowed"]


@pytest.mark.parametrize(
    ("name", "body", "told"),
    [
        ("divides", "    return {'x': 1 / (episode.seed - 4)}", "in line 2: ZeroDivisionError"),
        ("vector", "    return {'x': episode.rewards}", "an array of shape"),
        ("nothing", "    return None", "must return a dict of numbers"),
        ("exits", "    import os; os._exit(3)", "ended its own process"),
    ],
)
def test_code_that_fails_does_not_cost_the_score(studio: Studio, name: str, body: str, told: str) -> None:
    save(studio, name, f"def evaluate(episode):\n{body}\n")
    result = evaluate(studio, studio.novice, seeds=[3, 4], code={"name": name})["summary"]["result"]
    assert len(result["returns"]) == 2
    assert result["numbers"] == {}
    problem = result["code_problem"]
    assert told in problem["message"]
    if name == "divides":
        assert (problem["line"], problem["episode"], problem["seed"]) == (2, 1, 4)
        assert "episode 1, seed 4" in problem["message"]


def test_a_preview_has_the_numbers_that_the_evaluation_has(studio: Studio, measured: dict[str, Any]) -> None:
    preview = studio.post("/api/evaluation-codes/preview", source=CODE, run_id=measured["id"], limit=3)
    numbers = measured["summary"]["result"]["numbers"]
    assert [one["episode"] for one in preview["episodes"]] == [2, 3, 4]
    for one in preview["episodes"]:
        for name, value in one["numbers"].items():
            assert value == pytest.approx(numbers[name]["values"][one["episode"]])
    assert preview["numbers"]["turns"]["episodes"] == 3
    failing = "def evaluate(episode):\n    return {'x': 1 / (episode.seed - 6)}\n"
    failed = studio.post("/api/evaluation-codes/preview", source=failing, run_id=measured["id"])
    assert [one["episode"] for one in failed["episodes"]] == [0, 1, 2]
    assert (failed["problem"]["episode"], failed["problem"]["line"]) == (3, 2)


def test_a_preview_of_a_training_uses_its_recorded_episodes(studio: Studio) -> None:
    preview = studio.post("/api/evaluation-codes/preview", source=CODE, run_id=studio.novice, limit=2)
    assert len(preview["episodes"]) == 2
    recorded = {one["episode"]: one for one in studio.episodes(studio.novice, recorded=True, limit=5)}
    for one in preview["episodes"]:
        assert one["returned"] == recorded[one["episode"]]["reward"]


def test_a_preview_refuses_what_it_cannot_try(studio: Studio) -> None:
    address = "/api/evaluation-codes/preview"
    wrong = studio.refused(address, source="def evaluate(episode):\n  return {", run_id=studio.novice)
    assert wrong["status"] == 422
    assert "Line 2" in wrong["detail"]
    assert studio.refused(address, run_id=studio.novice)["status"] == 422
    unknown = studio.refused(address, choice={"name": "unknown"}, run_id=studio.novice)
    assert (unknown["status"], "no evaluation code" in unknown["detail"]) == (404, True)


def test_the_command_line_evaluates_with_a_file_and_previews_it(studio: Studio, tmp_path: Path) -> None:
    file = tmp_path / "lean.py"
    file.write_text("def evaluate(episode):\n    return {'lean': abs(episode.observations[-1][2])}\n")
    with_code = ("--code", str(file), "--episodes", "2", "--no-video")
    done = command(studio.home, "evaluate", studio.novice, *with_code)
    assert done.returncode == 0, done.stderr
    assert "lean@v1" in done.stdout + done.stderr
    assert "2 episodes, seeds derived, best actions, code lean@v1" in done.stdout
    tried = command(studio.home, "evaluation-codes", "preview", str(file), "--run", studio.novice)
    assert tried.returncode == 0, tried.stderr
    assert "lean: " in tried.stdout


def test_episodes_until_a_stop_have_their_numbers(studio: Studio) -> None:
    address = f"/api/runs/{studio.novice}/evaluations"
    job_id = studio.post(address, episodes=100, record=False, code={"name": "angles"})["id"]
    run = f"/api/runs/{job_id}"
    wait_until(lambda: studio.server.client.get(run).json()["progress"]["timestep"] >= 2, "two episodes")
    studio.post(f"{run}/stop")
    assert studio.server.wait(job_id, *FINAL)["status"] == "stopped"
    result = studio.server.client.get(run).json()["summary"]["result"]
    assert len(result["numbers"]["turns"]["values"]) == result["episodes"] < 100
