"""What a runner needs is installed into the lab's own Python: real pip, a real server, toy wheels."""

from __future__ import annotations

import os
import pty
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from support.base_install import make_base_install, write_toy_wheels
from support.server import Server, command, command_of, environment, serve
from support.waiting import DEADLINE_S, wait_until

TRAIN = ("train", "CartPole-v1", "--runner", "sb3", "--algorithm", "ppo", "-n", "100", "--evaluate", "0")


@pytest.fixture
def python(tmp_path: Path) -> Path:
    return make_base_install(tmp_path / "base")


@pytest.fixture
def wheels(tmp_path: Path) -> Path:
    """Where pip looks, and nowhere else; empty at first."""
    folder = tmp_path / "wheels"
    folder.mkdir()
    return folder


@pytest.fixture
def base_server(home: Path, python: Path, wheels: Path) -> Iterator[Server]:
    with serve(home, python=python, **only(wheels)) as running:
        yield running


def only(wheels: Path) -> dict[str, str]:
    return {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(wheels), "PIP_CONFIG_FILE": os.devnull}


def find_runner(server: Server, runner_id: str = "sb3") -> dict[str, Any]:
    found: dict[str, Any] = next(r for r in server.client.get("/api/runners").json() if r["id"] == runner_id)
    return found


def finished(server: Server) -> dict[str, Any]:
    """The runner once its installation has ended."""

    def look() -> dict[str, Any] | None:
        runner = find_runner(server)
        return None if runner["preparing"]["state"] == "running" else runner

    return wait_until(look, "the end of the installation")


def install(server: Server) -> dict[str, Any]:
    answer = server.client.post("/api/runners/sb3/install")
    assert answer.status_code == 202, answer.text
    started: dict[str, Any] = answer.json()
    return started


def test_a_runner_without_its_extra_names_the_one_command_that_adds_it(base_server: Server) -> None:
    runner = find_runner(base_server)
    assert runner["ready"] is False and runner["preparing"] is None
    assert {(p["module"], p["extra"]) for p in runner["problems"]} == {
        ("torch", "sb3"),
        ("stable_baselines3", "sb3"),
    }
    body = {"env_id": "CartPole-v1", "algorithm": "ppo", "start": True}
    refused = base_server.client.post("/api/runs", json=body)
    assert refused.status_code == 409 and refused.json()["type"] == "urn:rl-lab:not-ready"
    assert refused.json()["next_step"].startswith("`rl-lab runners --install sb3` installs it")


def test_a_failed_installation_is_explained_and_can_be_repeated_without_a_restart(
    base_server: Server, wheels: Path
) -> None:
    assert install(base_server)["preparing"]["state"] == "running"
    failed = finished(base_server)
    assert failed["preparing"]["state"] == "failed" and failed["ready"] is False
    assert "pip could not install the packages" in failed["preparing"]["error"]
    assert "stable-baselines3" in failed["preparing"]["error"]
    write_toy_wheels(wheels)
    with ThreadPoolExecutor() as pool:  # two requests at once are one installation
        started = list(pool.map(lambda _: install(base_server), range(2)))
    assert {one["preparing"]["state"] for one in started} <= {"running", "done"}
    done = finished(base_server)
    assert done["ready"] is True and done["problems"] == []
    lines = [line for line in done["preparing"]["lines"] if line.startswith("Successfully installed")]
    assert len(lines) == 1 and "torch-" in lines[0] and "numpy" not in lines[0]


def test_only_known_runners_with_an_extra_can_be_installed_and_only_with_the_token(
    base_server: Server,
) -> None:
    assert base_server.client.post("/api/runners/turbo/install").status_code == 422
    assert base_server.client.post("/api/runners/requests/install").status_code == 422
    with base_server.stranger() as stranger:
        assert stranger.post("/api/runners/sb3/install").status_code == 401
    assert find_runner(base_server)["preparing"] is None


def test_train_never_installs_on_a_pipe_unless_told_to(home: Path, python: Path, wheels: Path) -> None:
    write_toy_wheels(wheels)
    refused = command(home, *TRAIN, python=python, **only(wheels))
    assert refused.returncode == 1
    assert "Next: `rl-lab runners --install sb3` installs it" in refused.stderr
    assert "Successfully installed" not in refused.stderr
    agreed = command(home, *TRAIN, "--yes", python=python, **only(wheels))
    assert "Successfully installed" in agreed.stderr
    assert "which is not installed" not in agreed.stderr


def test_train_asks_on_a_terminal(home: Path, python: Path, wheels: Path) -> None:
    write_toy_wheels(wheels)
    code, shown = answer_on_terminal([*command_of(python), *TRAIN], environment(home, **only(wheels)), "n")
    assert code == 1
    assert "Stable-Baselines3 needs stable_baselines3 and torch (not installed)." in shown
    assert "Successfully installed" not in shown
    _, shown = answer_on_terminal([*command_of(python), *TRAIN], environment(home, **only(wheels)), "y")
    assert "Successfully installed" in shown


def answer_on_terminal(argv: list[str], env: dict[str, str], answer: str) -> tuple[int, str]:
    """Runs a command on a terminal of its own and types the answer to its first question."""
    leader, follower = pty.openpty()
    process = subprocess.Popen(
        argv, env={**env, "COLUMNS": "200"}, stdin=follower, stdout=follower, stderr=follower
    )
    os.close(follower)
    shown, has_answered = b"", False
    try:
        while data := _read(leader):
            shown += data
            if b"[y/N]" in shown and not has_answered:
                os.write(leader, answer.encode() + b"\n")
                has_answered = True
        return process.wait(DEADLINE_S), shown.decode("utf-8", "replace").replace("\r\n", "\n")
    finally:
        os.close(leader)
        process.kill()
        process.wait()


def _read(leader: int) -> bytes:
    try:
        return os.read(leader, 65536)
    except OSError:  # the other end is closed
        return b""
