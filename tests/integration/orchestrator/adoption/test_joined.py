"""Folders of one training become one run: reported, found again, split on request, extended while it is followed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from support.adoptions import adopt, age, command, runs
from support.leftovers import leave_parts
from support.server import Server
from support.waiting import wait_until


def events(server: Server, run_id: str) -> list[str]:
    items = server.client.get(f"/api/runs/{run_id}/events").json()["items"]
    return [event["message"] for event in items if event["type"] == "joined"]


def test_one_training_in_three_folders_is_one_run(shared_server: Server, tmp_path: Path) -> None:
    server, source = shared_server, tmp_path / "source"
    leave_parts(source)
    leave_parts(source, seed=1, name="PPO_2")
    outcome = adopt(server, source)
    assert (outcome["adopted"], outcome["problems"], len(outcome["joined"])) == (2, [], 2)
    found = runs(server, tmp_path)
    assert sorted(found) == ["tb/PPO_1", "tb/PPO_2"]
    run = found["tb/PPO_1"]
    assert [one["folder"] for one in run["source"]["joined"]] == [
        f"{source}/eval_logs/PPO_1",
        f"{source}/monitor/PPO_1",
    ]
    assert (run["config"]["algorithm"], run["config"]["env_id"], run["source"]["format"]) == (
        "ppo",
        "CartPole-v1",
        "sb3",
    )
    assert run["progress"]["episodes"] == 40
    [said] = events(server, run["id"])
    assert (
        said.startswith("Joined: tb/PPO_1 + eval_logs/PPO_1 + monitor/PPO_1 (") and said in outcome["joined"]
    )
    series = server.client.get(f"/api/runs/{run['id']}/metrics").json()["series"]
    totals = {name: one["total"] for name, one in series.items()}
    assert totals == {
        "reward": 40,
        "length": 40,
        "mean_reward": 8,
        "loss": 8,
        "eval/mean_reward": 4,
        "eval/std_reward": 4,
    }
    origins = server.client.get(f"/api/runs/{run['id']}/metrics/origins").json()
    assert origins["reward"] == {"file": f"{source}/monitor/PPO_1/monitor.csv", "tag": "r", "source": ""}


def test_files_of_every_joined_folder_are_listed_and_opened(shared_server: Server, tmp_path: Path) -> None:
    server, source = shared_server, tmp_path / "source"
    leave_parts(source)
    adopt(server, source)
    [run] = runs(server, tmp_path).values()
    files = {f["path"]: f for f in server.client.get(f"/api/runs/{run['id']}/artifacts").json()}
    assert {"eval_logs/PPO_1/evaluations.npz", "monitor/PPO_1/monitor.csv"} < set(files)
    opened = server.client.get(f"/api/artifacts/{files['monitor/PPO_1/monitor.csv']['id']}")
    assert opened.content == (source / "monitor" / "PPO_1" / "monitor.csv").read_bytes()


def test_adopting_again_above_or_below_finds_the_joined_run(shared_server: Server, tmp_path: Path) -> None:
    server, source = shared_server, tmp_path / "source"
    leave_parts(source)
    adopt(server, source)
    for folder in (source, tmp_path, source / "tb", source / "monitor", source / "eval_logs" / "PPO_1"):
        again = adopt(server, folder)
        assert (again["adopted"], again["updated"], again["unchanged"]) == (0, 0, 1), folder
    with (source / "monitor" / "PPO_1" / "monitor.csv").open("a") as file:
        file.write("77.0,77,99.0\n")
    assert adopt(server, source / "monitor")["updated"] == 1
    [run] = runs(server, tmp_path).values()
    assert run["progress"]["episodes"] == 41


def test_a_joined_run_is_split_on_request_and_stays_split(shared_server: Server, tmp_path: Path) -> None:
    server, source = shared_server, tmp_path / "source"
    leave_parts(source)
    adopt(server, source)
    [whole] = runs(server, tmp_path).values()
    outcome = adopt(server, source, join=False)
    assert (outcome["adopted"], outcome["updated"]) == (2, 1)
    found = runs(server, tmp_path)
    assert sorted(found) == ["eval_logs/PPO_1", "monitor/PPO_1", "tb/PPO_1"]
    kept = found["tb/PPO_1"]
    assert (kept["id"], kept["source"]["joined"], kept["progress"]["episodes"]) == (whole["id"], [], 0)
    assert "kept apart" in events(server, kept["id"])[0]
    assert adopt(server, source)["unchanged"] == 3


def test_a_folder_found_later_joins_the_run_of_its_training(shared_server: Server, tmp_path: Path) -> None:
    server, source = shared_server, tmp_path / "source"
    leave_parts(source)
    aside = tmp_path / "aside"
    shutil.move(source / "monitor", aside)
    assert adopt(server, source)["adopted"] == 1
    shutil.move(aside, source / "monitor")
    outcome = adopt(server, source)
    assert (outcome["adopted"], outcome["updated"], len(outcome["joined"])) == (0, 1, 1)
    [run] = runs(server, tmp_path).values()
    assert run["progress"]["episodes"] == 40 and run["config"]["env_id"] == "CartPole-v1"


def test_a_folder_that_appears_while_its_training_is_followed_joins_it(
    server: Server, tmp_path: Path
) -> None:
    source = tmp_path / "source"
    leave_parts(source)
    aside = tmp_path / "aside"
    shutil.move(source / "eval_logs", aside)
    adopt(server, source, follow=True)
    shutil.move(aside, source / "eval_logs")

    def joined() -> list[dict[str, Any]]:
        return [run for run in runs(server, tmp_path).values() if len(run["source"]["joined"]) == 2]

    [run] = wait_until(joined, "the evaluations to join")
    assert len(runs(server, tmp_path)) == 1
    wait_until(lambda: len(events(server, run["id"])) == 2, "the event")


def test_the_command_reports_what_it_joined_and_can_keep_it_apart(home: Path, tmp_path: Path) -> None:
    leave_parts(tmp_path / "source")
    age(tmp_path / "source")
    done = command(home, "adopt", str(tmp_path / "source"))
    assert "Joined: tb/PPO_1 + eval_logs/PPO_1 + monitor/PPO_1 (" in done.stdout
    apart = command(home, "adopt", str(tmp_path / "source"), "--no-join", "--json")
    assert json.loads(apart.stdout)["adopted"] == 2
