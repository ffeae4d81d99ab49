"""The specs of the runners that only play; nothing heavy is imported here."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rl_lab.core.errors import NotReady
from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import AlgorithmSpec, Capabilities, Params, Requirement, RunnerSpec

if TYPE_CHECKING:
    from rl_lab.worker.runner import Policy
    from rl_lab.worker.session import Session

POLICY = "policy"
"""Their only algorithm: a file does not say which learner made it."""


class NoParams(Params):
    """An imported policy has none."""


class OnnxRunner:
    spec: ClassVar[RunnerSpec] = RunnerSpec(
        id="onnx",
        name="ONNX",
        description="Plays imported ONNX graphs; it trains nothing.",
        capabilities=Capabilities(evaluate=True),
        requirements=(Requirement.of_extra("onnx", "onnxruntime"), Requirement.of_extra("onnx", "onnx")),
        algorithms=(
            AlgorithmSpec(
                id=POLICY,
                name="ONNX policy",
                description="An imported graph from observation to action.",
                action_kinds=("discrete", "continuous"),
                params=NoParams,
            ),
        ),
        checkpoint_suffix=".onnx",
    )

    def train(self, session: Session) -> None:
        raise refuse_training(self.spec)

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        from rl_lab.runners.evaluate_only.onnx_graphs import load_policy

        return load_policy(checkpoint, config.env_id, config.env_kwargs)


class TorchScriptRunner:
    spec: ClassVar[RunnerSpec] = RunnerSpec(
        id="torchscript",
        name="TorchScript",
        description="Plays imported TorchScript programs, confined; it trains nothing.",
        capabilities=Capabilities(evaluate=True),
        requirements=(Requirement.of_extra("sb3", "torch"),),
        algorithms=(
            AlgorithmSpec(
                id=POLICY,
                name="TorchScript policy",
                description="An imported program from observation to action.",
                action_kinds=("discrete", "continuous"),
                params=NoParams,
            ),
        ),
        checkpoint_suffix=".pt",
    )

    def train(self, session: Session) -> None:
        raise refuse_training(self.spec)

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        from rl_lab.runners.evaluate_only.torchscript_programs import load_policy

        return load_policy(checkpoint, config.env_id, config.env_kwargs)


def refuse_training(spec: RunnerSpec) -> NotReady:
    return NotReady(
        f"{spec.name} policies are played, not trained: the file holds no learner.",
        cause="not-supported",
        next_step="Train with sb3 or turbo; an imported model of those can be a start point.",
    )
