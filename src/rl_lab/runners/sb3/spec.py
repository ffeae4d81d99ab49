"""The spec of the Stable-Baselines3 runner: algorithms, capabilities, requirements. Does not import SB3."""

from __future__ import annotations

from rl_lab.core.runners import AlgorithmSpec, Capabilities, Requirement, RunnerSpec
from rl_lab.runners.preset_table import presets_of
from rl_lab.runners.sb3.off_policy import SacParams, Sb3DqnParams, Td3Params
from rl_lab.runners.sb3.on_policy import A2cParams, Sb3PpoParams
from rl_lab.runners.sb3.presets import TABLES

NETWORK = ("net_arch", "activation", "normalize_observations")
ON_POLICY_NETWORK = (*NETWORK, "use_sde", "squash_output")
CONTINUOUS_NETWORK = (*NETWORK, "n_critics", "use_sde")

ALGORITHMS = (
    AlgorithmSpec(
        id="ppo",
        name="PPO",
        description="Proximal Policy Optimization: small, clipped updates on new experience. A good first choice.",
        action_kinds=("discrete", "continuous"),
        params=Sb3PpoParams,
        presets=presets_of(TABLES["ppo"]),
        network="actor-critic",
        network_params=ON_POLICY_NETWORK,
        steps_per_second=2000,
    ),
    AlgorithmSpec(
        id="dqn",
        name="DQN",
        description="Deep Q-Network: learns the value of each action from a replay buffer of past steps.",
        action_kinds=("discrete",),
        params=Sb3DqnParams,
        prefill=True,
        presets=presets_of(TABLES["dqn"]),
        network="dqn",
        network_params=NETWORK,
        steps_per_second=1000,
    ),
    AlgorithmSpec(
        id="a2c",
        name="A2C",
        description="Advantage Actor-Critic: many quick updates, each on a small amount of new experience.",
        action_kinds=("discrete", "continuous"),
        params=A2cParams,
        presets=presets_of(TABLES["a2c"]),
        network="actor-critic",
        network_params=ON_POLICY_NETWORK,
        steps_per_second=2000,
    ),
    AlgorithmSpec(
        id="sac",
        name="SAC",
        description="Soft Actor-Critic: learns from a replay buffer and rewards random actions. Sample-efficient.",
        action_kinds=("continuous",),
        params=SacParams,
        prefill=True,
        presets=presets_of(TABLES["sac"]),
        network="sac",
        network_params=CONTINUOUS_NETWORK,
        steps_per_second=100,
    ),
    AlgorithmSpec(
        id="td3",
        name="TD3",
        description="Twin Delayed DDPG: a deterministic policy with two critics that learns from a replay buffer.",
        action_kinds=("continuous",),
        params=Td3Params,
        prefill=True,
        presets=presets_of(TABLES["td3"]),
        network="td3",
        network_params=CONTINUOUS_NETWORK,
        steps_per_second=120,
    ),
)

SPEC = RunnerSpec(
    id="sb3",
    name="Stable-Baselines3",
    description="Reference implementations of the classic deep RL algorithms, in PyTorch.",
    memory_mb=450,
    cpu_algorithms=("ppo", "a2c"),
    capabilities=Capabilities(
        pause=True,
        checkpoint=True,
        resume=True,
        exact_resume=True,
        evaluate=True,
        record=True,
        thoughts=True,
        early_stop=True,
        own_reward=True,
        gpu=True,
    ),
    requirements=(
        Requirement.of_extra("sb3", "stable_baselines3"),
        Requirement.of_extra("sb3", "torch"),
    ),
    algorithms=ALGORITHMS,
)
