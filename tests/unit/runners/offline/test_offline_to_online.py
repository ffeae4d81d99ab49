"""Online learners that start with an offline policy choose the same actions; critics go along where there are some."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from stable_baselines3.common.vec_env import DummyVecEnv
from support.offline_data import write_played

from rl_lab.core.errors import InvalidInput
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.offline.batches import BatchSampler
from rl_lab.runners.offline.checkpoints import OfflineHeader, critics_of, run_layers, write_checkpoint
from rl_lab.runners.offline.learner import load_dataset, make_learner, read_params
from rl_lab.runners.offline.playing import load_policy
from rl_lab.runners.offline.starting import find_networks
from rl_lab.runners.offline.tensors import named_networks
from rl_lab.runners.registry import find_spec
from rl_lab.runners.sb3.models import make_model
from rl_lab.runners.sb3.warm_start import take_weights
from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.ppo import Ppo
from rl_lab.runners.turbo.warm_start import take_weights as take_turbo
from rl_lab.runners.warm_starts import network_of

ENVS = {"discrete": "CartPole-v1", "continuous": "Pendulum-v1"}


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A dataset per kind of actions."""
    top = tmp_path_factory.mktemp("datasets")
    return {
        kind: write_played(top / kind, env_id, episodes=2, most_steps=60) for kind, env_id in ENVS.items()
    }


def learned(folder: Path, algorithm: str, actions: str, widths: list[int], path: Path) -> TrainConfig:
    """The checkpoint of an offline training of a few updates, at `path`; its configuration."""
    torch.set_num_threads(1)
    params = read_params(algorithm, {"net_arch": widths, "batch_size": 32})
    data = load_dataset(folder, algorithm, params)
    learner = make_learner(algorithm, data.spaces, params, 1)
    sampler = BatchSampler(data, params.batch_size, 1, learner.noise)
    for update in range(20):
        learner.update(sampler.batch(update), False)
    header = OfflineHeader(algorithm, params.model_dump(), data.spaces, ENVS[actions], {})
    write_checkpoint(path, header, named_networks(learner, data), {})
    return TrainConfig(
        runner="offline", algorithm=algorithm, env_id=ENVS[actions], params=params.model_dump()
    )


def observations(actions: str) -> list[Any]:
    """What was seen in the environment."""
    env = gymnasium.make(ENVS[actions])
    env.action_space.seed(1)
    found = [env.reset(seed=1)[0]]
    for _ in range(40):
        seen, _, terminated, truncated, _ = env.step(env.action_space.sample())
        found.append(env.reset()[0] if terminated or truncated else seen)
    return found


@pytest.mark.parametrize(
    ("parent", "algorithm", "actions"),
    [
        ("bc", "ppo", "discrete"),
        ("iql", "ppo", "discrete"),
        ("cql", "dqn", "discrete"),
        ("bc", "sac", "continuous"),
        ("iql", "sac", "continuous"),
        ("cql", "sac", "continuous"),
        ("iql", "ppo", "continuous"),
        ("cql", "ppo", "continuous"),
        ("td3_bc", "td3", "continuous"),
    ],
)
def test_an_online_learner_acts_as_the_offline_policy_it_starts_with(
    parent: str, algorithm: str, actions: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    start = tmp_path / "start"
    config = learned(folders[actions], parent, actions, [16, 8], start)
    spec = find_spec("sb3").algorithm(algorithm)
    params: Any = spec.params.model_validate(network_of(config, find_spec("sb3"), spec, actions))
    wanted = TrainConfig(algorithm=algorithm, env_id=ENVS[actions], device="cpu", seed=2)
    model = make_model(wanted, params, DummyVecEnv([lambda: gymnasium.make(ENVS[actions])]))
    take_weights(model, algorithm, start)
    offline = load_policy(start)
    seen = observations(actions)
    chosen, _ = model.predict(np.array(seen), deterministic=True)
    expected = np.array([offline.act(one, deterministic=True).action for one in seen])
    assert np.allclose(chosen, expected, atol=1e-4), (chosen - expected).max()
    critics = critics_of(find_networks(start) or {})
    if actions == "continuous" and algorithm != "ppo" and critics:
        rows = np.concatenate((np.array(seen), chosen / 2), 1).astype(np.float32)
        with torch.no_grad():
            values = model.critic(torch.from_numpy(rows[:, :3]), torch.from_numpy(rows[:, 3:]))
        for value, layers in zip(values, critics, strict=True):
            assert np.allclose(value.numpy(), run_layers(layers, rows), atol=1e-3)


@pytest.mark.parametrize(("parent", "algorithm"), [("bc", "ppo"), ("cql", "dqn")])
def test_turbo_acts_as_the_offline_policy_it_starts_with(
    parent: str, algorithm: str, folders: dict[str, Path], tmp_path: Path
) -> None:
    start = tmp_path / "start"
    config = learned(folders["discrete"], parent, "discrete", [16, 16], start)
    spec = find_spec("turbo").algorithm(algorithm)
    params: Any = spec.params.model_validate(network_of(config, find_spec("turbo"), spec, "discrete"))
    make: Any = Ppo if algorithm == "ppo" else Dqn
    learner = make(describe("CartPole-v1", {}), params, seed=1, schedule_left=lambda _: 1.0, processes=1)
    learner.close()
    take_turbo(learner, algorithm, start)
    seen = observations("discrete")
    scores = learner.network.forward(np.array(seen, np.float32))[0]
    offline = load_policy(start)
    assert scores.argmax(1).tolist() == [offline.act(one, deterministic=True).action for one in seen]
    narrow = config.model_copy(update={"params": {"net_arch": [8]}})
    with pytest.raises(InvalidInput, match="two hidden layers of the same width"):
        network_of(narrow, find_spec("turbo"), spec, "discrete")


def test_what_cannot_follow_is_refused_with_what_can() -> None:
    spec = find_spec("sb3")
    parent = TrainConfig(runner="offline", algorithm="cql", params={"net_arch": [8]})
    with pytest.raises(InvalidInput) as refused:
        network_of(parent, spec, spec.algorithm("ppo"), "discrete")
    [error] = refused.value.errors
    assert error.allowed == ["sb3/dqn", "turbo/dqn"]
    assert error.message == (
        "PPO (sb3) cannot start with the weights of CQL for discrete actions: their networks are different. "
        "These can: sb3/dqn, turbo/dqn."
    )
    with pytest.raises(InvalidInput, match="Offline learns from the beginning"):
        network_of(parent, find_spec("offline"), find_spec("offline").algorithm("cql"), "discrete")
