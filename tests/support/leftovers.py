"""Folders as other tools leave them, written by hand: quick, and the same each time."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import numpy as np

from rl_lab.analysis.event_files import Column, write_scalars
from rl_lab.analysis.event_files.writing import write_columns

BORN = 1_700_000_000.0
EVENTS = "events.out.tfevents.1700000000.host.1.0"


def columns(first: int, count: int) -> dict[str, Column]:
    """Returns and lengths of episodes `first` to `first + count - 1`, ten steps each."""
    numbers = np.arange(first, first + count)
    steps = (numbers + 1) * 10
    return {
        "charts/episodic_return": Column(steps, BORN + steps / 100, numbers.astype(float)),
        "charts/episodic_length": Column(steps, BORN + steps / 100, np.full(count, 10.0)),
    }


def leave_cleanrl(folder: Path, episodes: int = 20, seed: int = 1) -> Path:
    """`runs/CartPole-v1__ppo__SEED__TIME` with one event file."""
    run = folder / "runs" / f"CartPole-v1__ppo__{seed}__1700000000"
    run.mkdir(parents=True)
    config = {"env_id": "CartPole-v1", "seed": seed, "total_timesteps": 1000, "learning_rate": 0.001}
    write_scalars(run / EVENTS, columns(0, episodes), config=config, wall_time=BORN)
    return run


def grow_cleanrl(run: Path, first: int, count: int) -> None:
    with (run / EVENTS).open("ab") as file:
        write_columns(file, columns(first, count))


def leave_sb3(folder: Path, episodes: int = 30) -> Path:
    """An rl-zoo folder: monitor, progress, evaluations, models and args.yml."""
    run = folder / "ppo" / "CartPole-v1_1"
    (run / "CartPole-v1").mkdir(parents=True)
    rows = "".join(f"{i}.5,10,{i}.0\n" for i in range(episodes))
    (run / "0.monitor.csv").write_text(f'#{{"t_start": {BORN}, "env_id": "CartPole-v1"}}\nr,l,t\n{rows}')
    updates = "".join(f"{i * 100},{i},{0.5 / i}\n" for i in range(1, 4))
    (run / "progress.csv").write_text("time/total_timesteps,time/time_elapsed,train/loss\n" + updates)
    np.savez(run / "evaluations.npz", timesteps=[100, 200], results=[[1.0, 3.0], [5.0, 5.0]])
    (run / "best_model.zip").write_bytes(b"PK model")
    (run / "CartPole-v1" / "vecnormalize.pkl").write_bytes(b"cposix\nsystem\n(S'touch /tmp/owned'\ntR.")
    (run / "CartPole-v1" / "args.yml").write_text(
        "!!python/object/apply:collections.OrderedDict\n- - - algo\n    - ppo\n  - - seed\n    - 42\n"
    )
    (run / "CartPole-v1" / "config.yml").write_text("n_timesteps: 5000.0\nlearning_rate: 0.0003\n")
    return run


def leave_ray(folder: Path, iterations: int = 10) -> Path:
    run = folder / "tune" / "PPO_CartPole-v1_b1f2c_00000_0_2024"
    run.mkdir(parents=True)
    (run / "params.json").write_text(json.dumps({"env": "CartPole-v1", "seed": 5, "lr": 0.01}))
    rows = [
        {"timesteps_total": i * 100, "timestamp": BORN + i, "episode_reward_mean": i * 2.0}
        for i in range(1, iterations + 1)
    ]
    (run / "result.json").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return run


def leave_parts(folder: Path, *, seed: int = 0, name: str = "PPO_1") -> Path:
    """One SB3 training in three folders: TensorBoard, Monitor and EvalCallback; returns the TensorBoard folder."""
    draw = np.random.default_rng(seed)
    rewards = draw.integers(5, 60, 40).astype(float)
    ends = np.cumsum(rewards).astype(int)
    monitor, evaluations, tb = (folder / part / name for part in ("monitor", "eval_logs", "tb"))
    for made in (monitor, evaluations, tb):
        made.mkdir(parents=True)
    rows = "".join(f"{r},{int(r)},{end / 100}\n" for r, end in zip(rewards, ends, strict=True))
    head = f'#{{"t_start": {BORN + seed * 1000}, "env_id": "CartPole-v1"}}\nr,l,t\n'
    (monitor / "monitor.csv").write_text(head + rows)
    steps = np.arange(1, 9) * 128
    means = np.array([rewards[ends <= step][-100:].mean() for step in steps])
    results = draw.normal(30, 9, (4, 3))
    np.savez(evaluations / "evaluations.npz", timesteps=steps[1::2], results=results)
    times = BORN + seed * 1000 + 2 + steps / 100
    columns = {
        "rollout/ep_rew_mean": Column(steps, times, np.float32(means).astype(float)),
        "train/loss": Column(steps, times, np.float32(draw.random(8)).astype(float)),
        "eval/mean_reward": Column(steps[1::2], times[1::2], np.float32(results.mean(axis=1)).astype(float)),
    }
    write_scalars(tb / EVENTS, columns, wall_time=BORN + seed * 1000 + 2)
    return tb


def leave_mlflow(folder: Path, *, status: int = 3) -> Path:
    """A run of MLflow's file store, byte for byte as `mlflow.log_metric`, `log_param` and `set_tag` write it."""
    run = folder / "mlruns" / "314" / "0a1b2c3d4e5f60718293a4b5c6d7e8f9"
    for part in ("metrics/rollout", "params", "tags", "artifacts/model"):
        (run / part).mkdir(parents=True)
    (run.parent / "meta.yaml").write_text("artifact_location: file:///x\nexperiment_id: '314'\nname: demo\n")
    (run / "meta.yaml").write_text(
        "artifact_uri: file:///x/artifacts\nend_time: 1700000400000\nexperiment_id: '314'\n"
        f"lifecycle_stage: active\nrun_id: {run.name}\nrun_name: bold-newt-1\nrun_uuid: {run.name}\n"
        f"source_type: 4\nstart_time: 1700000000000\nstatus: {status}\ntags: []\nuser_id: me\n"
    )
    lines = [f"{1_700_000_000_000 + i * 1000} {i * 1.5} {i * 100}" for i in range(20)]
    (run / "metrics" / "rollout" / "ep_rew_mean").write_text("\n".join(lines) + "\n")
    (run / "metrics" / "value_loss").write_text("1700000000000 0.5 0\n1700000001000 inf 100\n")
    for name, value in (("env_id", "CartPole-v1"), ("algo", "PPO"), ("seed", "7"), ("lr", "0.0003")):
        (run / "params" / name).write_text(value)
    (run / "tags" / "mlflow.runName").write_text("bold-newt-1")
    (run / "artifacts" / "model" / "model.pt").write_bytes(b"weights")
    return run


