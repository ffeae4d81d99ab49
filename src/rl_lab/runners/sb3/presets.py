"""The presets as one table: algorithm → environment → settings; None stands for all other environments.

`fast` learns quickly, `stable` learns with any seed, `high_score` takes more time for a better result. `short`,
`medium` and `long` set only the number of steps.
"""

from __future__ import annotations

from rl_lab.runners.preset_table import PresetLevel, Row, Table

CARTPOLE, LANDER, WALKER = "CartPole-v1", "LunarLander-v3", "BipedalWalker-v3"
LANDER_CONTINUOUS = "LunarLanderContinuous-v3"

_LINEAR = {"schedule": "linear"}
_NORMALISED = {"normalize_observations": True, "normalize_reward": True}

_PPO_CARTPOLE = {
    "n_envs": 8,
    "n_steps": 32,
    "batch_size": 256,
    "n_epochs": 20,
    "learning_rate": 1e-3,
    "gamma": 0.98,
    "gae_lambda": 0.8,
    **_LINEAR,
}
_PPO_LANDER = {
    "n_envs": 16,
    "n_steps": 1024,
    "batch_size": 64,
    "n_epochs": 4,
    "gamma": 0.999,
    "gae_lambda": 0.98,
    "ent_coef": 0.01,
}
_PPO_WALKER = {
    "n_envs": 32,
    "n_steps": 2048,
    "batch_size": 64,
    "gamma": 0.999,
    "clip_range": 0.18,
    **_NORMALISED,
}
_DQN_CARTPOLE = {
    "learning_rate": 2.3e-3,
    "batch_size": 64,
    "buffer_size": 100_000,
    "learning_starts": 1000,
    "target_update_interval": 10,
    "train_freq": 256,
    "gradient_steps": 128,
    "exploration_fraction": 0.16,
    "exploration_final_eps": 0.04,
    "net_arch": [256, 256],
}
_DQN_LANDER = {
    "learning_rate": 6.3e-4,
    "batch_size": 128,
    "buffer_size": 50_000,
    "learning_starts": 0,
    "target_update_interval": 250,
    "gradient_steps": -1,
    "exploration_fraction": 0.12,
    "exploration_final_eps": 0.1,
    "net_arch": [256, 256],
}
_A2C_WALKER = {
    "n_envs": 16,
    "n_steps": 8,
    "learning_rate": 9.6e-4,
    "gae_lambda": 0.9,
    "vf_coef": 0.4,
    "use_sde": True,
    "log_std_init": -2,
    "ortho_init": False,
    **_LINEAR,
    **_NORMALISED,
}
_SAC_LANDER = {
    "learning_rate": 7.3e-4,
    "tau": 0.01,
    "learning_starts": 10_000,
    "net_arch": [400, 300],
    "buffer_size": 500_000,
    **_LINEAR,
}
_SAC_WALKER = {
    "learning_rate": 7.3e-4,
    "buffer_size": 300_000,
    "gamma": 0.98,
    "tau": 0.02,
    "train_freq": 64,
    "gradient_steps": 64,
    "learning_starts": 10_000,
    "use_sde": True,
    "net_arch": [400, 300],
}
_TD3_TUNED = {
    "gamma": 0.98,
    "buffer_size": 200_000,
    "learning_starts": 10_000,
    "action_noise": "normal",
    "action_noise_sigma": 0.1,
}

_ANY_STEPS = (50_000, 200_000, 1_000_000)
_CARTPOLE_STEPS = (20_000, 60_000, 200_000)
_LANDER_STEPS = (100_000, 400_000, 1_500_000)
_WALKER_STEPS = (200_000, 1_000_000, 5_000_000)

