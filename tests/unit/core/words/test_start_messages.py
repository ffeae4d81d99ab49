"""The first line of a training names what is trained."""

from __future__ import annotations

from rl_lab.core.jobs.policy_jobs import EvaluateConfig
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.words.start_messages import started_message

TRAINING = TrainConfig(algorithm="ppo", env_id="CartPole-v1", total_timesteps=300_000, seed=3)


def test_a_training_is_named_with_its_steps_and_seed() -> None:
    assert started_message(TRAINING) == "Training started: PPO on CartPole-v1, 300,000 steps, seed 3."


def test_a_resumed_training_names_its_step() -> None:
    assert started_message(TRAINING, 12_000) == (
        "Training resumed at step 12,000: PPO on CartPole-v1, 300,000 steps, seed 3."
    )


def test_a_script_that_decides_its_own_length_and_seed_is_named_by_its_command() -> None:
    params = {"command": ["python", "/home/me/train.py", "--lr", "0.1"]}
    script = TrainConfig(runner="script", algorithm="python", total_timesteps=0, seed=None, params=params)
    assert started_message(script) == "Training started: train.py, lr 0.1."


def test_another_job_does_not_claim_to_train() -> None:
    job = EvaluateConfig(run_id="r1", checkpoint="final")
    assert "raining" not in started_message(job)
