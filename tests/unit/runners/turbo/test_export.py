"""Exported policies act as the checkpoint does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint, write_checkpoint
from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.export import export_onnx, export_sb3
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.playing import TurboPolicy
from rl_lab.runners.turbo.ppo import Ppo

PPO = TurboPpoParams(n_envs=16, n_steps=64, normalize_observations=True, normalize_reward=True, hidden=24)
DQN = TurboDqnParams(n_envs=4, train_freq=64, gradient_steps=8, learning_starts=64, reward_scale=0.1)
CASES = [
    ("CartPole-v1", "ppo", Ppo, PPO),
    ("LunarLanderContinuous-v3", "ppo", Ppo, PPO),
    ("CartPole-v1", "dqn", Dqn, DQN),
]


@pytest.fixture(params=CASES, ids=lambda case: f"{case[1]}-{case[0]}")
def trained(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path, Any]:
    env_id, algorithm, kind, params = request.param
    learner = kind(describe(env_id, {}), params, seed=1, schedule_left=lambda _: 1.0, processes=1)
    for _ in range(4):
        learner.advance()
    learner.close()
    path = tmp_path / "model.safetensors"
    write_checkpoint(path, Header(algorithm, params.model_dump(), learner.spec), learner.state())
    return path, learner.rollouts.observation[:-1].reshape(-1, learner.spec.observation_size)[:200]


def decisions(checkpoint: Path, observations: Any) -> list[Any]:
    policy = TurboPolicy(*read_checkpoint(checkpoint))
    return [policy.act(o, deterministic=True) for o in observations]


def test_sb3_loads_the_zip_and_acts_identically(trained: tuple[Path, Any], tmp_path: Path) -> None:
    import torch
    from stable_baselines3 import DQN as Sb3Dqn
    from stable_baselines3 import PPO as Sb3Ppo

    checkpoint, observations = trained
    export_sb3(checkpoint, tmp_path / "model.zip")
    is_ppo = read_checkpoint(checkpoint)[0].algorithm == "ppo"
    model = (Sb3Ppo if is_ppo else Sb3Dqn).load(tmp_path / "model.zip", device="cpu")
    expected = decisions(checkpoint, observations)
    actions, _ = model.predict(observations, deterministic=True)
    np.testing.assert_allclose(actions, [d.action for d in expected], atol=1e-5)
    seen = torch.from_numpy(np.array(observations))
    with torch.no_grad():
        values = model.policy.predict_values(seen)[:, 0] if is_ppo else model.q_net(seen).amax(1)
    np.testing.assert_allclose(values.numpy(), [d.value for d in expected], rtol=1e-3, atol=1e-3)


def test_onnx_graph_acts_identically(trained: tuple[Path, Any], tmp_path: Path) -> None:
    import onnxruntime

    checkpoint, observations = trained
    export_onnx(checkpoint, tmp_path / "model.onnx")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(tmp_path / "model.onnx", options)
    (actions,) = session.run(["action"], {"observation": observations})
    expected = decisions(checkpoint, observations)
    np.testing.assert_allclose(actions, [d.action for d in expected], atol=1e-5)
