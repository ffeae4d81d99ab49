"""The command without a server: it brings its own lab, and leaves runs that others can see."""

from __future__ import annotations

import json
import signal
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from support.server import COMMAND, command, environment, serve
from support.waiting import DEADLINE_S, wait_until

from rl_lab.core.errors import LabBusy
from rl_lab.orchestrator.home import HomeLock

TOY = ("--algorithm", "toy", "--runner", "fake", "--evaluate", "0")
FINAL = {"succeeded", "failed", "stopped", "lost"}


def test_train_works_alone_and_the_run_shows_up_later(home: Path) -> None:
    done = command(
        home, "train", "CartPole-v1", *TOY, "--timesteps", "5000", "--seed", "1", "--name", "alone"
    )
    assert done.returncode == 0, done.stderr
    assert "mean reward" in done.stderr
    [folder] = (home / "runs").iterdir()
    assert str(folder) in done.stdout
    for name in ("config.json", "metrics.jsonl", "metrics.json", "model.json"):
        assert (folder / name).is_file(), sorted(p.name for p in folder.iterdir())
    assert not (home / "server.json").exists()
    with serve(home) as server:
        [run] = server.client.get("/api/runs").json()["items"]
    assert (run["name"], run["status"]) == ("alone", "succeeded")


def test_one_interrupt_stops_politely_with_a_checkpoint(home: Path) -> None:
    process = subprocess.Popen(
        [*COMMAND, "train", "CartPole-v1", *TOY, "--timesteps", "50000000", "--set", "steps_per_second=2000"],
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if "mean reward" in line:
            break
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert "stopped" in out
    [folder] = (home / "runs").iterdir()
    assert list((folder / "checkpoints").iterdir())
    shown = json.loads(command(home, "show", "latest", "--json").stdout)
    assert shown["status"] == "stopped"


def test_a_second_interrupt_ends_a_run_that_does_not_listen(home: Path) -> None:
    slow = ("--timesteps", "50000000", "--set", "steps_per_second=2000", "--set", "ignore_stop=true")
    process = subprocess.Popen(
        [*COMMAND, "train", "CartPole-v1", *TOY, *slow],
        env=environment(home, RL_LAB_STOP_GRACE_S="600"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    for wanted in ("mean reward", "Stopping with a checkpoint"):
        for line in process.stderr:
            if wanted in line:
                break
        process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=DEADLINE_S)
    assert process.returncode == 130
    assert "by force" in out


def test_a_detached_run_goes_on_and_is_adopted(home: Path) -> None:
    done = command(
        home,
        "train",
        "CartPole-v1",
        *TOY,
        "--timesteps",
        "50000000",
        "--set",
        "steps_per_second=2000",
        "--detach",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    left = json.loads(done.stdout)
    assert left["status"] == "running"
    run_id = left["id"]
    with serve(home) as server:
        before = server.wait(run_id, "running")["progress"]["timestep"]
        server.client.post(f"/api/runs/{run_id}/stop")
        stopped = server.wait(run_id, *FINAL)
    assert stopped["status"] == "stopped"
    assert stopped["attempt"] == 1
    assert stopped["progress"]["timestep"] >= before


def test_reading_commands_work_alone(home: Path) -> None:
    assert json.loads(command(home, "runs", "--json").stdout) == {
        "items": [],
        "next_cursor": None,
        "total": 0,
    }
    done = command(home, "show", "latest")
    assert done.returncode == 1
    assert "rl-lab train" in done.stderr


def test_a_damaged_database_is_said_in_words(home: Path) -> None:
    (home / "lab.db").write_bytes(b"this is not a database, whatever its name says" * 100)
    for words in (("runs",), ("serve", "--no-browser", "--port", "0")):
        done = command(home, *words)
        assert done.returncode == 1
        assert "Traceback" not in done.stderr
        assert "lab.db cannot be opened" in done.stderr
        assert "Next: " in done.stderr


def test_a_run_may_be_called_anything_and_is_then_not_found(home: Path) -> None:
    for name in ("hello world!", "läääääääääää", "../../../../"):
        done = command(home, "show", name)
        assert done.returncode in (1, 2)
        assert "Traceback" not in done.stderr
        assert "does not answer" not in done.stderr


def test_the_home_comes_from_the_option_too(tmp_path: Path) -> None:
    home = tmp_path / "elsewhere"
    done = command(tmp_path / "unused", "--home", str(home), "runs", "--json")
    assert done.returncode == 0, done.stderr
    assert (home / "lab.db").is_file()
    assert not (tmp_path / "unused").exists()


def test_resume_alone_leaves_when_the_worker_runs(home: Path) -> None:
    slow = ("--timesteps", "50000000", "--set", "steps_per_second=2000")
    started = command(home, "train", "CartPole-v1", *TOY, *slow, "--detach")
    assert started.returncode == 0, started.stderr
    assert "stopped" in command(home, "stop", "latest").stdout
    resumed = command(home, "resume", "latest", "--json")
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["status"] == "running"
    assert "stopped" in command(home, "stop", "latest").stdout


def test_replay_alone_names_no_address_that_dies_with_it(home: Path) -> None:
    turbo = ("--algorithm", "ppo", "--runner", "turbo", "--timesteps", "3000", "--evaluate", "0")
    trained = command(home, "train", "CartPole-v1", *turbo)
    assert trained.returncode == 0, trained.stderr
    alone = command(home, "replay", "latest", "best")
    assert alone.returncode == 0, alone.stderr
    assert "http://" not in alone.stdout
    assert "rl-lab serve" in alone.stdout
    with serve(home) as server:
        assert f"Page: {server.url}/runs/" in command(home, "replay", "latest", "best").stdout


def start(home: Path, *words: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, *words],
        cwd=home.parent,
        env=environment(home),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def is_lab_gone(home: Path) -> bool:
    lock = HomeLock(home)
    try:
        lock.take()
    except LabBusy:
        return False
    lock.release()
    return True


def test_the_lab_of_one_command_stays_while_another_needs_it(home: Path) -> None:
    slow = ("--set", "steps_per_second=2000")
    first = start(home, "train", "CartPole-v1", *TOY, "--timesteps", "2000", *slow)
    wait_until((home / "server.json").exists, "the lab of the first command")
    second = start(home, "train", "CartPole-v1", *TOY, "--timesteps", "16000", *slow, "--name", "second")
    out, errors = first.communicate(timeout=DEADLINE_S)
    assert first.returncode == 0, errors
    assert second.poll() is None, "it trains on"
    assert command(home, "show", "second").returncode == 0
    out, errors = second.communicate(timeout=DEADLINE_S)
    assert second.returncode == 0, errors
    assert "succeeded" in out
    assert is_lab_gone(home), "the last command waits for its lab to end"


def test_commands_at_once_all_find_a_whole_lab(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home.parent)  # what is exported is written there
    trained = command(home, "train", "CartPole-v1", *TOY, "--timesteps", "1000")
    assert trained.returncode == 0, trained.stderr
    words = (
        ("show", "latest"),
        ("runs",),
        ("export", "latest", "--format", "csv", "--force"),
        ("insights", "latest"),
    )
    with ThreadPoolExecutor(2 * len(words)) as at_once:
        for done in at_once.map(lambda each: command(home, *each), words * 2):
            assert done.returncode == 0, (done.args, done.stderr)


def test_a_lab_whose_command_was_killed_ends(home: Path) -> None:
    slow = ("--timesteps", "50000000", "--set", "steps_per_second=2000")
    process = start(home, "train", "CartPole-v1", *TOY, *slow)
    wait_until(lambda: any((home / "runs").glob("*/metrics.jsonl")), "the run to begin")
    process.kill()
    process.communicate(timeout=DEADLINE_S)
    wait_until(lambda: is_lab_gone(home), "the lab to end by itself")
    assert "stopped" in command(home, "stop", "latest").stdout
