"""Folders that real libraries write for one training become one run: SB3, RL Zoo's layout, W&B and TensorBoard."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.waiting import DEADLINE_S

from rl_lab.orchestrator.adoption.reader import messages as m
from rl_lab.orchestrator.adoption.reader.adoption import Adoption

TWIN = """
import wandb
from torch.utils.tensorboard import SummaryWriter
wandb.init(project="demo", name="twin", config={"env_id": "CartPole-v1", "seed": 3}, sync_tensorboard=True)
writer = SummaryWriter("runs/CartPole-v1__ppo__3__1700000000")
for i in range(40):
    writer.add_scalar("charts/episodic_return", float(i * 7 % 13), i * 10)
    writer.add_scalar("losses/value_loss", 1 / (i + 1), i * 10)
writer.close()
wandb.finish()
"""


@pytest.fixture(scope="module")
def sb3(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seeds, one after the other: each with TensorBoard, two monitors, evaluations."""
    import gymnasium as gym
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import EvalCallback
    from stable_baselines3.common.env_util import make_vec_env
    from stable_baselines3.common.monitor import Monitor

    root = tmp_path_factory.mktemp("sb3")
    for seed in (0, 1):
        envs = make_vec_env("CartPole-v1", n_envs=2, seed=seed, monitor_dir=str(root / f"monitor/s{seed}"))
        evaluation = EvalCallback(
            Monitor(gym.make("CartPole-v1")),
            eval_freq=128,
            n_eval_episodes=3,
            log_path=str(root / f"eval_logs/s{seed}"),
            verbose=0,
        )
        model = PPO(
            "MlpPolicy",
            envs,
            n_steps=64,
            batch_size=64,
            n_epochs=1,
            tensorboard_log=str(root / "tb"),
            seed=seed,
            device="cpu",
        )
        model.learn(1024, callback=evaluation)
        envs.close()
        evaluation.eval_env.close()
        model.logger.close()
    return root


def adopt(folder: Path, home: Path, **order: Any) -> list[m.Found]:
    reports: list[m.Report] = []
    home.mkdir(exist_ok=True)
    adoption = Adoption(home, m.Adopt("a", str(folder), follow=False, **order), reports.append, 600.0)
    for _ in adoption.work():
        pass
    assert not [report for report in reports if isinstance(report, m.Trouble)]
    return [report for report in reports if isinstance(report, m.Found)]


def folders(found: m.Found, root: Path) -> list[str]:
    source = found.run["source"]
    paths = [source["folder"], *(one["folder"] for one in source["joined"])]
    return [str(Path(path).relative_to(root)) for path in paths]


def test_one_sb3_training_is_one_run_and_two_are_two(sb3: Path, tmp_path: Path) -> None:
    found = adopt(sb3, tmp_path / "home")
    assert [folders(one, sb3) for one in found] == [
        ["tb/PPO_1", "eval_logs/s0", "monitor/s0"],
        ["tb/PPO_2", "eval_logs/s1", "monitor/s1"],
    ]
    for one in found:
        config = one.run["config"]
        assert (config["algorithm"], config["env_id"]) == ("ppo", "CartPole-v1")
        assert one.run["progress"]["timestep"] == 1024 and one.run["progress"]["episodes"] > 10
        [said] = [note.message for note in one.notes if note.type == "joined"]
        assert said.startswith("Joined: tb/PPO_") and "eval/mean_reward" in said and "episodes" in said


def test_without_joining_each_folder_is_a_run(sb3: Path, tmp_path: Path) -> None:
    assert len(adopt(sb3, tmp_path / "home", join=False)) == 6


def test_logs_and_tb_of_rl_zoo_are_one_run(sb3: Path, tmp_path: Path) -> None:
    logs = tmp_path / "logs" / "ppo" / "CartPole-v1_1"
    shutil.copytree(sb3 / "monitor" / "s0", logs)
    shutil.copy(sb3 / "eval_logs" / "s0" / "evaluations.npz", logs)
    (logs / "CartPole-v1").mkdir()
    (logs / "CartPole-v1" / "args.yml").write_text(
        "!!python/object/apply:collections.OrderedDict\n- - - algo\n    - ppo\n  - - seed\n    - 42\n"
    )
    shutil.copytree(sb3 / "tb" / "PPO_1", tmp_path / "tb" / "CartPole-v1" / "PPO_1")
    shutil.copytree(sb3 / "tb" / "PPO_2", tmp_path / "tb" / "CartPole-v1" / "PPO_2")
    found = adopt(tmp_path, tmp_path / "home")
    assert [folders(one, tmp_path) for one in found] == [
        ["logs/ppo/CartPole-v1_1", "tb/CartPole-v1/PPO_1"],
        ["tb/CartPole-v1/PPO_2"],
    ]
    assert (found[0].run["source"]["format"], found[0].run["config"]["seed"]) == ("rl-zoo", 42)


def test_a_wandb_folder_and_its_tensorboard_twin_are_one_run(tmp_path: Path) -> None:
    quiet = {
        "WANDB_MODE": "offline",
        "WANDB_SILENT": "true",
        "HOME": str(tmp_path),
        "WANDB_DIR": str(tmp_path),
    }
    subprocess.run(
        [sys.executable, "-c", TWIN],
        env={**os.environ, **quiet},
        cwd=tmp_path,
        check=True,
        timeout=DEADLINE_S,
    )
    [found] = adopt(tmp_path, tmp_path / "home")
    own, twin = folders(found, tmp_path)
    assert own == "runs/CartPole-v1__ppo__3__1700000000" and twin.startswith("wandb/offline-run-")
    assert found.run["name"] == "twin" and found.run["progress"]["episodes"] == 40
