"""What scripts tell their libraries reaches the lab: arguments, scalars, W&B calls, SB3's logger, files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from support.captured import SCRIPTS, Captured, captured
from support.waiting import DEADLINE_S

WRITER = """
class SummaryWriter:
    def __init__(self, logdir=None): self.logdir = logdir
    def add_scalar(self, tag, scalar_value, global_step=None, walltime=None): pass
    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, walltime=None): pass
    def add_hparams(self, hparam_dict, metric_dict, name=None, global_step=None): pass
"""


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Captured]:
    with captured(tmp_path) as running:
        yield running


def metrics(script: Captured) -> dict[str, list[Any]]:
    """All points by name, as (step, value)."""
    points: dict[str, list[Any]] = {}
    for event in script.attempt.events("metric"):
        for name, value in event["values"].items():
            points.setdefault(name, []).append((event["step"], value))
    return points


def test_a_training_script_becomes_a_run_and_its_numbers_stay_its_own(script: Captured) -> None:
    path, length = str(SCRIPTS / "ppo_cartpole.py"), "--total-timesteps=2048"
    script.start(path, length, "--seed=5")
    assert script.finish()["outcome"] == "succeeded"
    config = script.attempt.events("config")[-1]
    assert (config["env_id"], config["seed"], config["n_envs"]) == ("CartPole-v1", 5, 4)
    assert config["args"]["learning_rate"] == 2.5e-4
    assert config["versions"]["gymnasium"]
    assert script.attempt.events("status")[-1]["total"] == 2048
    points = metrics(script)
    assert points["losses/value_loss"] == points["value_loss"]
    assert [step for step, _ in points["learning_rate"]] == [512, 1024, 1536, 2048]
    assert {"policy_loss", "entropy", "fps", "charts/SPS"} <= set(points)
    episodes = script.attempt.events("episode")
    assert len(episodes) == len(points["charts/episodic_return"])
    assert sum(e["return"] for e in episodes) == sum(v for _, v in points["charts/episodic_return"])
    folder = script.files / "runs" / "CartPole-v1__ppo_cartpole__5"
    kinds = {event["path"]: event["kind"] for event in script.attempt.events("artifact")}
    assert kinds[f"files/runs/{folder.name}"] == "tensorboard"
    assert kinds["files/ppo_cartpole.cleanrl_model"] == "model"
    sizes = {event["path"]: event["size"] for event in script.attempt.events("artifact")}
    written = sum(file.stat().st_size for file in folder.glob("events.out.tfevents.*"))
    assert sizes[f"files/runs/{folder.name}"] == written > 0

    bare = script.mine / "bare"
    bare.mkdir()
    subprocess.run([sys.executable, path, length, "--seed=5"], cwd=bare, check=True, timeout=DEADLINE_S)
    mine, theirs = (
        torch.load(f / "ppo_cartpole.cleanrl_model", weights_only=True) for f in (script.files, bare)
    )
    assert all(torch.equal(mine[name], theirs[name]) for name in theirs)


def test_the_parsers_of_libraries_are_not_the_scripts(script: Captured) -> None:
    script.run(
        """
        import argparse, zipapp, sys
        library = argparse.ArgumentParser
        sys.argv = ["x", "--lr", "0.1"]
        parser = library()
        parser.add_argument("--lr", type=float)
        parser.add_argument("--total-timesteps", type=int, default=10)
        parser.parse_known_args()
        import timeit
        timeit.main(["-n1", "-r1", "pass"])
        """
    )
    [config] = script.attempt.events("config")
    assert config["args"] == {"lr": 0.1, "total_timesteps": 10}


def test_arguments_of_any_kind_are_told_plainly(script: Captured) -> None:
    script.run(
        """
        import argparse, enum, pathlib
        class Mode(enum.Enum): FAST = 1
        argparse.ArgumentParser().parse_args([], argparse.Namespace(
            mode=Mode.FAST, out=pathlib.Path("x"), nan=float("nan"), nets=(64, 64), f=print, deep={"a": {"b": [1]}}))
        """
    )
    [config] = script.attempt.events("config")
    assert config["args"] == {
        "mode": "Mode.FAST",
        "out": "x",
        "nan": "nan",
        "nets": [64, 64],
        "f": "print",
        "deep": {"a": {"b": [1]}},
    }


def test_writers_of_every_make_are_heard(script: Captured) -> None:
    script.write(WRITER, "tensorboardX/writer.py")
    script.write("from .writer import SummaryWriter", "tensorboardX/__init__.py")
    finished = script.run(
        """
        import numpy as np
        from tensorboardX import SummaryWriter
        writer = SummaryWriter("runs/a")
        writer.add_scalar("losses/td_loss", np.array([0.5]), 10)
        writer.add_scalar("charts/epsilon", float("nan"), global_step=11)
        writer.add_scalars("eval", {"loss": 1.0}, 12)
        writer.add_scalar("text", "not a number", 13)
        writer.add_hparams({"lr": 0.1, "seed": 4}, {})
        """
    )
    assert finished["outcome"] == "succeeded"
    assert metrics(script) == {
        "losses/td_loss": [(10, 0.5)],
        "loss": [(10, 0.5)],
        "charts/epsilon": [(11, "nan")],
        "exploration_rate": [(11, "nan")],
        "eval/loss": [(12, 1.0)],
    }
    config = script.attempt.events("config")[-1]
    assert (config["args"], config["seed"]) == ({"lr": 0.1, "seed": 4}, 4)


def test_wandb_calls_are_answered_without_an_account(script: Captured) -> None:
    finished = script.run(
        """
        import numpy as np, wandb
        import wandb.util
        run = wandb.init(project="p", name="first", config={"lr": 0.1, "seed": 7}, sync_tensorboard=True)
        wandb.config.update({"gamma": 0.9})
        wandb.config.clip = 0.2
        assert wandb.run is run and run.name == "first" and wandb.config["lr"] == 0.1
        wandb.define_metric("loss", step_metric="global_step")
        wandb.watch(object())
        wandb.log({"loss": 0.5, "train": {"entropy": 0.1}, "global_step": 64})
        wandb.log({"picture": wandb.Image(np.zeros((4, 5, 3), "u1"), caption="x")}, step=65)
        wandb.log({"clip": wandb.Video(np.zeros((3, 3, 16, 16), "u1"), fps=4, format="gif")})
        run.log({"loss": 0.25}, step=128)
        run.summary["best"] = 1
        wandb.Artifact("model", type="model").add_file("x")
        run.finish()
        wandb.finish()
        print("url", repr(run.url))
        """
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()
    points = metrics(script)
    assert points["loss"] == [(64, 0.5), (128, 0.25)]
    assert points["train.entropy"] == points["entropy"] == [(64, 0.1)]
    assert script.attempt.events("config")[-1]["args"] == {"lr": 0.1, "seed": 7, "gamma": 0.9, "clip": 0.2}
    files = {event["kind"]: event["path"] for event in script.attempt.events("artifact")}
    assert files["image"].startswith("files/media/picture_")
    assert (script.run_dir / files["image"]).read_bytes().startswith(b"\x89PNG")
    assert (script.run_dir / files["video"]).read_bytes().startswith(b"GIF8")
    assert "wandb.watch is ignored: the lab does not capture it." in script.warnings()


def test_the_real_wandb_offline_keeps_its_folder_and_is_heard(script: Captured) -> None:
    env = {**os.environ, "WANDB_MODE": "offline", "WANDB_DIR": str(script.files), "HOME": str(script.mine)}
    finished = script.run(
        """
        import wandb
        run = wandb.init(project="p", config={"lr": 0.1})
        run.log({"loss": 0.5}, step=3)
        wandb.log({"loss": 0.4}, step=4)
        run.finish()
        """,
        params={"wandb": "offline"},
        env=env,
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()
    assert metrics(script)["loss"] == [(3, 0.5), (4, 0.4)]
    assert script.attempt.events("config")[-1]["args"] == {"lr": 0.1}
    folders = [e["path"] for e in script.attempt.events("artifact") if e["kind"] == "wandb"]
    assert len(folders) == 1
    assert folders[0].startswith("files/wandb/offline-run-")


def test_stable_baselines_environments_in_other_processes_are_counted_from_outside(script: Captured) -> None:
    finished = script.run(
        """
        from stable_baselines3 import PPO
        from stable_baselines3.common.env_util import make_vec_env
        from stable_baselines3.common.vec_env import SubprocVecEnv
        if __name__ == "__main__":
            env = make_vec_env("CartPole-v1", n_envs=2, seed=3, vec_env_cls=SubprocVecEnv)
            PPO("MlpPolicy", env, n_steps=64, batch_size=64, n_epochs=1, device="cpu").learn(256)
        """
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()
    told = [event["return"] for event in script.attempt.events("episode")]
    assert metrics(script)["rollout/ep_rew_mean"][-1][1] == pytest.approx(sum(told) / len(told))
    config = script.attempt.events("config")[-1]
    assert (config["env_id"], config["seed"], config["n_envs"]) == ("CartPole-v1", 3, 2)
    assert "With DummyVecEnv they are recorded" in script.warnings()


def test_stable_baselines_tells_its_logger_and_its_total(script: Captured) -> None:
    finished = script.run(
        """
        from stable_baselines3 import PPO
        from wandb.integration.sb3 import WandbCallback
        model = PPO("MlpPolicy", "CartPole-v1", n_steps=64, batch_size=64, n_epochs=1, device="cpu", seed=1)
        model.learn(256, callback=WandbCallback(verbose=0))
        """
    )
    assert finished["outcome"] == "succeeded", script.attempt.log()
    points = metrics(script)
    assert points["train/value_loss"] == points["value_loss"]
    assert points["entropy"][0][1] == -points["train/entropy_loss"][0][1]
    assert script.attempt.events("status")[-1]["total"] == 256
    assert script.attempt.events("episode")
    [saved] = script.attempt.events("checkpoint")
    state = torch.load(script.run_dir / saved["path"], weights_only=True)
    assert set(state["modules"]) == {"model.policy"}
    assert set(state["optimizers"]) == {"model.policy.optimizer"}


def test_what_cannot_be_seen_is_said(script: Captured) -> None:
    script.write(WRITER, "tensorboardX/writer.py")
    script.write("from .writer import SummaryWriter", "tensorboardX/__init__.py")
    script.write("def make(task_id, env_type, **options): return object()\n", "envpool.py")
    script.write("", "jax.py")
    finished = script.run(
        """
        import envpool, jax
        from tensorboardX import SummaryWriter
        envs = envpool.make("Pong-v5", env_type="gym", num_envs=8)
        SummaryWriter("runs").add_scalar("charts/episodic_return", 21.0, 100)
        """
    )
    assert finished["outcome"] == "succeeded"
    assert "EnvPool steps its environments in native threads" in script.warnings()
    assert metrics(script)["reward"] == [(100, 21.0)]
    config = script.attempt.events("config")[-1]
    assert (config["env_id"], config["n_envs"]) == ("Pong-v5", 8)


PETTINGZOO = """
class AECEnv: pass
class ParallelEnv: pass
"""


def test_a_multi_agent_environment_is_said_to_be_unseen(script: Captured) -> None:
    script.write("from pettingzoo.utils.env import ParallelEnv", "pettingzoo/__init__.py")
    script.write("", "pettingzoo/utils/__init__.py")
    script.write(PETTINGZOO, "pettingzoo/utils/env.py")
    script.run(
        """
        import gymnasium as gym
        from pettingzoo import ParallelEnv
        class Tag(ParallelEnv):
            def __init__(self, agents):
                self.agents = agents
        env = gym.make("CartPole-v1")
        env.reset(seed=1)
        env.step(0)
        assert Tag(agents=3).agents == 3
        """
    )
    assert "PettingZoo environments, with several agents, are not captured" in script.warnings()


@pytest.mark.parametrize(
    ("module", "make", "said"),
    [
        ("gym", "make('CartPole-v0')", "uses the old package gym"),
        ("gymnax", "make('CartPole-v1')", "gymnax: environments run inside compiled JAX functions"),
        ("brax.envs", "get_environment('ant')", "Brax: environments run inside compiled JAX functions"),
        ("jumanji", "make('Snake-v1')", "Jumanji: environments run inside compiled JAX functions"),
    ],
)
def test_environments_of_other_libraries_are_said_to_be_unseen_when_they_are_made(
    script: Captured, module: str, make: str, said: str
) -> None:
    folder, _, inner = module.partition(".")
    source = f"def {make.partition('(')[0]}(name): return object()\n"
    script.write("" if inner else source, f"{folder}/__init__.py")
    if inner:
        script.write(source, f"{folder}/{inner}.py")
    script.run(
        f"""
        import gymnasium as gym
        import {module}
        env = gym.make("CartPole-v1")
        env.reset(seed=1)
        env.step(0)
        {module}.{make}
        """
    )
    assert said in script.warnings(), "also next to an environment that is captured"


def test_environments_in_forked_processes_are_said_to_be_unseen(script: Captured) -> None:
    script.run(
        """
        import multiprocessing
        import gymnasium as gym
        def work(name):
            env = gym.make(name)
            env.reset(seed=1)
            env.step(0)
        for _ in range(2):
            child = multiprocessing.get_context("fork").Process(target=work, args=("Acrobot-v1",))
            child.start()
            child.join()
        """
    )
    said = "The script steps Acrobot-v1 in processes of its own: those episodes are not captured."
    assert script.warnings().count(said) == 1


def test_jax_alone_is_said_to_hide_its_environments(script: Captured) -> None:
    script.write("", "jax.py")
    script.run("import jax")
    assert "steps inside compiled functions cannot be captured" in script.warnings()


def test_files_that_matter_are_listed_and_a_flood_of_them_is_not(script: Captured) -> None:
    finished = script.run(
        """
        import os
        os.makedirs("videos"); os.makedirs("many")
        for name in ("videos/rl-video-episode-0.mp4", "curve.png", "progress.csv", "notes.xyz", "agent.pth"):
            open(name, "wb").write(b"x")
        for i in range(6_000):
            open(f"many/{i}.json", "w").close()
        """
    )
    assert finished["outcome"] == "succeeded"
    kinds = {event["path"]: event["kind"] for event in script.attempt.events("artifact")}
    assert kinds == {
        "files/videos/rl-video-episode-0.mp4": "video",
        "files/curve.png": "image",
        "files/progress.csv": "file",
        "files/agent.pth": "model",
    }
    assert "more than 5,000 files into many" in script.warnings()


def test_files_are_told_in_the_order_they_were_written_so_that_the_newest_stay(script: Captured) -> None:
    names = ["m.mp4", "c.mp4", "z.mp4", "a.mp4", "k.mp4", "b.mp4"]
    script.run(
        f"""
        import os
        for at, name in enumerate({names}):
            open(name, "w").write("frames")
            os.utime(name, (4e9 + at, 4e9 + at))
        """
    )
    told = [event["path"] for event in script.attempt.events("artifact")]
    assert told == [f"files/{name}" for name in names]


def test_no_more_than_two_hundred_files_are_listed(script: Captured) -> None:
    script.run("for i in range(300): open(f'{i}.png', 'wb').write(b'x')")
    assert len(script.attempt.events("artifact")) == 200
    assert "More than 200 files" in script.warnings()


def test_settings_are_those_that_the_script_uses(script: Captured) -> None:
    """CleanRL computes sizes after parsing; Stable-Baselines3 models have their own."""
    script.run(
        """
        import argparse
        import gymnasium as gym
        from stable_baselines3 import PPO
        parser = argparse.ArgumentParser()
        parser.add_argument("--num-steps", type=int, default=64)
        parser.add_argument("--batch-size", type=int, default=0)
        args = parser.parse_args()
        args.batch_size = args.num_steps // 2
        env = gym.make("CartPole-v1")
        model = PPO("MlpPolicy", env, n_steps=args.num_steps, batch_size=32, n_epochs=1, gamma=0.97, device="cpu")
        model.learn(128)
        """
    )
    args = script.attempt.events("config")[-1]["args"]
    assert (args["num_steps"], args["batch_size"]) == (64, 32)
    assert (args["algorithm"], args["gamma"], args["n_steps"], args["learning_rate"], args["clip_range"]) == (
        "PPO",
        0.97,
        64,
        3e-4,
        0.2,
    )
    sources = {
        name: text
        for event in script.attempt.events("metric")
        for name, text in event.get("sources", {}).items()
    }
    assert sources["entropy"] == "Stable-Baselines3 logger −train/entropy_loss"
    assert sources["train/value_loss"] == "Stable-Baselines3 logger train/value_loss"
