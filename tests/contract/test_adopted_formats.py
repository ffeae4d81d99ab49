"""Files as the real tools write them, read by our readers: SB3, torch's SummaryWriter, W&B offline."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.waiting import DEADLINE_S

from rl_lab.analysis.adoption.evaluation_files import is_other, read_evaluations
from rl_lab.analysis.adoption.event_files import read_events
from rl_lab.analysis.adoption.monitor_files import read_monitor
from rl_lab.analysis.adoption.progress_files import read_progress
from rl_lab.analysis.adoption.wandb_files import NOT_ONE, read_wandb
from rl_lab.orchestrator.adoption.reader.keeper import Keeper
from rl_lab.orchestrator.adoption.reader.sources import look_into
from rl_lab.orchestrator.adoption.reader.walk import Walk

WANDB = """
import wandb
run = wandb.init(project="demo", name="my run", config={"env_id": "CartPole-v1", "seed": 3, "nested": {"a": 1}})
for i in range(2000):
    run.log({"charts/episodic_return": float(i), "global_step": i * 10, "losses": {"value_loss": 0.5}, "t": "words"})
run.log({"bad": float("nan"), "flag": True})
run.finish()
"""


def test_sb3_monitor_is_read_episode_by_episode(tmp_path: Path) -> None:
    import gymnasium as gym
    from stable_baselines3.common.monitor import Monitor

    env = Monitor(gym.make("CartPole-v1"), str(tmp_path / "monitor.csv"))
    env.reset(seed=1)
    for _ in range(200):
        if any(env.step(env.action_space.sample())[2:4]):
            env.reset()
    env.close()
    with (tmp_path / "monitor.csv").open("rb") as file:
        piece = read_monitor(file, 0, {})
    assert [e.reward for e in piece.episodes] == env.get_episode_rewards()
    assert [e.length for e in piece.episodes] == env.get_episode_lengths()
    assert piece.facts.env_id == "CartPole-v1" and not piece.problems


def test_sb3_logger_writes_a_progress_file_and_extends_its_header(tmp_path: Path) -> None:
    from stable_baselines3.common.logger import configure

    logger = configure(str(tmp_path), ["csv"])
    path = tmp_path / "progress.csv"
    logger.record("time/total_timesteps", 100)
    logger.record("rollout/ep_rew_mean", 9.5)
    logger.dump(100)
    with path.open("rb") as file:
        first = read_progress(file, 0, {})
    assert first.curves["rollout/ep_rew_mean"].values.tolist() == [9.5]
    logger.record("time/total_timesteps", 200)
    logger.record("train/loss", 0.25)
    logger.dump(200)
    logger.close()
    with path.open("rb") as file:
        again = read_progress(file, 0, {})
    assert again.curves["train/loss"].steps.tolist() == [200]
    assert again.curves["rollout/ep_rew_mean"].steps.tolist() == [100]


def test_sb3_evaluations_are_read_and_continued(tmp_path: Path) -> None:
    path = tmp_path / "evaluations.npz"
    steps, results = np.array([100, 200]), np.array([[1.0, 3.0], [5.0, 7.0]])
    np.savez(path, timesteps=steps, results=results, ep_lengths=np.array([[10, 20], [30, 40]]))
    with path.open("rb") as file:
        first = read_evaluations(file, 0, {})
    assert first.curves["eval/mean_reward"].values.tolist() == [2.0, 6.0]
    assert first.curves["eval/mean_ep_length"].values.tolist() == [15.0, 35.0]
    np.savez(path, timesteps=np.append(steps, 300), results=np.vstack([results, [9.0, 9.0]]))
    with path.open("rb") as file:
        more = read_evaluations(file, first.offset, first.memo)
    assert more.curves["eval/mean_reward"].steps.tolist() == [300]
    np.savez(path, timesteps=np.array([50, 60, 70]), results=np.ones((3, 1)))
    with path.open("rb") as file:
        other = read_evaluations(file, more.offset, more.memo)
    assert is_other(more.memo, other)


@pytest.mark.parametrize("pickled", [True, False])
def test_evaluations_with_a_pickle_or_garbage_are_refused(tmp_path: Path, pickled: bool) -> None:
    path = tmp_path / "evaluations.npz"
    if pickled:
        np.savez(path, timesteps=np.array([object()]), allow_pickle=True)
    else:
        path.write_bytes(b"PK\x03\x04 no archive")
    with path.open("rb") as file:
        piece = read_evaluations(file, 0, {})
    assert piece.curves == {} and "cannot be read as arrays" in piece.problems[0]


def test_torch_event_files_give_scalars_and_hyper_parameters(tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(str(tmp_path))
    table = "|param|value|\n|-|-|\n|env_id|CartPole-v1|\n|seed|7|\n|total_timesteps|5000|"
    writer.add_text("hyperparameters", table)
    for i in range(100):
        writer.add_scalar("charts/episodic_return", float(i), i * 10)
    writer.close()
    [path] = tmp_path.iterdir()
    with path.open("rb") as file:
        piece = read_events(file, 0, {})
    found = piece.curves["charts/episodic_return"]
    assert found.steps.tolist() == list(range(0, 1000, 10)) and found.values.tolist() == list(range(100))
    facts = piece.facts
    assert (facts.env_id, facts.seed, facts.total_timesteps) == ("CartPole-v1", 7, 5000)


@pytest.fixture(scope="module")
def wandb_file(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("wandb")
    quiet = {"WANDB_MODE": "offline", "WANDB_SILENT": "true", "HOME": str(folder), "WANDB_DIR": str(folder)}
    subprocess.run(
        [sys.executable, "-c", WANDB], env={**os.environ, **quiet}, cwd=folder, check=True, timeout=DEADLINE_S
    )
    [path] = folder.glob("wandb/offline-run-*/run-*.wandb")
    return path.read_bytes()


def test_a_wandb_offline_file_gives_curves_config_and_its_end(wandb_file: bytes) -> None:
    piece = read_wandb(io.BytesIO(wandb_file), 0, {})
    found = piece.curves["charts/episodic_return"]
    assert found.values.tolist() == list(range(2000)) and found.steps.tolist() == list(range(0, 20_000, 10))
    assert len(piece.curves["losses/value_loss"]) == 2000
    assert (
        np.isnan(piece.curves["bad"].values).all() and "flag" not in piece.curves and "t" not in piece.curves
    )
    facts = piece.facts
    assert (facts.env_id, facts.seed, facts.title, facts.has_ended) == ("CartPole-v1", 3, "my run", True)
    assert facts.args["nested"] == {"a": 1} and not facts.failure
    assert piece.offset == len(wandb_file) and not piece.problems


def test_a_wandb_file_cut_anywhere_is_continued_to_the_same_points(wandb_file: bytes) -> None:
    for cut in (5, 50, 4096, 32768, 32770, 40_000, len(wandb_file) - 3):
        first = read_wandb(io.BytesIO(wandb_file[:cut]), 0, {})
        rest = read_wandb(io.BytesIO(wandb_file), first.offset, first.memo)
        assert not first.problems and not rest.problems
        parts = [p.curves["charts/episodic_return"].values for p in (first, rest) if p.curves]
        assert np.concatenate(parts).tolist() == list(range(2000))
        assert rest.facts.env_id == "CartPole-v1"


def test_a_damaged_wandb_file_loses_only_the_damaged_part(wandb_file: bytes) -> None:
    damaged = wandb_file[:40_000] + b"\xff" * 3000 + wandb_file[43_000:]
    piece = read_wandb(io.BytesIO(damaged), 0, {})
    assert 1500 < len(piece.curves["charts/episodic_return"]) < 2000
    assert "left out" in piece.problems[0] and piece.facts.has_ended
    assert read_wandb(io.BytesIO(b"nonsense" * 10), 0, {}).problems == [NOT_ONE]


def test_hyper_parameters_in_a_subfolder_belong_to_the_run_above(tmp_path: Path) -> None:
    from torch.utils.tensorboard import SummaryWriter

    writer = SummaryWriter(str(tmp_path / "run"))
    writer.add_scalar("loss", 0.5, 1)
    writer.add_hparams({"lr": 0.1, "env_id": "CartPole-v1"}, {"hparam/reward": 9.0})
    writer.close()
    walk = Walk(own="", on_problem=[].append)
    assert [path for path in walk.through(str(tmp_path)) if path] == [str(tmp_path / "run")]
    source = look_into(str(tmp_path / "run"))
    assert source is not None and len(source.data["events"]) == 2
    (tmp_path / "home").mkdir()
    keeper = Keeper(tmp_path / "home", "r1", [].append)
    assert keeper.advance(source)
    assert keeper.facts.env_id == "CartPole-v1" and keeper.facts.args["lr"] == pytest.approx(0.1)
