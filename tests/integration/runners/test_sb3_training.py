"""SB3 runs as a user meets them: real workers, stopped, paused, resumed, solved and diverged."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from contract.worker_process import WorkerProcess, worker

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.protocol import events
from rl_lab.core.runners import complete_params
from rl_lab.runners.sb3 import Sb3Runner

CARTPOLE = {
    "id": "CartPole-v1",
    "name": "Cart Pole",
    "family": "classic control",
    "action_space_type": "discrete",
    "action_space": "DISCRETE(2)",
    "obs_space_type": "box",
    "obs_space": "BOX(4)",
    "obs_space_dims": [4],
    "package": "gymnasium",
}


def config(algorithm: str, env_id: str, timesteps: int, **given: Any) -> dict[str, Any]:
    return {
        "kind": "train",
        "algorithm": algorithm,
        "env_id": env_id,
        "total_timesteps": timesteps,
        "seed": 3,
        "params": complete_params(Sb3Runner.spec.algorithm(algorithm), None, given),
    }


def last_word(process: WorkerProcess) -> events.FinishedEvent:
    assert isinstance(process.sent[-1], events.FinishedEvent), process.log()
    return process.sent[-1]


def learning_rates(process: WorkerProcess) -> dict[int, float]:
    """By timestep."""
    return {m.step or 0: float(m.values["learning_rate"]) for m in process.of(events.MetricEvent)}


def test_stop_and_pause_work_inside_a_long_rollout(tmp_path: Path) -> None:
    rollout = 1_000_000
    with worker(tmp_path, config("ppo", "CartPole-v1", rollout, n_steps=rollout)) as process:
        process.wait_for(events.EpisodeEvent)
        process.control("pause")
        paused = process.wait_for(events.StatusEvent, lambda s: s.state == "paused")
        assert process.of(events.CheckpointEvent), "a pause may outlive the process: it saves first"
        process.control("stop")
        assert process.wait_for_end() == 0
    stopped = process.of(events.CheckpointEvent)[-1]
    assert stopped.role == "stop" and stopped.timestep - (paused.timestep or 0) <= 1
    assert last_word(process).outcome == "stopped"


def test_stops_early_once_solved(tmp_path: Path) -> None:
    easy = {**CARTPOLE, "reward_threshold": 8.0}
    asked = {**config("ppo", "CartPole-v1", 500_000, n_steps=128), "until": "solved"}
    with worker(tmp_path, asked, env=easy) as process:
        assert process.wait_for_end() == 0, process.log()
    assert (last_word(process).outcome, last_word(process).cause) == ("succeeded", "solved")
    assert process.of(events.CheckpointEvent)[-1].role == "final"
    assert process.of(events.CheckpointEvent)[-1].timestep < 20_000


def test_a_run_that_diverges_says_so_and_what_to_try(tmp_path: Path) -> None:
    # A bonus for entropy with giant steps: the spread of the actions grows without end.
    wild = config("ppo", "Pendulum-v1", 20_000, learning_rate=1, ent_coef=1, n_steps=64, max_grad_norm=1000)
    with worker(tmp_path, wild) as process:
        assert process.wait_for_end() == 1
    end = last_word(process)
    assert (end.outcome, end.cause) == ("failed", "diverged")
    assert "diverged" in end.message
    assert "learning_rate from 1 to 0.33" in end.next_step


def test_a_linear_schedule_goes_on_over_a_resume(tmp_path: Path) -> None:
    asked = config("ppo", "CartPole-v1", 1024, n_steps=128, n_epochs=1, schedule="linear")
    with worker(tmp_path, {**asked, "checkpoint_every": 512}) as process:
        assert process.wait_for_end() == 0
    middle = next(c for c in process.of(events.CheckpointEvent) if (c.timestep, c.role) == (512, "interval"))
    resume = {"resume_from": middle.path, "timestep0": 512, "episode0": 100}
    with worker(tmp_path, asked, **resume) as resumed:
        assert resumed.wait_for_end() == 0, resumed.log()
    rest = {step: rate for step, rate in learning_rates(process).items() if step > 512}
    assert list(rest) == [640, 768, 896, 1024]
    assert learning_rates(resumed) == pytest.approx(rest)


def test_normaliser_statistics_travel_with_the_model_and_plain_sb3_opens_it(tmp_path: Path) -> None:
    from stable_baselines3 import PPO

    asked = config("ppo", "CartPole-v1", 512, n_steps=128, normalize_observations=True, normalize_reward=True)
    with worker(tmp_path, asked) as process:
        assert process.wait_for_end() == 0, process.log()
    model = PPO.load(tmp_path / "model.zip", device="cpu")
    assert model.num_timesteps == 512
    policy = Sb3Runner().load_policy(tmp_path / "model.zip", TrainConfig(**asked))
    plain = np.array([0.5, 1.0, 0.05, -1.0], np.float32)
    unscaled, _ = model.policy.obs_to_tensor(plain)
    assert policy.act(plain, True).value != pytest.approx(model.policy.predict_values(unscaled).item())
    returns = [e.return_ for e in process.of(events.EpisodeEvent)]
    assert all(r == int(r) for r in returns if r is not None), "plotted rewards are the true ones"


def test_cuda_without_a_device_is_refused_with_a_remedy(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a CUDA device here")
    with worker(tmp_path, {**config("ppo", "CartPole-v1", 100), "device": "cuda"}) as process:
        assert process.wait_for_end() == 1
    assert "CUDA" in last_word(process).message and "cpu" in last_word(process).next_step


def test_tuple_observations_are_flattened_for_learning_and_for_playing(tmp_path: Path) -> None:
    from rl_lab.worker.environments.make import make_environment

    asked = config("a2c", "Blackjack-v1", 100)
    with worker(tmp_path, asked) as process:
        assert process.wait_for_end() == 0, process.log()
    policy: Any = Sb3Runner().load_policy(tmp_path / "model.zip", TrainConfig(**asked))
    env = policy.wrap(make_environment("Blackjack-v1"))
    observation, _ = env.reset(seed=1)
    assert env.action_space.contains(policy.act(observation, False).action)


def test_atari_is_learned_from_small_grey_stacked_frames(tmp_path: Path) -> None:
    from rl_lab.worker.environments.make import make_environment

    asked = config("ppo", "ALE/Pong-v5", 32, n_steps=32, batch_size=32, n_epochs=1)
    with worker(tmp_path, asked) as process:
        assert process.wait_for_end() == 0, process.log()
    policy: Any = Sb3Runner().load_policy(tmp_path / "model.zip", TrainConfig(**asked))
    env = policy.wrap(make_environment("ALE/Pong-v5"))
    observation, _ = env.reset(seed=1)
    assert observation.shape == (84, 84, 4)
    assert len(policy.act(observation, True).probabilities) == 6
    env.close()
