"""Models of a real lab, by API and command line: names, jobs that play them, inspection, comparison."""

from __future__ import annotations

import json
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import psutil
import pytest
from support.forked_calls import find_calls
from support.studio import Studio
from support.waiting import wait_until

from rl_lab.cli.main import run

Cli = Callable[..., str]


@pytest.fixture
def cli(studio: Studio, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """A command against the studio's server; what it printed."""
    monkeypatch.setenv("RL_LAB_HOME", str(studio.home))

    def command(*words: str, fails: bool = False) -> str:
        code = run(list(words))
        printed = capsys.readouterr()
        assert bool(code) is fails, printed.err + printed.out
        return printed.err if fails else printed.out

    return command


def get(studio: Studio, path: str, **query: Any) -> Any:
    answer = studio.server.client.get(path, params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_named_model_is_listed_played_and_compared(studio: Studio, cli: Cli) -> None:
    added = json.loads(cli("models", "add", "pole", f"{studio.novice}@best", "-l", "candidate", "--json"))
    assert added["versions"][0]["run_id"] == studio.novice
    assert "v2" in cli("models", "add", "Pole", studio.expert, "--label", "production", "--note", "steady")
    assert "production=v2" in cli("models")
    assert "steady" in cli("models", "show", "pole@production")
    assert "pole v2" in cli("models", "--run", studio.expert, "--named")

    played = json.loads(cli("evaluate", "pole@candidate", "-e", "1", "--no-video", "--json"))
    assert played["config"]["run_id"] == studio.novice
    compared = json.loads(cli("models", "compare", "pole@v1", "pole@v2", "--json"))
    assert [one["name"] for one in compared["configuration"]][:1] == ["params.learning_rate"]
    assert compared["shapes"] == [] and not compared["has_same_weights"]
    assert "learning_rate" in cli("models", "compare", "pole@v1", "pole@v2")
    assert "has no version or label “best”" in cli("evaluate", "pole@best", fails=True)

    cli("models", "label", "pole@v1", "production")
    assert get(studio, "/api/models/pole")["versions"][1]["labels"] == ["candidate", "production"]
    assert "name one, or remove all" in cli("models", "remove", "pole", fails=True)
    cli("models", "rename", "pole", "cart pole")
    cli("models", "remove", "cart-pole@v1")
    assert [one["version"] for one in get(studio, "/api/models/cart pole")["versions"]] == [2]
    cli("models", "remove", "cart-pole", "--all")
    assert get(studio, "/api/models") == {"items": []}


def test_every_checkpoint_is_listed_with_its_run(studio: Studio) -> None:
    page = get(studio, "/api/checkpoints", run_id=studio.expert, sort="timestep")
    best = [one for one in page["items"] if one["is_best"]]
    # The best one may be of the last step too.
    newest = [one["timestep"] for one in page["items"] if one["is_newest"]]
    assert newest == [page["items"][0]["timestep"]]
    assert len(best) == 1 and page["total"] == len(page["items"])
    assert {one["env_id"] for one in page["items"]} == {"CartPole-v1"}
    assert all(one["is_playable"] and one["sha256"] for one in page["items"])
    detail = get(studio, f"/api/checkpoints/{best[0]['id']}")
    assert detail["params"]["hidden"] and detail["run_status"] == "succeeded" and detail["origin"] == "lab"
    missing = studio.server.client.get("/api/checkpoints/nothing")
    assert missing.status_code == 404 and "nothing" in missing.json()["detail"]


def test_a_checkpoint_is_inspected_and_the_answer_remembered(studio: Studio, cli: Cli) -> None:
    printed = cli("models", "inspect", f"{studio.expert}@best", "--part", "activations")
    assert "policy.hidden1" in printed and "fresh steps of CartPole-v1" in printed
    best = next(
        one for one in get(studio, "/api/checkpoints", run_id=studio.expert)["items"] if one["is_best"]
    )
    address = f"/api/checkpoints/{best['id']}/inspection"
    weights = get(studio, address)
    assert weights["sha256"] == best["sha256"] and weights["parameters"] > 100
    assert get(studio, address) == weights
    surface = get(studio, address, part="loss_surface")["loss_surface"]
    assert len(surface["values"]) == len(surface["steps"]) == 21
    assert surface["values"][10][10] == pytest.approx(surface["centre"])


def test_an_inspection_ends_with_whoever_asked_for_it(studio: Studio) -> None:
    """A page that is left and a command that ends close their connection. Nobody waits, so nothing goes on."""
    server = studio.server
    checkpoint = get(studio, "/api/checkpoints", run_id=studio.novice)["items"][0]["id"]
    with socket.create_connection((httpx2.URL(server.url).host, httpx2.URL(server.url).port)) as page:
        head = f"Host: {httpx2.URL(server.url).netloc.decode()}\r\nAuthorization: Bearer {server.token}"
        page.sendall(
            f"GET /api/checkpoints/{checkpoint}/inspection?part=gradients HTTP/1.1\r\n{head}\r\n\r\n".encode()
        )
        worker = _stopped_worker()
    wait_until(lambda: not worker.is_running(), "the worker of the page to end")
    assert get(studio, f"/api/checkpoints/{checkpoint}/inspection", part="gradients")["gradients"]


def _stopped_worker() -> psutil.Process:
    """The process of the inspection, halted as soon as it is there, so that it cannot have finished."""
    found = wait_until(lambda: find_calls("inspect_checkpoint"), "the worker of the inspection")
    found[0].suspend()
    return found[0]


def test_a_run_without_relatives_has_a_lineage_of_its_own(studio: Studio, cli: Cli) -> None:
    wanted = {"env_id": "CartPole-v1", "runner": "turbo", "algorithm": "ppo", "start": False}
    alone = studio.server.client.post("/api/runs", json=wanted).json()["id"]
    assert "was not started from another run" in cli("models", "lineage", alone)


def test_an_imported_model_is_inspected_in_a_confined_process(
    studio: Studio, cli: Cli, tmp_path: Path
) -> None:
    items = get(studio, "/api/checkpoints", run_id=studio.expert)["items"]
    best = next(one for one in items if one["is_best"])
    file = tmp_path / "expert.safetensors"
    file.write_bytes(studio.server.client.get(f"/api/artifacts/{best['id']}").content)
    imported = json.loads(cli("import", str(file), "--name", "from a friend", "--yes", "--json"))
    [item] = get(studio, "/api/checkpoints", run_id=imported["id"])["items"]
    assert get(studio, f"/api/checkpoints/{item['id']}")["origin"] == "import"
    answer = studio.server.client.get(
        f"/api/checkpoints/{item['id']}/inspection", params={"part": "gradients"}
    )
    if answer.status_code == 409:  # this machine cannot confine a process
        assert "cannot confine" in answer.json()["detail"]
    else:
        assert answer.status_code == 200, answer.text
        own = get(studio, f"/api/checkpoints/{best['id']}/inspection", part="weights")
        assert answer.json()["parameters"] == own["parameters"]
        difference = get(studio, f"/api/checkpoints/{best['id']}/difference/{item['id']}")
        assert difference["weights_problem"] is None
        assert difference["has_same_weights"]
