"""The command against a running server: what it prints, where, and its exit code."""

from __future__ import annotations

import csv
import json
import re
import socket
from pathlib import Path
from typing import Any

import pytest
from support.server import Server, command, serve

TOY = ("--algorithm", "toy", "--runner", "fake", "--evaluate", "0")


@pytest.fixture(scope="module")
def server(shared_server: Server) -> Server:
    return shared_server


@pytest.fixture(scope="module")
def trained(shared_server: Server) -> dict[str, Any]:
    run = shared_server.create(total_timesteps=5000, name="shown by the command", start=True)
    return shared_server.wait(run["id"], "succeeded")


def test_train_goes_through_the_running_server(server: Server) -> None:
    done = command(
        server.home, "train", "CartPole-v1", *TOY, "--timesteps", "4000", "--seed", "3", "--tag", "cli"
    )
    assert done.returncode == 0, done.stderr
    found = server.client.get("/api/runs", params={"tag": "cli"}).json()["items"]
    assert [run["status"] for run in found] == ["succeeded"]
    assert str(server.home / "runs" / found[0]["id"]) in done.stdout
    assert found[0]["config"]["seed"] == 3


def test_parameters_reach_the_run_as_json(server: Server) -> None:
    done = command(
        server.home,
        "train",
        "CartPole-v1",
        *TOY,
        "--timesteps",
        "1000",
        "--set",
        "episode_length=10",
        "--set",
        "learning_rate=1e-2",
        "--env-arg",
        "sutton_barto_reward=true",
        "--json",
    )
    assert done.returncode == 0, done.stderr
    config = json.loads(done.stdout)["config"]
    assert config["params"]["episode_length"] == 10
    assert config["params"]["learning_rate"] == 0.01
    assert config["env_kwargs"] == {"sutton_barto_reward": True}


def test_runs_are_listed_as_text_and_as_json(server: Server, trained: dict[str, Any]) -> None:
    text = command(server.home, "runs").stdout
    assert trained["id"] in text
    assert "shown by the command" in text
    page = json.loads(command(server.home, "runs", "--json", "--search", "shown").stdout)
    assert [run["id"] for run in page["items"]] == [trained["id"]]


def test_runs_are_found_by_conditions(server: Server, trained: dict[str, Any]) -> None:
    seed = trained["config"]["seed"]
    page = json.loads(command(server.home, "ls", "shown", f"seed:{seed}", "lr<10", "--json").stdout)
    assert [run["id"] for run in page["items"]] == [trained["id"]]
    wrong = command(server.home, "runs", "learning_rat<1")
    assert wrong.returncode == 2 and "Did you mean learning_rate?" in wrong.stderr