TABLES: dict[str, Table] = {
    "ppo": {
        None: Row(
            fast=PresetLevel(
                100_000, {"n_envs": 16, "n_steps": 64, "batch_size": 256, "learning_rate": 1e-3}
            ),
            stable=PresetLevel(300_000, {"n_envs": 8, "n_steps": 256, "batch_size": 128, "target_kl": 0.03}),
            high_score=PresetLevel(
                1_000_000, {"n_envs": 8, "n_steps": 1024, "batch_size": 128, "ent_coef": 0.005, **_LINEAR}
            ),
            steps=_ANY_STEPS,
        ),
        CARTPOLE: Row(
            # Many environments, few epochs: most time is spent on stepping, which gives ten times the steps per second.
            fast=PresetLevel(
                150_000,
                {
                    "n_envs": 128,
                    "n_steps": 16,
                    "batch_size": 128,
                    "n_epochs": 2,
                    "learning_rate": 5e-3,
                    "gae_lambda": 0.9,
                },
            ),
            stable=PresetLevel(100_000, _PPO_CARTPOLE),
            high_score=PresetLevel(
                200_000, {**_PPO_CARTPOLE, "n_envs": 16, "learning_rate": 5e-4, "gamma": 0.99}
            ),
            steps=_CARTPOLE_STEPS,
        ),
        LANDER: Row(
            fast=PresetLevel(
                300_000,
                {
                    "n_envs": 32,
                    "n_steps": 128,
                    "batch_size": 256,
                    "n_epochs": 8,
                    "learning_rate": 1e-3,
                    "normalize_reward": True,
                    **_LINEAR,
                },
            ),
            stable=PresetLevel(1_000_000, _PPO_LANDER),
            high_score=PresetLevel(2_000_000, {**_PPO_LANDER, "n_envs": 32, "ent_coef": 0.005, **_LINEAR}),
            steps=_LANDER_STEPS,
        ),
        WALKER: Row(
            fast=PresetLevel(
                1_000_000,
                {
                    **_PPO_WALKER,
                    "n_envs": 16,
                    "n_steps": 512,
                    "batch_size": 256,
                    "learning_rate": 5e-4,
                    "gamma": 0.99,
                },
            ),
            stable=PresetLevel(5_000_000, _PPO_WALKER),
            high_score=PresetLevel(8_000_000, {**_PPO_WALKER, "target_kl": 0.03, **_LINEAR}),
            steps=_WALKER_STEPS,
        ),
    },
    "a2c": {
        None: Row(
            fast=PresetLevel(100_000, {"n_envs": 16, "learning_rate": 1e-3}),
            stable=PresetLevel(500_000, {"n_envs": 8, "n_steps": 16, "gae_lambda": 0.95, **_LINEAR}),
            high_score=PresetLevel(2_000_000, {"n_envs": 16, "n_steps": 16, "ent_coef": 0.005, **_LINEAR}),
            steps=_ANY_STEPS,
        ),
        CARTPOLE: Row(
            fast=PresetLevel(
                150_000, {"n_envs": 16, "n_steps": 8, "learning_rate": 1.5e-3, "gae_lambda": 0.95}
            ),
            stable=PresetLevel(500_000, {"n_envs": 8, **_LINEAR}),
            high_score=PresetLevel(1_000_000, {"n_envs": 16, "n_steps": 16, "gae_lambda": 0.95, **_LINEAR}),
            steps=(50_000, 200_000, 500_000),
        ),
        LANDER: Row(
            fast=PresetLevel(300_000, {"n_envs": 16, "gamma": 0.995, "learning_rate": 1e-3, **_LINEAR}),
            stable=PresetLevel(
                1_000_000,
                {"n_envs": 8, "gamma": 0.995, "learning_rate": 8.3e-4, "ent_coef": 1e-5, **_LINEAR},
            ),
            high_score=PresetLevel(
                2_000_000, {"n_envs": 16, "n_steps": 16, "gamma": 0.995, "gae_lambda": 0.95, **_LINEAR}
            ),
            steps=_LANDER_STEPS,
        ),
        WALKER: Row(
            fast=PresetLevel(1_000_000, {**_A2C_WALKER, "learning_rate": 1.5e-3}),
            stable=PresetLevel(5_000_000, _A2C_WALKER),
            high_score=PresetLevel(8_000_000, {**_A2C_WALKER, "n_envs": 32}),
            steps=_WALKER_STEPS,
        ),
    },
    "dqn": {
        None: Row(
            fast=PresetLevel(
                50_000,
                {
                    "learning_rate": 1e-3,
                    "buffer_size": 50_000,
                    "learning_starts": 500,
                    "batch_size": 64,
                    "target_update_interval": 500,
                    "exploration_fraction": 0.2,
                },
            ),
            stable=PresetLevel(
                300_000,
                {
                    "learning_rate": 3e-4,
                    "buffer_size": 100_000,
                    "learning_starts": 5000,
                    "batch_size": 64,
                    "target_update_interval": 2000,
                    "exploration_fraction": 0.2,
                },
            ),
            high_score=PresetLevel(
                1_000_000,
                {
                    "buffer_size": 200_000,
                    "learning_starts": 10_000,
                    "batch_size": 128,
                    "n_steps": 3,
                    "exploration_final_eps": 0.01,
                    **_LINEAR,
                },
            ),
            steps=_ANY_STEPS,
        ),
        CARTPOLE: Row(
            fast=PresetLevel(50_000, _DQN_CARTPOLE),
            stable=PresetLevel(80_000, {**_DQN_CARTPOLE, "learning_rate": 1e-3, "exploration_fraction": 0.2}),
            high_score=PresetLevel(150_000, {**_DQN_CARTPOLE, "exploration_final_eps": 0.01, **_LINEAR}),
            steps=_CARTPOLE_STEPS,
        ),
        LANDER: Row(
            fast=PresetLevel(100_000, _DQN_LANDER),
            stable=PresetLevel(
                300_000,
                {**_DQN_LANDER, "learning_rate": 3e-4, "buffer_size": 100_000, "learning_starts": 5000},
            ),
            high_score=PresetLevel(
                600_000,
                {
                    **_DQN_LANDER,
                    "learning_rate": 5e-4,
                    "buffer_size": 200_000,
                    "exploration_final_eps": 0.02,
                    **_LINEAR,
                },
            ),
            steps=_LANDER_STEPS,
        ),
    },
    "sac": {
        None: Row(
            fast=PresetLevel(
                30_000, {"learning_rate": 1e-3, "buffer_size": 100_000, "learning_starts": 1000}
            ),
            stable=PresetLevel(200_000, {"buffer_size": 300_000, "learning_starts": 5000}),
            high_score=PresetLevel(1_000_000, {"buffer_size": 500_000, "learning_starts": 10_000, **_LINEAR}),
            steps=(20_000, 100_000, 500_000),
        ),
        LANDER_CONTINUOUS: Row(
            fast=PresetLevel(100_000, {**_SAC_LANDER, "learning_starts": 2000, "schedule": "constant"}),
            stable=PresetLevel(300_000, _SAC_LANDER),
            high_score=PresetLevel(500_000, {**_SAC_LANDER, "learning_rate": 5e-4}),
            steps=(50_000, 200_000, 500_000),
        ),
        WALKER: Row(
            fast=PresetLevel(200_000, {**_SAC_WALKER, "learning_starts": 5000}),
            stable=PresetLevel(500_000, _SAC_WALKER),
            high_score=PresetLevel(1_000_000, {**_SAC_WALKER, "gamma": 0.99, **_LINEAR}),
            steps=(100_000, 400_000, 1_000_000),
        ),
    },
    "td3": {
        None: Row(
            fast=PresetLevel(
                30_000, {"buffer_size": 100_000, "learning_starts": 1000, "action_noise": "normal"}
            ),
            stable=PresetLevel(
                200_000,
                {
                    "learning_rate": 5e-4,
                    "buffer_size": 300_000,
                    "learning_starts": 10_000,
                    "action_noise": "normal",
                },
            ),
            high_score=PresetLevel(
                1_000_000,
                {
                    "learning_rate": 5e-4,
                    "buffer_size": 500_000,
                    "learning_starts": 10_000,
                    "action_noise": "normal",
                    **_LINEAR,
                },
            ),
            steps=(20_000, 100_000, 500_000),
        ),
        LANDER_CONTINUOUS: Row(
            fast=PresetLevel(100_000, {**_TD3_TUNED, "learning_starts": 2000}),
            stable=PresetLevel(300_000, _TD3_TUNED),
            high_score=PresetLevel(600_000, {**_TD3_TUNED, "learning_rate": 5e-4, "gamma": 0.99, **_LINEAR}),
            steps=(50_000, 200_000, 500_000),
        ),
        WALKER: Row(
            fast=PresetLevel(300_000, {**_TD3_TUNED, "learning_starts": 5000}),
            stable=PresetLevel(1_000_000, _TD3_TUNED),
            high_score=PresetLevel(2_000_000, {**_TD3_TUNED, "learning_rate": 5e-4, **_LINEAR}),
            steps=(100_000, 400_000, 1_000_000),
        ),
    },
}
