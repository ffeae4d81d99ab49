"""Folders that other tools filled become runs: over HTTP, by the command, again, and with all that is wrong in them."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from support.adoptions import adopt, age, command, rewards, runs
from support.leftovers import (
    EVENTS,
    grow_cleanrl,
    leave_cleanrl,
    leave_mlflow,
    leave_ray,
    leave_sb3,
    leave_trackio,
    log_trackio,
)
from support.neptune import exported_run, write_export
from support.server import Server, serve
from support.waiting import wait_until

from rl_lab.analysis.event_files import Column, write_scalars
from rl_lab.orchestrator.adoption.reader.walk import Walk


def test_each_format_becomes_a_run_with_curves_config_and_files(
    shared_server: Server, tmp_path: Path
) -> None:
    server = shared_server
    source = tmp_path / "source"
    for leave in (leave_cleanrl, leave_sb3, leave_ray):
        leave(source)
    outcome = adopt(server, source, tags=["old"])
    assert (outcome["adopted"], outcome["problems"]) == (3, [])
    found = runs(server, tmp_path)
    clean = found["runs/CartPole-v1__ppo__1__1700000000"]
    assert (clean["source"]["format"], clean["config"]["runner"], clean["status"]) == (
        "cleanrl",
        "adopted",
        "succeeded",
    )
    assert clean["reason"]["cause"] == "adopted" and str(source) in clean["reason"]["message"]
    assert set(clean["tags"]) == {"adopted", "old"}
    assert clean["config"]["args"]["learning_rate"] == 0.001
    assert clean["progress"] | {"timestep": 200, "episodes": 20, "fraction": 1.0} == clean["progress"]
    assert clean["summary"]["mean_reward"] == 9.5 and len(clean["summary"]["sparkline"]) == 20
    assert clean["created_at"].startswith("2023-11-14")
    assert rewards(server, clean["id"]) == [float(i) for i in range(20)]
    zoo = found["ppo/CartPole-v1_1"]
    assert (zoo["source"]["format"], zoo["config"]["seed"], zoo["config"]["total_timesteps"]) == (
        "rl-zoo",
        42,
        5000,
    )
    assert (zoo["config"]["env_id"], zoo["config"]["algorithm"]) == ("CartPole-v1", "ppo")
    ray = found["tune/PPO_CartPole-v1_b1f2c_00000_0_2024"]
    assert (ray["source"]["format"], ray["config"]["seed"], ray["summary"]["mean_reward"]) == (
        "ray-tune",
        5,
        20.0,
    )


def test_episodes_insights_report_and_tensorboard_work_for_an_adopted_run(
    server: Server, tmp_path: Path
) -> None:
    leave_sb3(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    address = f"/api/runs/{run['id']}"
    episodes = server.client.get(f"{address}/episodes", params={"limit": 50}).json()
    assert episodes["total"] == 30 and not any(row["recorded"] for row in episodes["items"])
    assert server.client.get(f"{address}/insights").status_code == 200
    assert "CartPole-v1" in server.client.get(f"{address}/report", params={"format": "text"}).text
    names = server.client.get(f"{address}/metrics").json()["series"]
    assert {"reward", "length", "loss", "eval/mean_reward"} <= set(names)
    assert server.client.post(f"{address}/tensorboard").status_code < 300


def test_files_are_opened_where_they_lie_and_nothing_is_copied(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    run_folder = leave_sb3(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    files = {f["path"]: f for f in server.client.get(f"/api/runs/{run['id']}/artifacts").json()}
    assert files["best_model.zip"]["kind"] == "model"
    assert "CartPole-v1/vecnormalize.pkl" in files
    model = server.client.get(f"/api/artifacts/{files['best_model.zip']['id']}")
    assert model.content == b"PK model"
    assert not list((server.home / "runs" / run["id"]).rglob("*.zip"))
    # What lies elsewhere is not opened, whatever the name leads to now.
    secret = tmp_path / "secret"
    secret.write_bytes(b"secret")
    (run_folder / "best_model.zip").unlink()
    (run_folder / "best_model.zip").symlink_to(secret)
    assert server.client.get(f"/api/artifacts/{files['best_model.zip']['id']}").status_code == 403
    for path in sorted(run_folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    run_folder.rmdir()
    gone = server.client.get(f"/api/artifacts/{files['progress.csv']['id']}")
    assert gone.status_code == 410 and "adopted from" in gone.json()["detail"]
    assert len(rewards(server, run["id"])) == 30


def test_copy_puts_the_files_into_the_lab(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    leave_sb3(tmp_path / "source")
    adopt(server, tmp_path / "source", copy_files=True)
    [run] = runs(server, tmp_path).values()
    assert run["source"]["copied"]
    files = {f["path"]: f for f in server.client.get(f"/api/runs/{run['id']}/artifacts").json()}
    assert (server.home / "runs" / run["id"] / "files" / "best_model.zip").read_bytes() == b"PK model"
    assert server.client.get(f"/api/artifacts/{files['files/best_model.zip']['id']}").content == b"PK model"


def test_again_makes_no_doubles_and_appends_what_is_new(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    run_folder = leave_cleanrl(tmp_path / "source")
    leave_ray(tmp_path / "source")
    adopt(server, tmp_path / "source")
    again = adopt(server, tmp_path / "source")
    assert (again["adopted"], again["updated"], again["unchanged"]) == (0, 0, 2)
    grow_cleanrl(run_folder, 20, 5)
    below = adopt(server, run_folder)
    assert (below["adopted"], below["updated"], below["unchanged"]) == (0, 1, 0)
    found = runs(server, tmp_path)
    assert len(found) == 2
    clean = found["runs/CartPole-v1__ppo__1__1700000000"]
    assert rewards(server, clean["id"]) == [float(i) for i in range(25)]
    assert clean["progress"]["episodes"] == 25


def test_a_parent_adopted_after_its_child_makes_no_doubles(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    run_folder = leave_cleanrl(tmp_path / "source")
    leave_sb3(tmp_path / "source")
    assert adopt(server, run_folder)["adopted"] == 1
    outcome = adopt(server, tmp_path / "source")
    assert (outcome["adopted"], outcome["unchanged"]) == (1, 1)
    assert len(runs(server, tmp_path)) == 2


def test_a_replaced_file_is_read_anew(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    run_folder = leave_cleanrl(tmp_path / "source", episodes=20)
    adopt(server, tmp_path / "source")
    (run_folder / EVENTS).unlink()
    run_folder.rmdir()
    leave_cleanrl(tmp_path / "source", episodes=7)
    outcome = adopt(server, tmp_path / "source")
    assert outcome["updated"] == 1 and "replaced" in outcome["problems"][0]
    [run] = runs(server, tmp_path).values()
    assert rewards(server, run["id"]) == [float(i) for i in range(7)]
    assert run["progress"]["episodes"] == 7


def test_deleting_an_adopted_run_leaves_its_source_alone(home: Path, tmp_path: Path) -> None:
    run_folder = leave_sb3(tmp_path / "source")
    before = {path: path.read_bytes() for path in run_folder.rglob("*") if path.is_file()}
    with serve(home, RL_LAB_UNDO_S="0") as server:
        adopt(server, tmp_path / "source", copy_files=True)
        [run] = runs(server, tmp_path).values()
        assert server.client.delete(f"/api/runs/{run['id']}").status_code == 200
        for place in ("runs", "trash"):
            folder = home / place / run["id"]
            wait_until(lambda folder=folder: not folder.exists(), f"{folder} to go")
        assert {path: path.read_bytes() for path in run_folder.rglob("*") if path.is_file()} == before
        wait_until(lambda: adopt(server, tmp_path / "source")["adopted"] == 1, "the folder to be free again")


def test_a_deleted_run_comes_back_when_its_folder_is_adopted_again(
    shared_server: Server, tmp_path: Path
) -> None:
    server = shared_server
    leave_cleanrl(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    server.client.delete(f"/api/runs/{run['id']}")
    assert runs(server, tmp_path) == {}
    assert adopt(server, tmp_path / "source")["unchanged"] == 1
    assert [r["id"] for r in runs(server, tmp_path).values()] == [run["id"]]


def test_everything_wrong_is_said_in_words_and_the_rest_is_adopted(
    shared_server: Server, tmp_path: Path
) -> None:
    server = shared_server
    source = tmp_path / "source"
    leave_cleanrl(source)
    for name, file, data in (
        ("rubbish", "monitor.csv", b"\x00\xfe" * 4000),
        ("wide", "progress.csv", b",".join(b"c%d" % i for i in range(200_000)) + b"\n1\n"),
        ("broken", "events.out.tfevents.1", b"broken" * 100),
        ("half", "progress.csv", b"step,x\n1,2.0\n-7,3.0\n2,nan\n3,0."),
        ("latin", "progress.csv", b"step,l\xe9ngth\n1,2\n"),
        ("pickle", "evaluations.npz", b"PK nothing"),
        ("damaged", "run-abc.wandb", b"not wandb"),
    ):
        (source / name).mkdir()
        (source / name / file).write_bytes(data)
    (source / "loop").symlink_to(source)
    (source / "pipe").mkdir()
    os.mkfifo(source / "pipe" / "monitor.csv")
    outcome = adopt(server, source)
    said = "\n".join(outcome["problems"])
    for words in (
        "rubbish/monitor.csv: It is no monitor file",
        "200,000 columns",
        "not a TensorBoard event file",
        "half: x: 1 point with a negative step",
        "half/progress.csv: its last line or record is cut",
        "latin/progress.csv: It is no table of text",
        "cannot be read as arrays",
        "no W&B file",
    ):
        assert words in said, said
    assert sorted(runs(server, tmp_path)) == ["half", "runs/CartPole-v1__ppo__1__1700000000"]


NOBODY = 65534


@contextmanager
def not_as_root() -> Iterator[None]:
    """Root may read everything; whoever else runs the tests stays who they are."""
    was_root = os.geteuid() == 0
    if was_root:
        os.seteuid(NOBODY)
    yield
    if was_root:
        os.seteuid(0)


def test_a_folder_nobody_may_read_is_left_out_in_words() -> None:
    problems: list[str] = []
    with tempfile.TemporaryDirectory() as given:
        source = Path(given)
        source.chmod(0o755)
        (source / "monitor.csv").write_text("#{}\nr,l,t\n")
        (source / "closed").mkdir(mode=0o000)
        with not_as_root():
            found = [path for path in Walk("/nowhere", problems.append).through(given) if path]
        (source / "closed").chmod(0o700)
    assert problems == [f"{given}/closed: Permission denied; it was left out."]
    assert found == [given]


@pytest.mark.parametrize(
    ("folder", "words"),
    [
        ("relative/path", "absolute path"),
        ("/nowhere/at/all", "No such file"),
        ("/etc/hostname", "is a file"),
        ("/", "belongs to the system"),
        ("/proc/self", "belongs to the system"),
        ("~nobody-of-that-name/x", "cannot be opened"),
        ("/tmp/a\x00b", "NUL"),
        ("/tmp/" + "x" * 300, "cannot be opened"),
    ],
)
def test_a_folder_that_cannot_be_adopted_is_refused_in_words(
    shared_server: Server, folder: str, words: str
) -> None:
    answer = shared_server.client.post("/api/adoptions", json={"folder": folder})
    assert answer.status_code == 422 and words in answer.json()["detail"]
    own = shared_server.client.post("/api/adoptions", json={"folder": str(shared_server.home)})
    assert own.status_code == 422 and "lab's own" in own.json()["detail"]
    assert shared_server.client.get("/api/adoptions/000000000000").status_code == 404


def test_what_cannot_be_done_with_an_adopted_run_is_refused_in_words(
    shared_server: Server, tmp_path: Path
) -> None:
    server = shared_server
    leave_sb3(tmp_path / "source")
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    assert run["allowed"] == []
    address = f"/api/runs/{run['id']}"
    for move in ("pause", "resume", "start", "stop"):
        answer = server.client.post(f"{address}/{move}")
        assert answer.status_code == 409 and "was adopted from" in answer.json()["detail"]
    for path, body in (("evaluations", {}), ("exports", {"format": "onnx"}), ("films", {})):
        answer = server.client.post(f"{address}/{path}", json=body)
        assert answer.status_code == 409 and "was adopted from" in answer.json()["detail"], answer.text


def test_the_command_adopts_without_a_server(home: Path, tmp_path: Path) -> None:
    leave_cleanrl(tmp_path / "source")
    age(tmp_path / "source")
    done = command(home, "adopt", str(tmp_path / "source"), "--tag", "old", "--json")
    assert json.loads(done.stdout)["adopted"] == 1
    again = command(home, "adopt", str(tmp_path / "source"))
    assert "0 adopted, 0 updated, 1 unchanged." in again.stdout
    listed = json.loads(command(home, "runs", "--tag", "old", "--json").stdout)
    assert [run["source"]["folder"] for run in listed["items"]] == [
        str(tmp_path / "source" / "runs" / "CartPole-v1__ppo__1__1700000000")
    ]
    shown = command(home, "show", listed["items"][0]["id"]).stdout
    assert "adopted" in shown


def test_the_command_says_when_a_folder_holds_nothing(home: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = command(home, "adopt", str(tmp_path / "empty"), expect=1)
    assert "contains no files in a supported format" in done.stderr


def test_times_of_the_data_are_the_times_of_the_run(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    leave_cleanrl(tmp_path / "source", episodes=50)
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    assert run["started_at"] == run["created_at"]
    assert run["progress"]["elapsed_s"] == pytest.approx(4.9)
    episodes = server.client.get(f"/api/runs/{run['id']}/episodes", params={"sort": "episode"}).json()[
        "items"
    ]
    assert episodes[0]["at"].startswith("2023-11-14")


def test_an_infinite_reward_is_kept_reported_and_seen_by_the_insights(
    shared_server: Server, tmp_path: Path
) -> None:
    server = shared_server
    folder = tmp_path / "source" / "PPO_1"
    folder.mkdir(parents=True)
    rows = "".join(f"{'inf' if i == 200 else i},10,{i}.0\n" for i in range(400))
    (folder / "monitor.csv").write_text(
        f'#{{"t_start": 1700000000.0, "env_id": "CartPole-v1"}}\nr,l,t\n{rows}'
    )
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    address = f"/api/runs/{run['id']}"
    assert run["progress"]["episodes"] == 400
    series = server.client.get(f"{address}/metrics", params={"names": "reward"}).json()["series"]["reward"]
    assert series["total"] == 400 and series["value"][200] is None
    origins = server.client.get(f"{address}/metrics/origins").json()
    assert origins["reward"] == {"file": "monitor.csv", "tag": "r", "source": ""}
    [said] = [
        e for e in server.client.get(f"{address}/events").json()["items"] if e["type"] == "values_not_finite"
    ]
    assert "reward (1 value, the first at step 2,010)" in said["message"] and said["level"] == "warning"
    assert "diverged" in [insight["id"] for insight in server.client.get(f"{address}/insights").json()]


def test_a_metric_that_ray_writes_three_times_is_one_metric(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    folder = leave_ray(tmp_path / "source")
    rows = [{"training_iteration": i, "pid": 7, "loss": 1 / i} for i in range(1, 4)]
    (folder / "result.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    lines = "".join(f"{row['training_iteration']},{row['pid']},{row['loss']}\n" for row in rows)
    (folder / "progress.csv").write_text("training_iteration,pid,loss\n" + lines)
    steps = np.arange(1, 4)
    tagged = Column(steps, 1.7e9 + steps, 1.0 / steps)
    write_scalars(folder / EVENTS, {"ray/tune/loss": tagged, "ray/tune/pid": tagged})
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    series = server.client.get(f"/api/runs/{run['id']}/metrics").json()["series"]
    assert {name: one["total"] for name, one in series.items()} == {"loss": 3}
    origins = server.client.get(f"/api/runs/{run['id']}/metrics/origins").json()
    assert origins["loss"] == {"file": "result.json", "tag": "loss", "source": ""}


def test_episodes_of_a_folder_without_lengths_have_no_length(shared_server: Server, tmp_path: Path) -> None:
    server = shared_server
    folder = tmp_path / "source" / "run"
    folder.mkdir(parents=True)
    steps = np.arange(1, 21)
    write_scalars(folder / EVENTS, {"charts/episodic_return": Column(steps, 1.7e9 + steps, steps * 1.0)})
    adopt(server, tmp_path / "source")
    [run] = runs(server, tmp_path).values()
    address = f"/api/runs/{run['id']}"
    assert run["summary"]["mean_length"] is None and run["progress"]["episodes"] == 20
    page = server.client.get(f"{address}/episodes").json()
    assert {row["length"] for row in page["items"]} == {None}
    assert server.client.get(f"{address}/episodes", params={"max_length": 50}).json()["total"] == 0
    assert server.client.get(f"{address}/report", params={"format": "text"}).status_code == 200


def test_a_run_of_mlflow_is_read_with_its_parameters_name_and_end(
    shared_server: Server, tmp_path: Path
) -> None:
    server = shared_server
    folder = leave_mlflow(tmp_path / "source")
    leave_mlflow(tmp_path / "failed", status=4)
    outcome = adopt(server, tmp_path / "source")
    assert (outcome["adopted"], outcome["problems"]) == (1, [])
    [run] = runs(server, tmp_path).values()
    assert (run["name"], run["source"]["format"], run["status"]) == ("bold-newt-1", "mlflow", "succeeded")
    config = run["config"]
    assert (config["env_id"], config["algorithm"], config["seed"]) == ("CartPole-v1", "ppo", 7)
    assert config["args"]["lr"] == 0.0003 and run["created_at"].startswith("2023-11-14")
    assert rewards(server, run["id"]) == [i * 1.5 for i in range(20)]
    series = server.client.get(f"/api/runs/{run['id']}/metrics").json()["series"]
    assert set(series) == {"reward", "mean_reward", "value_loss"}
    files = [f["path"] for f in server.client.get(f"/api/runs/{run['id']}/artifacts").json()]
    assert "artifacts/model/model.pt" in files
    with (folder / "metrics" / "value_loss").open("a") as file:
        file.write("1700000002000 0.25 200\n")
    assert adopt(server, tmp_path / "source")["updated"] == 1
    assert adopt(server, tmp_path / "failed")["adopted"] == 1
    [failed] = runs(server, tmp_path / "failed").values()
    assert failed["status"] == "failed" and "MLflow noted that it failed" in failed["reason"]["message"]


def test_each_run_of_a_neptune_export_is_a_run(shared_server: Server, tmp_path: Path) -> None:
    server, source = shared_server, tmp_path / "source"
    for run in ("CAR-1", "CAR-2"):
        write_export(source / "team_cartpole" / f"{run}_part_0.parquet", exported_run(run))
    (source / "team_cartpole" / "CAR-3_part_0.parquet").write_bytes(b"PAR1 cut")
    outcome = adopt(server, source)
    assert outcome["adopted"] == 2 and "CAR-3_part_0.parquet: it is damaged" in outcome["problems"][0]
    found = runs(server, tmp_path)
    run, failed = found["ppo of CAR-1"], found["ppo of CAR-2"]
    assert (run["source"]["format"], run["status"], failed["status"]) == ("neptune", "succeeded", "failed")
    assert run["tags"] == ["adopted", "baseline", "paper"] and run["started_at"].startswith(
        "2024-05-01T12:00"
    )
    assert (run["config"]["env_id"], run["config"]["seed"]) == ("CartPole-v1", 7)
    assert rewards(server, run["id"]) == [step * 1.5 for step in range(10)]
    [file] = server.client.get(f"/api/runs/{run['id']}/artifacts").json()
    assert file["path"] == "CAR-1_part_0.parquet"
    assert adopt(server, source)["unchanged"] == 2


def test_each_run_of_a_trackio_project_is_a_run(shared_server: Server, tmp_path: Path) -> None:
    server, source = shared_server, tmp_path / "source"
    path = leave_trackio(source)
    (source / "other.db").write_bytes(b"SQLite format 3\x00 and nothing else")
    before = sorted((file.name, file.stat().st_mtime_ns) for file in source.iterdir())
    outcome = adopt(server, source)
    assert (outcome["adopted"], outcome["problems"]) == (2, [])
    found = runs(server, tmp_path)
    assert sorted(found) == ["brave-fox", "calm-owl"]
    fox = found["brave-fox"]
    assert (fox["source"]["format"], fox["source"]["folder"], fox["source"]["key"]) == (
        "trackio",
        str(source),
        "cartpole.db#brave-fox",
    )
    assert (fox["config"]["env_id"], fox["config"]["seed"]) == ("CartPole-v1", 3)
    assert rewards(server, fox["id"]) == [step * 2.0 for step in range(10)]
    assert rewards(server, found["calm-owl"]["id"]) == [float(step) for step in range(10)]
    series = server.client.get(f"/api/runs/{fox['id']}/metrics").json()["series"]
    assert set(series) == {"reward", "mean_reward", "loss"} and series["loss"]["total"] == 10
    [file] = server.client.get(f"/api/runs/{fox['id']}/artifacts").json()
    assert server.client.get(f"/api/artifacts/{file['id']}").content == path.read_bytes()
    assert sorted((file.name, file.stat().st_mtime_ns) for file in source.iterdir()) == before
    assert adopt(server, source)["unchanged"] == 2
    log_trackio(path, "brave-fox", 10, {"train/mean_reward": 20.0})
    assert adopt(server, source)["adopted"] == 0
    assert rewards(server, fox["id"])[-1] == 20.0 and len(runs(server, tmp_path)) == 2
