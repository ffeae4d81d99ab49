"""New learners begin with the weights of a checkpoint and with nothing else of it; what does not fit is refused."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from stable_baselines3 import A2C, DQN, PPO, SAC
from stable_baselines3.common.vec_env import DummyVecEnv, VecNormalize

from rl_lab.core.errors import Gone, InvalidInput
from rl_lab.core.job_file import Job
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.models.start_points import StartPoint
from rl_lab.portable.control import Control
from rl_lab.runners.registry import find_spec
from rl_lab.runners.sb3.checkpoints import save_model
from rl_lab.runners.sb3.warm_start import take_weights as take_sb3
from rl_lab.runners.turbo.checkpoints import Header, write_checkpoint
from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.playing import load_policy
from rl_lab.runners.turbo.ppo import Ppo
from rl_lab.runners.turbo.warm_start import take_weights as take_turbo
from rl_lab.runners.warm_starts import network_of
from rl_lab.worker.session import Session
from rl_lab.worker.telemetry import Telemetry

PPO_PARAMS = TurboPpoParams(n_envs=2, n_steps=16, batch_size=32, hidden=8, normalize_observations=True)
DQN_PARAMS = TurboDqnParams(n_envs=2, train_freq=8, learning_starts=16, gradient_steps=2, hidden=8)


def turbo(kind: Any, params: Any, env_id: str = "CartPole-v1", updates: int = 0, seed: int = 1) -> Any:
    learner = kind(describe(env_id, {}), params, seed=seed, schedule_left=lambda _: 1.0, processes=1)
    for _ in range(updates):
        learner.advance()
    learner.close()
    return learner


def save_turbo(path: Path, algorithm: str, learner: Any) -> Path:
    write_checkpoint(path, Header(algorithm, learner.params.model_dump(), learner.spec), learner.state())
    return path


def test_turbo_takes_networks_and_observation_statistics(tmp_path: Path) -> None:
    trained = turbo(Ppo, PPO_PARAMS, updates=2)
    start = save_turbo(tmp_path / "ppo", "ppo", trained)
    fresh = turbo(Ppo, PPO_PARAMS.model_copy(update={"learning_rate": 1e-5}), seed=2)
    take_turbo(fresh, "ppo", start)
    assert np.array_equal(fresh.network.flat, trained.network.flat)
    assert np.array_equal(fresh.norm.shift, trained.norm.shift)
    assert (fresh.timesteps, fresh.updates, fresh.scale.state()["count"]) == (0, 0, 1e-4)

    learned = turbo(Dqn, DQN_PARAMS, updates=4)
    second = turbo(Dqn, DQN_PARAMS, seed=2)
    take_turbo(second, "dqn", save_turbo(tmp_path / "dqn", "dqn", learned))
    assert np.array_equal(second.network.flat, learned.network.flat)
    assert np.array_equal(second.target.flat, learned.target.flat)


def test_turbo_refuses_other_spaces_networks_and_algorithms(tmp_path: Path) -> None:
    start = save_turbo(tmp_path / "ppo", "ppo", turbo(Ppo, PPO_PARAMS))
    with pytest.raises(InvalidInput) as spaces:
        take_turbo(turbo(Ppo, PPO_PARAMS, "Acrobot-v1"), "ppo", start)
    assert spaces.value.errors[0].message == (
        "The weights are for CartPole-v1 with observations of size 4 and 2 discrete actions; Acrobot-v1 has "
        "observations of size 6 and 3 discrete actions."
    )
    with pytest.raises(InvalidInput) as network:
        take_turbo(turbo(Ppo, PPO_PARAMS.model_copy(update={"hidden": 4})), "ppo", start)
    assert network.value.errors[0].message == "The weights have hidden = 8, not 4."
    with pytest.raises(InvalidInput, match="turbo ppo"):
        take_turbo(turbo(Dqn, DQN_PARAMS), "dqn", start)


def sb3(
    kind: Any, seed: int, env_id: str = "CartPole-v1", width: int = 8, *, normalised: bool = False
) -> Any:
    torch.set_num_threads(1)
    env: Any = DummyVecEnv([lambda: gymnasium.make(env_id)])
    env = VecNormalize(env, norm_reward=False) if normalised else env
    small = {"n_steps": 8} if kind in (PPO, A2C) else {"buffer_size": 64}
    more = {"batch_size": 8} if kind is PPO else {}
    network = {"net_arch": [width, width]}
    return kind("MlpPolicy", env, seed=seed, policy_kwargs=network, device="cpu", **small, **more)


def weights(model: Any) -> dict[str, Any]:
    return {name: tensor.numpy().copy() for name, tensor in model.policy.state_dict().items()}


def same(first: Any, second: Any) -> bool:
    one, other = weights(first), weights(second)
    return one.keys() == other.keys() and all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize(
    ("trained", "wanted", "env_id"),
    [
        (PPO, PPO, "CartPole-v1"),
        (PPO, A2C, "CartPole-v1"),
        (DQN, DQN, "CartPole-v1"),
        (SAC, SAC, "Pendulum-v1"),
    ],
)
def test_sb3_takes_all_networks(trained: Any, wanted: Any, env_id: str, tmp_path: Path) -> None:
    first, fresh = sb3(trained, 1, env_id), sb3(wanted, 2, env_id)
    save_model(first, tmp_path / "start.zip", {})
    assert not same(first, fresh)
    take_sb3(fresh, wanted.__name__.lower(), tmp_path / "start.zip")
    assert same(first, fresh) and fresh.num_timesteps == 0
    assert not fresh.policy.state_dict().keys() - first.policy.state_dict().keys()


def test_sb3_takes_the_statistics_of_observations_only(tmp_path: Path) -> None:
    first, fresh = sb3(PPO, 1, normalised=True), sb3(PPO, 2, normalised=True)
    first.env.obs_rms.mean[:] = 3.5
    first.env.ret_rms.mean = np.float64(9.0)
    save_model(first, tmp_path / "start.zip", {})
    take_sb3(fresh, "ppo", tmp_path / "start.zip")
    assert np.all(fresh.env.obs_rms.mean == 3.5) and fresh.env.ret_rms.mean == 0
    with pytest.raises(InvalidInput, match="trained with normalize_observations"):
        take_sb3(sb3(PPO, 2), "ppo", tmp_path / "start.zip")


def test_sb3_names_what_does_not_fit(tmp_path: Path) -> None:
    save_model(sb3(PPO, 1), tmp_path / "start.zip", {})
    with pytest.raises(InvalidInput) as refused:
        take_sb3(sb3(PPO, 2, "Acrobot-v1"), "ppo", tmp_path / "start.zip")
    message = refused.value.errors[0].message
    assert "has the shape 8 × 4 in the checkpoint and 8 × 6 here" in message and "Discrete(3)" in message
    with pytest.raises(InvalidInput, match="8 × 4 in the checkpoint and 16 × 4 here"):
        take_sb3(sb3(PPO, 2, width=16), "ppo", tmp_path / "start.zip")


@pytest.mark.parametrize(("kind", "params", "model"), [(Ppo, PPO_PARAMS, PPO), (Dqn, DQN_PARAMS, DQN)])
def test_sb3_acts_as_the_turbo_checkpoint_that_it_starts_from(
    kind: Any, params: Any, model: Any, tmp_path: Path
) -> None:
    algorithm = model.__name__.lower()
    start = save_turbo(tmp_path / "start", algorithm, turbo(kind, params, updates=2))
    parent = TrainConfig(runner="turbo", algorithm=algorithm, params=params.model_dump())
    spec = find_spec("sb3")
    network = network_of(parent, spec, spec.algorithm(algorithm))
    assert network == {"net_arch": [8, 8], "activation": params.activation, "normalize_observations": False}
    fresh = sb3(model, 2)
    activation = torch.nn.ReLU if params.activation == "relu" else torch.nn.Tanh
    fresh = model(
        "MlpPolicy",
        fresh.env,
        seed=2,
        device="cpu",
        policy_kwargs={"net_arch": [8, 8], "activation_fn": activation},
    )
    take_sb3(fresh, algorithm, start)
    policy = load_policy(start)
    for observation in np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32):
        action, _ = fresh.predict(observation, deterministic=True)
        assert int(action) == policy.act(observation, deterministic=True).action
    with pytest.raises(InvalidInput, match=f"turbo {algorithm}"):
        take_sb3(fresh, "a2c", start)


def test_a_worker_loads_only_the_contents_that_were_chosen(tmp_path: Path) -> None:
    file = tmp_path / "checkpoint"
    file.write_bytes(b"weights")
    point = StartPoint(run_id="1nfq8ze3k2aa", sha256=hashlib.sha256(b"weights").hexdigest())
    config = TrainConfig(algorithm="ppo", start_from=point)
    job = Job(run_id="1nfq8ze3k2ab", config=config, run_dir=tmp_path, inputs={"start": str(file)})

    def session(**changes: Any) -> Session:
        made = job.model_copy(update=changes)
        return Session(
            made, Telemetry(os.open(os.devnull, os.O_WRONLY)), Control(os.open(os.devnull, os.O_RDONLY))
        )

    with session().start_file() as found:
        assert found is not None and found.read_bytes() == b"weights" and found != file
    with session(resume_from="checkpoints/step-1.zip").start_file() as found:
        assert found is None  # a resumed run has weights of its own
    file.write_bytes(b"others!")
    with pytest.raises(Gone, match="was changed"), session().start_file():
        pass
    file.unlink()
    with pytest.raises(Gone, match="missing from its folder"), session().start_file():
        pass
