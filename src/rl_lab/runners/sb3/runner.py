"""The Stable-Baselines3 runner; `learner` trains, `policy` loads policies."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import RunnerSpec
from rl_lab.runners.sb3.library import load_library
from rl_lab.runners.sb3.spec import SPEC

if TYPE_CHECKING:
    from rl_lab.worker.models.inspected_model import InspectedModel
    from rl_lab.worker.runner import PackagedModel, Policy
    from rl_lab.worker.session import Session


class Sb3Runner:
    spec: ClassVar[RunnerSpec] = SPEC

    def preload(self) -> None:
        """Before processes are forked that train."""
        load_library()
        importlib.import_module("rl_lab.runners.sb3.learner")
        importlib.import_module("torch._dynamo")  # with the first step of an optimizer; takes two seconds

    def train(self, session: Session) -> None:
        load_library()
        from rl_lab.runners.sb3.learner import train

        train(session)

    def load_policy(self, checkpoint: Path, config: TrainConfig) -> Policy:
        load_library()
        from rl_lab.runners.sb3.policy import load_policy

        return load_policy(checkpoint, config)

    def package(self, checkpoint: Path, config: TrainConfig, folder: Path) -> PackagedModel:
        load_library()
        from rl_lab.runners.sb3.packages import package

        return package(checkpoint, config, folder)

    def open_model(self, checkpoint: Path, config: TrainConfig) -> InspectedModel:
        load_library()
        from rl_lab.runners.sb3.inspection import open_model

        return open_model(checkpoint, config)
