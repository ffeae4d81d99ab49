"""A learner restored from its checkpoint goes on exactly as if it had never stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rl_lab.core.errors import InvalidInput
from rl_lab.runners.turbo.checkpoints import Header, read_checkpoint, write_checkpoint
from rl_lab.runners.turbo.dqn import Dqn
from rl_lab.runners.turbo.envs import describe
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.playing import TurboPolicy
from rl_lab.runners.turbo.ppo import Ppo

PPO = TurboPpoParams(n_envs=18, n_steps=24, n_epochs=2, normalize_observations=True, normalize_reward=True)
DQN = TurboDqnParams(
    n_envs=4, learning_starts=64, gradient_steps=4, buffer_size=600, n_steps=3, target_update_interval=20
)
CASES = [
    ("CartPole-v1", Ppo, PPO),
    ("LunarLander-v3", Ppo, PPO),
    ("BipedalWalker-v3", Ppo, PPO),
    ("CartPole-v1", Dqn, DQN),
    ("Acrobot-v1", Dqn, DQN),
]


def make(env_id: str, kind: Any, params: Any, state: dict[str, Any] | None = None) -> Any:
    spec = describe(env_id, {})
    return kind(spec, params, seed=3, schedule_left=lambda step: 1 - step / 50_000, processes=1, state=state)


@pytest.mark.parametrize(("env_id", "kind", "params"), CASES, ids=lambda x: getattr(x, "__name__", None))
def test_resumed_learner_equals_one_that_never_stopped(
    env_id: str, kind: Any, params: Any, tmp_path: Path
) -> None:
    steady = make(env_id, kind, params)
    for _ in range(5):
        steady.advance()
    path = tmp_path / "checkpoint.safetensors"
    write_checkpoint(path, Header("ppo", params.model_dump(), steady.spec), steady.state())
    expected = [steady.advance() for _ in range(5)]
    steady.close()

    resumed = make(env_id, kind, params, read_checkpoint(path)[1])
    actual = [resumed.advance() for _ in range(5)]
    resumed.close()

    assert np.array_equal(steady.network.flat, resumed.network.flat)
    assert [u.metrics for u in actual] == [u.metrics for u in expected]
    for a, b in zip(actual, expected, strict=True):
        assert np.array_equal(a.episodes.seed, b.episodes.seed)
        assert np.array_equal(a.episodes.returned, b.episodes.returned)
        assert np.array_equal(a.episodes.steps.get("action", 0), b.episodes.steps.get("action", 0))


def test_policy_of_a_checkpoint_acts_as_the_learner_does(tmp_path: Path) -> None:
    learner = make("LunarLander-v3", Ppo, PPO)
    for _ in range(5):
        learner.advance()
    learner.close()
    path = tmp_path / "checkpoint.safetensors"
    write_checkpoint(path, Header("ppo", PPO.model_dump(), learner.spec), learner.state())
    policy = TurboPolicy(*read_checkpoint(path))
    observation = learner.rollouts.observation[0]
    expected, _ = learner.act(observation, np.zeros((len(observation), 4), np.float32))
    assert [policy.act(o, deterministic=True).action for o in observation] == expected.tolist()
    assert sum(policy.act(observation[0], deterministic=True).probabilities or []) == pytest.approx(1)


def test_a_foreign_file_is_refused_in_words(tmp_path: Path) -> None:
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"not a checkpoint")
    with pytest.raises(InvalidInput, match=r"model\.safetensors is not a turbo checkpoint"):
        read_checkpoint(path)