def test_a_run_is_repeated_and_its_exported_settings_are_taken(
    server: Server, trained: dict[str, Any], tmp_path: Path
) -> None:
    done = command(server.home, "again", trained["id"], "--no-wait", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["config"] == trained["config"]
    exported = tmp_path / "config.json"
    exported.write_text(json.dumps(server.client.get(f"/api/runs/{trained['id']}/config").json()))
    done = command(server.home, "train", "--config", str(exported), "--seed", "7", "--no-wait", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["config"] == {**trained["config"], "seed": 7}
    missing = command(server.home, "train")
    assert missing.returncode == 2 and "Which environment?" in missing.stderr


def test_a_run_is_shown_by_a_short_id_and_as_the_latest(server: Server, trained: dict[str, Any]) -> None:
    shown = command(server.home, "show", trained["id"][:11])
    assert "succeeded" in shown.stdout, shown.stderr
    assert str(server.home / "runs" / trained["id"]) in shown.stdout
    newest = server.client.get("/api/runs", params={"kind": "all", "limit": 1}).json()["items"][0]["id"]
    assert json.loads(command(server.home, "show", "latest", "--json").stdout)["id"] == newest


def test_an_unknown_run_says_what_to_do(server: Server) -> None:
    done = command(server.home, "show", "zzz")
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Next:" in done.stderr


def test_a_wrong_parameter_names_field_and_range_and_exits_with_two(server: Server) -> None:
    done = command(server.home, "train", "CartPole-v1", "--algorithm", "ppo", "--set", "gamma=7")
    assert done.returncode == 2
    assert "params.gamma" in done.stderr
    assert "≤ 1" in done.stderr


def test_an_unknown_environment_suggests_the_nearest(server: Server) -> None:
    done = command(server.home, "train", "CartPol-v1", "--algorithm", "ppo")
    assert done.returncode == 2
    assert "CartPole-v1" in done.stderr


def test_wrong_use_exits_with_two(server: Server) -> None:
    assert command(server.home, "dance").returncode == 2
    assert command(server.home, "train").returncode == 2
    assert command(server.home, "runs", "--limit", "0").returncode == 2


def test_a_failed_run_exits_with_one_and_says_why(server: Server) -> None:
    done = command(server.home, "train", "CartPole-v1", *TOY, "--timesteps", "4000", "--set", "crash_at=100")
    assert done.returncode == 1
    assert "failed" in done.stdout
    assert "reason" in done.stdout
    assert "next step" in done.stdout


def test_a_detached_run_is_paused_resumed_and_stopped_by_command(server: Server) -> None:
    started = command(
        server.home,
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
    assert started.returncode == 0, started.stderr
    run_id = json.loads(started.stdout)["id"]
    server.wait(run_id, "running")
    assert command(server.home, "pause", run_id).returncode == 0
    server.wait(run_id, "paused")
    assert command(server.home, "resume", run_id).returncode == 0
    server.wait(run_id, "running")
    stopped = command(server.home, "stop", run_id, "--json")
    assert json.loads(stopped.stdout)["status"] == "stopped"
    refused = command(server.home, "pause", run_id)
    assert refused.returncode == 1
    assert "Allowed now: resume" in refused.stderr


def test_a_deleted_run_comes_back(server: Server) -> None:
    run_id = server.create()["id"]
    assert f"rl-lab restore {run_id}" in command(server.home, "delete", run_id).stdout
    assert command(server.home, "show", run_id).returncode == 1
    assert command(server.home, "restore", run_id).returncode == 0
    assert command(server.home, "show", run_id).returncode == 0


def test_logs_and_events_are_printed_and_followed_to_the_end(server: Server) -> None:
    run_id = server.create(params={"crash_at": 100}, start=True)["id"]
    followed = command(server.home, "logs", run_id, "--follow")
    assert followed.stdout.count("Traceback") == 1
    events = command(server.home, "events", run_id, "--follow")
    assert events.returncode == 0
    assert "ERROR" in events.stdout
    assert json.loads(command(server.home, "events", run_id, "--json").stdout)["items"]


def test_environments_and_runners_are_listed(server: Server) -> None:
    assert "CartPole-v1" in command(server.home, "envs", "cartpole").stdout
    assert [e["id"] for e in json.loads(command(server.home, "envs", "acrobot", "--json").stdout)] == [
        "Acrobot-v1"
    ]
    assert "sb3" in command(server.home, "runners").stdout
    assert "gamma" in command(server.home, "runners", "ppo").stdout
    assert command(server.home, "runners", "nonsense").returncode == 1


def test_doctor_gives_a_remedy_for_each_fault(server: Server) -> None:
    done = command(server.home, "doctor", "--json")
    findings = json.loads(done.stdout)
    assert done.returncode == (1 if any(f["level"] == "problem" for f in findings) else 0)
    assert all(f["remedy"] for f in findings if f["level"] == "problem")


def test_a_second_lab_on_the_same_home_is_refused_with_the_address(server: Server) -> None:
    done = command(server.home, "serve", "--port", "0", "--no-browser")
    assert done.returncode == 1
    assert server.url in done.stderr


def test_a_busy_port_is_refused_with_a_next_step(home: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = command(home, "serve", "--port", str(taken.getsockname()[1]), "--no-browser")
    assert done.returncode == 1
    assert "--port 0" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_second_line_of_serve_is_a_sign_in_link(home: Path) -> None:
    with serve(home) as running:
        assert running.process.stdout is not None
        line = running.process.stdout.readline()
        assert re.search(rf"{running.url}/#ticket=[\w-]{{32}}$", line.strip())


def test_version_and_help_answer(home: Path) -> None:
    assert command(home, "--version").stdout.startswith("rl-lab ")
    assert "train" in command(home, "--help").stdout


def test_the_best_episodes_are_listed_first(server: Server, trained: dict[str, Any]) -> None:
    page = json.loads(command(server.home, "episodes", trained["id"], "--best", "--json").stdout)
    rewards = [episode["reward"] for episode in page["items"]]
    assert rewards == sorted(rewards, reverse=True)
    assert all(episode["recorded"] for episode in page["items"])


def test_a_note_is_written_and_finds_its_run(server: Server, trained: dict[str, Any]) -> None:
    assert command(server.home, "note", trained["id"], "Peculiar gait.").returncode == 0
    assert "Peculiar gait." in command(server.home, "note", trained["id"]).stdout
    assert trained["id"] in command(server.home, "runs", "peculiar").stdout
    done = command(server.home, "views", "--save", "odd", "--query", "note:peculiar")
    assert "note:peculiar" in done.stdout
    assert trained["id"] in command(server.home, "runs", "--view", "ODD").stdout
    wrong = command(server.home, "runs", "--view", "even")
    assert wrong.returncode == 2 and "There is no view called “even”" in wrong.stderr
    assert "removed" in command(server.home, "note", trained["id"], "--clear").stdout


def test_queue_shows_what_runs_and_why_the_others_wait(server: Server) -> None:
    done = command(server.home, "queue")
    assert done.returncode == 0, done.stderr
    assert "Slots: " in done.stdout
    state = json.loads(command(server.home, "queue", "--json").stdout)
    assert state.keys() >= {"training_slots", "job_slots", "running", "waiting"}


def test_queue_changes_the_slots_of_the_running_lab(server: Server) -> None:
    usual = server.client.get("/api/queue").json()
    done = command(server.home, "queue", "--slots", "9", "--job-slots", "3")
    assert "Slots: 9 for trainings, 3 for evaluations" in done.stdout, done.stderr
    command(server.home, "queue", "--job-slots", "2")
    state = server.client.get("/api/queue").json()
    assert (state["training_slots"], state["job_slots"]) == (9, 2)
    state = json.loads(command(server.home, "queue", "--reset", "--json").stdout)
    assert state["training_slots"] == usual["default_training_slots"]
    assert state["job_slots"] == usual["default_job_slots"]


def test_queue_is_paused_reordered_and_resumed(server: Server) -> None:
    assert "The queue is paused" in command(server.home, "queue", "pause").stdout
    ids = [server.create(name=f"wait {n}", start=True)["id"] for n in range(3)]
    try:
        done = command(server.home, "queue", "next", ids[2])
        assert "The queue is paused." in done.stdout, done.stderr
        command(server.home, "queue", "move", ids[0], "--to", "3")
        state = json.loads(command(server.home, "queue", "priority", ids[0], "-5", "--json").stdout)
        assert [(run["run_id"], run["priority"]) for run in state["waiting"]] == [
            (ids[2], 0),
            (ids[1], 0),
            (ids[0], -5),
        ]
        for wrong, words in (
            (("priority", ids[0], "999"), "Must be at most 100"),
            (("priority", ids[0], "high"), "not a whole number"),
            (("move", ids[0]), "--before RUN, or --to PLACE"),
            (("move", ids[0], "--to", "9"), "there is no place 9"),
            (("next", "nobody"), "Neither a run nor a study"),
        ):
            refused = command(server.home, "queue", *wrong)
            assert refused.returncode != 0
            assert words in refused.stderr
    finally:
        for run_id in ids:
            server.client.post(f"/api/runs/{run_id}/stop")
        assert "paused" not in command(server.home, "queue", "resume").stdout


@pytest.mark.parametrize(
    ("value", "reason"),
    [("0", "greater than or equal to 1"), ("1000", "less than or equal to 256"), ("many", "valid integer")],
)
def test_a_wrong_number_of_slots_is_answered_with_the_range(server: Server, value: str, reason: str) -> None:
    done = command(server.home, "queue", "--slots", value)
    assert done.returncode == 2
    assert reason in done.stderr
    body = {"training_slots": int(value) if value.isdigit() else value}
    refused = server.client.put("/api/queue/slots", json=body)
    assert refused.status_code == 422
    assert "training_slots" in refused.text
    assert server.client.put("/api/queue/slots", json={"slots": 3}).status_code == 422


def test_the_bare_command_opens_the_lab_that_runs_already(server: Server) -> None:
    done = command(server.home)
    assert done.returncode == 0, done.stderr
    assert f"already running at {server.url}" in done.stdout
    assert f"{server.url}/#ticket=" in done.stdout
    assert server.token not in done.stdout + done.stderr


def test_every_number_of_a_run_is_exported_as_csv(
    server: Server, trained: dict[str, Any], tmp_path: Path
) -> None:
    output = tmp_path / "numbers.csv"
    done = command(server.home, "export", trained["id"], "--format", "csv", "-o", str(output))
    assert done.returncode == 0, done.stderr
    with output.open(newline="", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))
    assert sum(row["metric"] == "reward" for row in rows) == trained["progress"]["episodes"]
    assert str(output) in done.stdout
    twice = command(server.home, "export", trained["id"], "--format", "csv", "-o", str(output))
    assert twice.returncode == 1 and "exists already" in twice.stderr and "--force" in twice.stderr
    refused = command(server.home, "export", trained["id"], "--format", "csv", "--checkpoint", "x")
    assert refused.returncode == 2 and "whole run" in refused.stderr


def test_the_docs_have_an_address_in_the_running_lab(server: Server) -> None:
    told = command(server.home, "docs", "glossary", "--json")
    assert json.loads(told.stdout) == {"url": f"{server.url}/docs/glossary"}


def test_docs_without_a_lab_say_how_to_start_it(home: Path) -> None:
    told = command(home, "docs")
    assert told.returncode == 1
    assert "rl-lab serve" in told.stderr


def test_compare_prints_the_statistics_of_each_configuration(
    server: Server, trained: dict[str, Any], tmp_path: Path
) -> None:
    second = server.create(total_timesteps=5000, seed=2, name="the other seed", start=True)
    server.wait(second["id"], "succeeded")
    ids = [trained["id"], second["id"]]
    done = command(server.home, "compare", *ids)
    assert done.returncode == 0, done.stderr
    assert "Mean return of the last 100 episodes" in done.stdout
    assert "LOWEST – HIGHEST" in done.stdout
    found = json.loads(command(server.home, "compare", *ids, "--json").stdout)
    assert [group["seeds"] for group in found["groups"]] == [[1, 2]]
    asked = ("--measure", "at_step", "--step", "2000", "--threshold", "5", "--method", "rliable", "--json")
    found = json.loads(command(server.home, "compare", *ids, *asked).stdout)
    assert (found["measure"], found["method"]) == ("at_step", "rliable")
    assert found["groups"][0]["statistics"]["at_step"]["mean_interval"] is not None
    assert found["groups"][0]["threshold_times"]["threshold"] == 5
    refused = command(server.home, "compare", *ids, "--reference", "none such")
    assert refused.returncode == 2 and "is none of the groups" in refused.stderr
    for name, start in (
        ("out.html", "<!doctype html>"),
        ("out.txt", "Comparison of 2 runs"),
        ("out.json", "{"),
    ):
        written = command(server.home, "compare", *ids, "--report", str(tmp_path / name))
        assert written.returncode == 0, written.stderr
        assert (tmp_path / name).read_text().startswith(start)
        assert str(tmp_path / name) in written.stdout


def test_compare_refuses_a_report_of_an_unknown_kind(
    server: Server, trained: dict[str, Any], tmp_path: Path
) -> None:
    done = command(server.home, "compare", trained["id"], "--report", str(tmp_path / "out.pdf"))
    assert done.returncode != 0
    assert "out.pdf does not say what kind of report it is" in done.stderr
    assert ".html, .txt, .json" in done.stderr
    nowhere = command(server.home, "compare", trained["id"], "--report", str(tmp_path / "no" / "out.html"))
    assert nowhere.returncode != 0
    assert "cannot be written" in nowhere.stderr
