"""The spec of the turbo runner; does not import numpy or Gymnasium. `learner` trains, `playing` loads policies."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Requirement, RunnerSpec
from rl_lab.runners.preset_table import presets_of
from rl_lab.runners.turbo.params import TurboDqnParams, TurboPpoParams
from rl_lab.runners.turbo.presets import TABLES

if TYPE_CHECKING:
    from rl_lab.worker.models.inspected_model import InspectedModel
    from rl_lab.worker.runner import PackagedModel, Policy
    from rl_lab.worker.session import Session

TIME_FACTOR = 1 / 60
"""Minutes where other runners need hours: 1, 4 and 10."""

ALGORITHMS = (
    AlgorithmSpec(
        id="ppo",
        name="Turbo PPO",
        description="Proximal Policy Optimization on many environments in parallel: the fastest first choice.",
        action_kinds=("discrete", "continuous"),
        params=TurboPpoParams,
        presets=presets_of(TABLES["ppo"], steps_keep_stable=True, time_factor=TIME_FACTOR),
        steps_per_second=100_000,
        network="ppo",
        network_params=("hidden", "activation", "normalize_observations"),
        default_preset="fast",
    ),
    AlgorithmSpec(
        id="dqn",
        name="Turbo DQN",
        description="Double DQN that trains on a replay buffer while its environments keep running.",
        action_kinds=("discrete",),
        params=TurboDqnParams,
        presets=presets_of(TABLES["dqn"], steps_keep_stable=True, time_factor=TIME_FACTOR),
        steps_per_second=20_000,
        network="dqn",
        network_params=("hidden", "activation"),
        default_preset="fast",
    ),
)


class TurboRunner:
    spec: ClassVar[RunnerSpec] = RunnerSpec(
        id="turbo",
        name="Turbo",
        description="The lab's own learners for small networks: tens of times faster on a laptop CPU.",
        memory_mb=100,
        cores_param="processes",
        capabilities=Capabilities(
            pause=True,
            checkpoint=True,
            resume=True,
            exact_resume=True,
            evaluate=True,
            record=True,
            thoughts=True,
            early_stop=True,
            vectors_only=True,
            own_reward=True,
            exports=("sb3", "onnx"),
        ),
        requirements=(
            Requirement(module="gymnasium", remedy="Install it with: pip install gymnasium"),
            Requirement(module="safetensors", remedy="Install it with: pip install safetensors"),
        ),
        algorithms=ALGORITHMS,
        checkpoint_suffix=".safetensors",
    )

    def preload(self) -> None:
        """Before processes are forked that train."""
        importlib.import_module("rl_lab.runners.turbo.learner")

    def train(self, session: Session) -> None:
        from rl_lab.runners.turbo.learner import train

        train(session)

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        from rl_lab.runners.turbo.playing import load_policy

        return load_policy(checkpoint)

    def open_model(self, checkpoint: Path, config: TrainConfig) -> InspectedModel:
        from rl_lab.runners.turbo.inspection import open_model

        return open_model(checkpoint)

    def export(self, checkpoint: Path, form: str, target: Path) -> None:
        from rl_lab.runners.turbo.export import export_onnx, export_sb3

        {"sb3": export_sb3, "onnx": export_onnx}[form](checkpoint, target)

    def package(self, checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
        from rl_lab.runners.turbo.packages import package

        return package(checkpoint, config, folder)
