"""The offline runner; `learner` trains, `playing` loads policies."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import RunnerSpec
from rl_lab.runners.offline.spec import SPEC

if TYPE_CHECKING:
    from rl_lab.worker.models.inspected_model import InspectedModel
    from rl_lab.worker.runner import PackagedModel, Policy
    from rl_lab.worker.session import Session


class OfflineRunner:
    spec: ClassVar[RunnerSpec] = SPEC

    def preload(self) -> None:
        """Before processes are forked that train."""
        importlib.import_module("rl_lab.runners.offline.learner")

    def train(self, session: Session) -> None:
        from rl_lab.runners.offline.learner import train

        train(session)

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        from rl_lab.runners.offline.playing import load_policy

        return load_policy(checkpoint)

    def open_model(self, checkpoint: Path, config: TrainConfig) -> InspectedModel:
        from rl_lab.runners.offline.inspection import open_model

        return open_model(checkpoint)

    def export(self, checkpoint: Path, form: str, target: Path) -> None:
        from rl_lab.runners.offline.export import export_onnx

        {"onnx": export_onnx}[form](checkpoint, target)

    def package(self, checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
        from rl_lab.runners.offline.packages import package

        return package(checkpoint, config, folder)
