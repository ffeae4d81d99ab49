"""The presets as one table: algorithm → environment → settings; None stands for all other environments.

`fast` was tuned for the shortest time until solved, `stable` to learn with any seed, `high_score` for the best
final policy. `short`, `medium` and `long` use the settings of `stable` and set the number of steps.
"""

from __future__ import annotations

from rl_lab.runners.preset_table import PresetLevel, Row, Table

_NORMALISED = {"normalize_observations": True, "normalize_reward": True}

_CARTPOLE = {
    "n_envs": 64,
    "n_steps": 16,
    "batch_size": 256,
    "n_epochs": 2,
    "learning_rate": 0.016,
    "gamma": 0.995,
    "gae_lambda": 0.9,
    "adam_beta2": 0.99,
    "hidden": 16,
    "reward_scale": 0.1,
    "max_grad_norm": 0.0,
}
_LANDER = {
    "n_envs": 32,
    "n_steps": 128,
    "batch_size": 512,
    "n_epochs": 8,
    "learning_rate": 1e-3,
    "gamma": 0.995,
    "gae_lambda": 0.98,
    "adam_beta2": 0.99,
    "reward_scale": 0.01,
    "target_kl": 0.03,
}
_LANDER_CONTINUOUS = {**_LANDER, "log_std_init": -1.0}
_ACROBOT = {
    "n_envs": 32,
    "n_steps": 64,
    "batch_size": 256,
    "n_epochs": 4,
    "learning_rate": 3e-3,
    "hidden": 32,
    **_NORMALISED,
}
_MOUNTAIN_CAR = {**_ACROBOT, "learning_rate": 2e-3, "gae_lambda": 0.98}
_PENDULUM = {
    "n_envs": 16,
    "n_steps": 128,
    "batch_size": 256,
    "n_epochs": 10,
    "learning_rate": 1e-3,
    "gamma": 0.9,
    "reward_scale": 0.1,
    "anneal_to": 0.1,
}
_WALKER = {
    "n_envs": 32,
    "n_steps": 256,
    "batch_size": 256,
    "n_epochs": 4,
    "learning_rate": 1e-3,
    "anneal_to": 0.05,
    "log_std_init": -0.5,
    **_NORMALISED,
}
_DQN_CARTPOLE = {
    "n_envs": 8,
    "train_freq": 8,
    "gradient_steps": 8,
    "batch_size": 128,
    "learning_rate": 2e-3,
    "target_update_interval": 50,
    "reward_scale": 0.1,
    "exploration_steps": 2000,
    "hidden": 32,
    "activation": "tanh",
    "buffer_size": 5000,
    "n_steps": 5,
}
_DQN_LANDER = {
    "n_envs": 16,
    "train_freq": 8,
    "gradient_steps": 32,
    "batch_size": 64,
    "learning_rate": 1e-3,
    "gamma": 0.995,
    "target_update_interval": 500,
    "reward_scale": 0.1,
    "exploration_steps": 20_000,
    "n_steps": 3,
    "hidden": 64,
    "buffer_size": 50_000,
}

