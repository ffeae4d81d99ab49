"""What Stable-Baselines3 offers in the lab: algorithms, capabilities, requirements. Readable without SB3."""

from __future__ import annotations

from rl_lab.core.runners import AlgorithmSpec, Capabilities, Requirement, RunnerSpec
from rl_lab.runners.preset_table import presets_of
from rl_lab.runners.sb3.off_policy import DqnParams, SacParams, Td3Params
from rl_lab.runners.sb3.on_policy import A2cParams, PpoParams
from rl_lab.runners.sb3.presets import TABLES

ALGORITHMS = (
    AlgorithmSpec(
        id="ppo",
        name="PPO",
        description="Proximal Policy Optimization: careful steps on fresh experience. A good first choice.",
        action_kinds=("discrete", "continuous"),
        params=PpoParams,
        presets=presets_of(TABLES["ppo"]),
    ),
    AlgorithmSpec(
        id="dqn",
        name="DQN",
        description="Deep Q-Network: learns what each action is worth from a memory of past steps.",
        action_kinds=("discrete",),
        params=DqnParams,
        presets=presets_of(TABLES["dqn"]),
    ),
    AlgorithmSpec(
        id="a2c",
        name="A2C",
        description="Advantage Actor-Critic: many quick updates on very little fresh experience.",
        action_kinds=("discrete", "continuous"),
        params=A2cParams,
        presets=presets_of(TABLES["a2c"]),
    ),
    AlgorithmSpec(
        id="sac",
        name="SAC",
        description="Soft Actor-Critic: learns from memory, as random as it can afford. Needs few steps.",
        action_kinds=("continuous",),
        params=SacParams,
        presets=presets_of(TABLES["sac"]),
    ),
    AlgorithmSpec(
        id="td3",
        name="TD3",
        description="Twin Delayed DDPG: a fixed action for each state, judged by two critics, from memory.",
        action_kinds=("continuous",),
        params=Td3Params,
        presets=presets_of(TABLES["td3"]),
    ),
)

SPEC = RunnerSpec(
    id="sb3",
    name="Stable-Baselines3",
    description="The reference implementations of the classic deep learners, in PyTorch.",
    capabilities=Capabilities(
        pause=True,
        checkpoint=True,
        resume=True,
        evaluate=True,
        record=True,
        thoughts=True,
        early_stop=True,
        gpu=True,
    ),
    requirements=(
        Requirement(module="stable_baselines3", remedy="Install it with: pip install stable-baselines3"),
        Requirement(module="torch", remedy="Install it with: pip install torch"),
    ),
    algorithms=ALGORITHMS,
)
