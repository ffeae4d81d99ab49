"""The offline runner; `learner` trains, `playing` loads policies."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.core.runners import RunnerSpec
from rl_lab.runners.offline.spec import SPEC

if TYPE_CHECKING:
    from rl_lab.worker.runner import Policy
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