def leave_trackio(folder: Path) -> Path:
    """A project of Trackio with two runs, in the tables that Trackio makes."""
    folder.mkdir(parents=True)
    path = folder / "cartpole.db"
    with closing(sqlite3.connect(path)) as conn:
        conn.execute("PRAGMA journal_mode=WAL")
        conn.executescript(
            "CREATE TABLE metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, timestamp TEXT NOT NULL,"
            " run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL);"
            "CREATE TABLE configs (id INTEGER PRIMARY KEY AUTOINCREMENT, run_name TEXT NOT NULL,"
            " config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_name));"
        )
        for run in ("brave-fox", "calm-owl"):
            config = json.dumps({"env_id": "CartPole-v1", "seed": 3, "_Username": "me"})
            conn.execute(
                "INSERT INTO configs (run_name, config, created_at) VALUES (?, ?, ?)", (run, config, "2023")
            )
        conn.commit()
    for step in range(10):
        log_trackio(
            path, "brave-fox", step, {"train/mean_reward": step * 2.0, "loss": "NaN" if step == 5 else 0.5}
        )
        log_trackio(path, "calm-owl", step, {"train/mean_reward": step * 1.0, "note": "words"})
    return path


def log_trackio(path: Path, run: str, step: int, metrics: dict[str, object]) -> None:
    at = f"2023-11-14T22:13:{step:02d}+00:00"
    with closing(sqlite3.connect(path)) as conn:
        query = "INSERT INTO metrics (timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?)"
        conn.execute(query, (at, run, step, json.dumps(metrics)))
        conn.commit()
