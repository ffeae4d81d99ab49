"""The offline learners learn what is in a small dataset, and their checkpoints play like the learner."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from gymnasium import spaces

from rl_lab.runners.offline.batches import BatchSampler
from rl_lab.runners.offline.checkpoints import (
    OfflineHeader,
    critics_of,
    read_checkpoint,
    run_layers,
    write_checkpoint,
)
from rl_lab.runners.offline.learner import load_dataset, make_learner
from rl_lab.runners.offline.playing import load_policy
from rl_lab.runners.offline.spec import SPEC
from rl_lab.runners.offline.tensors import named_networks
from rl_lab.worker.datasets.writing import DatasetWriter

SEEN = spaces.Box(-100, 100, (2,))
ACTIONS = {"discrete": spaces.Discrete(3, start=5), "continuous": spaces.Box(-2, 6, (1,))}


def write_choices(folder: Path, kind: str) -> Path:
    """Episodes of one step: random actions, rewarded where they fit the sign of what is seen."""
    rng, count = np.random.default_rng(0), 3000
    seen = (40 + 20 * rng.standard_normal((2 * count, 2))).astype(np.float32)
    high = seen[::2, 0] > 40
    if kind == "discrete":
        actions = 5 + rng.integers(3, size=count)
        rewards = np.where(actions == np.where(high, 7, 5), 1.0, 0.0)
    else:
        actions = rng.uniform(-2, 6, (count, 1)).astype(np.float32)
        rewards = -np.abs(actions[:, 0] - np.where(high, 5.0, -1.0))
    ended = np.ones(count, bool)
    with DatasetWriter(folder, observation_space=SEEN, action_space=ACTIONS[kind]) as writer:
        columns = {"observations": seen, "actions": actions, "rewards": rewards}
        writer.add_columns(
            {**columns, "terminations": ended, "truncations": ~ended}, np.ones(count, np.int64)
        )
        writer.finish()
    return folder


@pytest.mark.parametrize(
    ("algorithm", "kind", "more"),
    [
        ("bc", "discrete", {"best_share": 0.34}),
        ("iql", "discrete", {}),
        ("cql", "discrete", {}),
        ("bc", "continuous", {"best_share": 0.1}),
        ("iql", "continuous", {}),
        ("cql", "continuous", {"n_actions": 2}),
        ("td3_bc", "continuous", {"alpha": 20.0}),
    ],
)
def test_rewarded_actions_are_chosen_by_the_saved_policy(
    algorithm: str, kind: str, more: dict[str, Any], tmp_path: Path
) -> None:
    torch.set_num_threads(1)
    given = {"net_arch": [16], "batch_size": 64, "learning_rate": 0.01, "tau": 0.05} | more
    model = SPEC.algorithm(algorithm).params
    params: Any = model.model_validate({k: v for k, v in given.items() if k in model.model_fields})
    data = load_dataset(write_choices(tmp_path / "d", kind), algorithm, params)
    learner = make_learner(algorithm, data.spaces, params, seed=0)
    sampler = BatchSampler(data, params.batch_size, 0, learner.noise)
    for update in range(300):
        learner.update(sampler.batch(update), False)
    path = tmp_path / "model.safetensors"
    header = OfflineHeader(algorithm, params.model_dump(), data.spaces, "", {})
    write_checkpoint(path, header, named_networks(learner, data), {})
    policy = load_policy(path)
    low, high = (policy.act(np.array([x, 40], np.float32), True).action for x in (10, 70))
    if kind == "discrete":
        assert (low, high) == (5, 7)
    else:
        assert ACTIONS[kind].contains(low) and low[0] < 1 and high[0] > 3
    assert ACTIONS[kind].contains(policy.act(np.array([10, 40], np.float32), False).action)


def test_saved_critics_take_plain_observations_and_give_plain_values(tmp_path: Path) -> None:
    params: Any = SPEC.algorithm("cql").params(net_arch=[8])
    data = load_dataset(write_choices(tmp_path / "d", "discrete"), "cql", params)
    learner = make_learner("cql", data.spaces, params, seed=0)
    path = tmp_path / "model.safetensors"
    write_checkpoint(path, OfflineHeader("cql", {}, data.spaces, "", {}), named_networks(learner, data), {})
    _, state = read_checkpoint(path, only_networks=True)
    seen = data.observations[:5] * data.spread + data.shift
    wanted = learner.stacks["critic"].forward(data.observations[:5]) / data.reward_scale
    found = np.stack([run_layers(critic, seen.numpy()) for critic in critics_of(state)])
    assert np.allclose(found, wanted.numpy(), atol=1e-4)
    assert state["critic2.2.weight"].shape == (3, 8)
