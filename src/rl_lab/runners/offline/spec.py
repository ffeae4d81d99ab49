"""The spec of the offline runner: algorithms, capabilities, requirements. Does not import torch."""

from __future__ import annotations

from rl_lab.core.runners import AlgorithmSpec, Capabilities, Preset, Requirement, RunnerSpec
from rl_lab.runners.offline.params import BcParams, CqlParams, IqlParams, Td3BcParams
from rl_lab.runners.offline.presets import TABLES
from rl_lab.runners.preset_table import LENGTHS, TITLES, Table

NETWORK = ("net_arch",)
CRITIC_NETWORK = (*NETWORK, "n_critics")


def _presets(table: Table) -> tuple[Preset, ...]:
    """The lengths are numbers of updates for every environment: an update costs the same in all of them."""
    row = table[None]
    ways = (("fast", row.fast), ("stable", row.stable), ("high_score", row.high_score))
    found = [_preset(name, level.total_timesteps, level.params) for name, level in ways]
    found += [_preset(name, steps, {}) for name, steps in zip(LENGTHS, row.steps, strict=True)]
    return tuple(found)


def _preset(name: str, steps: int, params: dict[str, object]) -> Preset:
    title, description = TITLES[name]
    return Preset(
        id=name,
        title=title,
        description=description,
        question="how_long" if name in LENGTHS else "how",
        total_timesteps=steps,
        params=params,
    )


ALGORITHMS = (
    AlgorithmSpec(
        id="bc",
        name="Behaviour cloning",
        description="Imitates the dataset's actions. The first choice for episodes of an expert.",
        action_kinds=("discrete", "continuous"),
        params=BcParams,
        presets=_presets(TABLES["bc"]),
        default_preset="fast",
        steps_per_second=4000,
        network="bc",
        network_params=NETWORK,
    ),
    AlgorithmSpec(
        id="iql",
        name="IQL",
        description="Implicit Q-Learning: imitates the better ones of the dataset's actions, and can go on learning in "
        "the environment. A good first choice for mixed episodes.",
        action_kinds=("discrete", "continuous"),
        params=IqlParams,
        presets=_presets(TABLES["iql"]),
        default_preset="fast",
        steps_per_second=1200,
        network="iql",
        network_params=CRITIC_NETWORK,
    ),
    AlgorithmSpec(
        id="cql",
        name="CQL",
        description="Conservative Q-Learning: Double DQN or SAC that values actions outside the dataset low.",
        action_kinds=("discrete", "continuous"),
        params=CqlParams,
        presets=_presets(TABLES["cql"]),
        default_preset="fast",
        steps_per_second=600,
        network="cql",
        network_params=CRITIC_NETWORK,
    ),
    AlgorithmSpec(
        id="td3_bc",
        name="TD3+BC",
        description="TD3 whose policy is also drawn to the dataset's actions. Simple, for continuous actions.",
        action_kinds=("continuous",),
        params=Td3BcParams,
        presets=_presets(TABLES["td3_bc"]),
        default_preset="fast",
        steps_per_second=1200,
        network="td3_bc",
        network_params=CRITIC_NETWORK,
    ),
)

SPEC = RunnerSpec(
    id="offline",
    name="Offline",
    description="The lab's own learners from datasets, without the environment. Steps are updates.",
    memory_mb=350,
    capabilities=Capabilities(
        pause=True,
        checkpoint=True,
        resume=True,
        exact_resume=True,
        evaluate=True,
        record=True,
        thoughts=True,
        vectors_only=True,
        dataset=True,
        own_reward=True,
        exports=("onnx",),
    ),
    requirements=(
        Requirement.of_extra("offline", "torch"),
        Requirement(module="safetensors", remedy="Install it with: pip install safetensors"),
    ),
    algorithms=ALGORITHMS,
    checkpoint_suffix=".safetensors",
)
