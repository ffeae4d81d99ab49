"""What the commands of protocols, metrics, alerts, sweeps and certifications ask the lab for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import typer
from support.fake_lab import FakeLab, put_fake_lab

from rl_lab.cli.main import app, run

PROTOCOL = {"name": "p", "version": 1, "is_built_in": False}
ALERT = {"id": "1h5w2k0p7q3x", "name": "good", "rule": {}}
SOURCE = "import gymnasium\n\nclass Grid(gymnasium.Env):\n    pass\n"
SAVED_GRID = {
    "name": "grid",
    "version": 4,
    "sha256": "a" * 64,
    "source": SOURCE,
    "check": {"is_usable": True},
}


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    file = tmp_path / "grid.py"
    file.write_text(SOURCE)
    return file


def test_a_protocol_takes_wrappers_and_arguments_as_a_training_does(monkeypatch: pytest.MonkeyPatch) -> None:
    lab = put_fake_lab(monkeypatch, {"POST /api/protocols": PROTOCOL})
    typed = ["--wrapper", "frame_stack:frames=4", "--env-arg", "gravity=-8"]
    assert run(["protocols", "save", "p", "--env-kwargs", '{"gravity": -1, "wind": true}', *typed]) == 0
    ((_, body),) = lab.sent("POST")
    assert body["env_kwargs"] == {
        "gravity": -8,
        "wind": True,
        "wrappers": [{"id": "frame_stack", "frames": 4}],
    }


@pytest.mark.parametrize("typed", ["good", "1h5w"])
def test_firings_of_one_alert_are_listed(typed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = put_fake_lab(monkeypatch, {"GET /api/alerts": [ALERT], "GET /api/alerts/firings": []})
    assert run(["alerts", "firings", "--alert", typed]) == 0
    assert lab.sent("GET")[-1] == ("/api/alerts/firings", {"alert_id": ALERT["id"], "limit": 20})


def test_changing_nothing_of_a_metric_is_wrong_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    lab = put_fake_lab(monkeypatch, {})
    assert run(["metrics", "change", "reward_per_step"]) == 2
    assert lab.asked == []
    assert "Nothing is changed" in capsys.readouterr().err


def environment_of(lab: FakeLab, address: str, *path: str) -> Any:
    found: Any = next(body for asked, body in lab.sent("POST") if asked == address)
    for name in path:
        found = found[name]
    return found["env_id"]


def test_a_sweep_takes_a_file_as_environment(grid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = put_fake_lab(monkeypatch, {"POST /api/own-environments": SAVED_GRID})
    run(["sweep", str(grid), "--grid", "learning_rate=0.1,0.2", "--detach"])
    assert environment_of(lab, "/api/studies", "base") == "own:grid-v4"


def test_a_certification_takes_a_file_as_environment(grid: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lab = put_fake_lab(monkeypatch, {"POST /api/own-environments": SAVED_GRID})
    run(["certify", "--env", str(grid), "--runner", "turbo"])
    assert environment_of(lab, "/api/certificates") == "own:grid-v4"


@pytest.mark.parametrize(
    ("group", "verbs"),
    [
        ("rewards", {"save", "add"}),
        ("evaluation-codes", {"save", "add"}),
        ("own-environments", {"save", "add"}),
        ("protocols", {"save", "add"}),
        ("metrics", {"save", "add", "change", "edit"}),
        ("alerts", {"save", "add", "change", "edit"}),
    ],
)
def test_each_kind_takes_the_verbs_of_the_others(group: str, verbs: set[str]) -> None:
    commands = typer.main.get_command(app).commands[group].commands  # type: ignore[attr-defined]
    assert verbs <= set(commands)
    assert len([name for name in verbs if not commands[name].hidden]) == len(verbs) // 2, "one is shown"
