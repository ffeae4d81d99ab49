"""A replay buffer that begins with a dataset: which steps, in which form, and what does not fit."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from support.offline_data import write_played

from rl_lab.core.datasets.names import DatasetChoice
from rl_lab.core.errors import InvalidInput
from rl_lab.worker.datasets.reading import open_dataset

CARTPOLE, PENDULUM = "CartPole-v1", "Pendulum-v1"


def model_of(env_id: str, *, size: int, n_envs: int = 1, n_steps: int = 3) -> Any:
    """What the code needs of a model: its spaces, its buffer and how it scales actions."""
    from stable_baselines3.common.buffers import NStepReplayBuffer

    from rl_lab.worker.environments.make import make_environment

    env = make_environment(env_id)
    seen, act = env.observation_space, env.action_space
    buffer = NStepReplayBuffer(size, seen, act, "cpu", n_envs, n_steps=n_steps, gamma=0.5)
    scale = lambda actions: 2.0 * (actions - act.low) / (act.high - act.low) - 1.0  # noqa: E731
    policy = SimpleNamespace(scale_action=scale)
    return SimpleNamespace(observation_space=seen, action_space=act, replay_buffer=buffer, policy=policy)


def fill(model: Any, folder: Path, env_id: str, size: int) -> tuple[int, str]:
    """The rows, and what the run says about them."""
    from rl_lab.runners.sb3.replay.prefill import prefill

    said: list[str] = []
    config = SimpleNamespace(
        env_id=env_id, dataset=DatasetChoice(name="played", version=1), params={"buffer_size": size}
    )
    session: Any = SimpleNamespace(
        job=SimpleNamespace(dataset_dir=folder),
        reward=None,
        train_config=config,
        telemetry=SimpleNamespace(log=lambda _level, message, code: said.append(message)),
    )
    return prefill(session, model), said[0] if said else ""


def test_the_buffer_holds_the_steps_of_the_dataset_in_the_learners_form(tmp_path: Path) -> None:
    folder = write_played(tmp_path / "v1", PENDULUM, episodes=2, most_steps=30)
    model = model_of(PENDULUM, size=100)
    assert fill(model, folder, PENDULUM, 100) == (
        60,
        "The replay buffer begins with the 60 steps of played@v1.",
    )
    buffer, dataset = model.replay_buffer, open_dataset(folder)
    assert (buffer.pos, buffer.full) == (60, False)
    first, second = dataset.episode(0), dataset.episode(1)
    assert np.array_equal(buffer.observations[30:60, 0], second.observations[:-1])
    assert np.array_equal(buffer.next_observations[:30, 0], first.observations[1:])
    assert np.allclose(buffer.actions[:30, 0], first.actions / 2)  # bounds are -2 and 2
    # Episodes that were cut off end, but have a future.
    assert np.flatnonzero(buffer.dones).tolist() == np.flatnonzero(buffer.timeouts).tolist() == [29, 59]


def test_a_smaller_buffer_and_several_environments_take_the_last_steps(tmp_path: Path) -> None:
    folder = write_played(tmp_path / "v1", episodes=4, most_steps=25)
    steps = open_dataset(folder).manifest.transitions
    model = model_of(CARTPOLE, size=41, n_envs=2)
    rows, said = fill(model, folder, CARTPOLE, 41)
    assert rows == 20 and f"the last 40 of the {steps} steps of played@v1: the buffer has no room" in said
    buffer, dataset = model.replay_buffer, open_dataset(folder)
    assert (buffer.pos, buffer.full) == (0, True)
    actions = dataset.actions[-40:]
    assert np.array_equal(buffer.actions[:, :, 0], np.stack([actions[:20], actions[20:]], 1))
    # Returns over several steps stop where the next row of the same environment is another one's, or a new one.
    assert buffer.dones[19].tolist() == [1, 1]
    terminated = dataset.column("terminations")[-40:]
    assert np.array_equal(
        buffer.dones * (1 - buffer.timeouts), np.stack([terminated[:20], terminated[20:]], 1)
    )


def test_other_spaces_and_numbers_that_are_not_finite_are_refused(tmp_path: Path) -> None:
    folder = write_played(tmp_path / "v1", episodes=1, most_steps=5)
    with pytest.raises(InvalidInput, match="but the learner has observations Box"):
        fill(model_of(PENDULUM, size=10), folder, PENDULUM, 10)
    rewards = np.load(folder / "rewards.npy", mmap_mode="r+")
    rewards[2] = np.nan
    rewards.flush()
    with pytest.raises(InvalidInput, match="not finite"):
        fill(model_of(CARTPOLE, size=10), folder, CARTPOLE, 10)