TABLES: dict[str, Table] = {
    "ppo": {
        None: Row(
            fast=PresetLevel(300_000, {"n_steps": 64, "n_epochs": 4, **_NORMALISED}),
            stable=PresetLevel(1_000_000, {"target_kl": 0.03, "anneal_to": 0.1, **_NORMALISED}),
            high_score=PresetLevel(
                3_000_000, {"n_envs": 64, "target_kl": 0.02, "anneal_to": 0.0, **_NORMALISED}
            ),
            steps=(100_000, 500_000, 2_000_000),
        ),
        "CartPole-v1": Row(
            fast=PresetLevel(300_000, _CARTPOLE),
            stable=PresetLevel(
                400_000, {**_CARTPOLE, "learning_rate": 5e-3, "n_epochs": 2, "anneal_to": 0.1}
            ),
            high_score=PresetLevel(
                1_000_000, {**_CARTPOLE, "learning_rate": 5e-3, "n_epochs": 2, "anneal_to": 0.0}
            ),
            steps=(50_000, 150_000, 500_000),
        ),
        "LunarLander-v3": Row(
            fast=PresetLevel(500_000, {**_LANDER, "anneal_to": 0.0}),
            stable=PresetLevel(1_000_000, {**_LANDER, "anneal_to": 0.0}),
            high_score=PresetLevel(3_000_000, {**_LANDER, "n_envs": 64, "anneal_to": 0.0}),
            steps=(100_000, 400_000, 1_500_000),
        ),
        "LunarLanderContinuous-v3": Row(
            fast=PresetLevel(500_000, _LANDER_CONTINUOUS),
            stable=PresetLevel(1_000_000, _LANDER_CONTINUOUS),
            high_score=PresetLevel(3_000_000, {**_LANDER_CONTINUOUS, "n_envs": 64, "anneal_to": 0.0}),
            steps=(100_000, 400_000, 1_500_000),
        ),
        "Acrobot-v1": Row(
            fast=PresetLevel(400_000, _ACROBOT),
            stable=PresetLevel(600_000, {**_ACROBOT, "learning_rate": 1e-3, "anneal_to": 0.1}),
            high_score=PresetLevel(1_500_000, {**_ACROBOT, "learning_rate": 1e-3, "anneal_to": 0.0}),
            steps=(100_000, 300_000, 1_000_000),
        ),
        "MountainCar-v0": Row(
            fast=PresetLevel(1_000_000, _MOUNTAIN_CAR),
            stable=PresetLevel(1_500_000, {**_MOUNTAIN_CAR, "anneal_to": 0.1}),
            high_score=PresetLevel(3_000_000, {**_MOUNTAIN_CAR, "anneal_to": 0.0}),
            steps=(200_000, 1_000_000, 3_000_000),
        ),
        "Pendulum-v1": Row(
            fast=PresetLevel(250_000, _PENDULUM),
            stable=PresetLevel(400_000, _PENDULUM),
            high_score=PresetLevel(1_000_000, {**_PENDULUM, "anneal_to": 0.0}),
            steps=(50_000, 200_000, 1_000_000),
        ),
        "BipedalWalker-v3": Row(
            fast=PresetLevel(2_000_000, _WALKER),
            stable=PresetLevel(2_500_000, _WALKER),
            high_score=PresetLevel(5_000_000, {**_WALKER, "anneal_to": 0.0}),
            steps=(500_000, 1_500_000, 5_000_000),
        ),
    },
    "dqn": {
        None: Row(
            fast=PresetLevel(100_000, {"n_steps": 3}),
            stable=PresetLevel(300_000, {"n_steps": 3, "learning_rate": 3e-4}),
            high_score=PresetLevel(
                1_000_000, {"learning_rate": 2e-4, "anneal_to": 0.1, "buffer_size": 300_000}
            ),
            steps=(50_000, 200_000, 1_000_000),
        ),
        "CartPole-v1": Row(
            fast=PresetLevel(150_000, _DQN_CARTPOLE),
            stable=PresetLevel(200_000, {**_DQN_CARTPOLE, "learning_rate": 4e-4}),
            high_score=PresetLevel(400_000, {**_DQN_CARTPOLE, "learning_rate": 3e-4, "anneal_to": 0.0}),
            steps=(30_000, 100_000, 300_000),
        ),
        "LunarLander-v3": Row(
            fast=PresetLevel(400_000, _DQN_LANDER),
            stable=PresetLevel(600_000, {**_DQN_LANDER, "gradient_steps": 64, "learning_rate": 5e-4}),
            high_score=PresetLevel(1_500_000, {**_DQN_LANDER, "learning_rate": 5e-4, "anneal_to": 0.1}),
            steps=(100_000, 400_000, 1_000_000),
        ),
    },
}
