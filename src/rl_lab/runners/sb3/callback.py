"""The callback in SB3's training loop: handles control messages at every step, metrics and checkpoints at updates."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from rl_lab.runners.sb3.checkpoints import save_model
from rl_lab.runners.sb3.metrics import LearningStatistics, MetricWriter
from rl_lab.runners.sb3.replay import keep_replay
from rl_lab.worker.session import Session


class LabCallback(BaseCallback):  # type: ignore[misc]
    def __init__(self, session: Session, writer: MetricWriter, learning: LearningStatistics) -> None:
        super().__init__()
        self._session = session
        self._control = session.control
        self._writer = writer
        self._learning = learning
        self._reports_each = session.train_config.algorithm.lower() == "ppo"
        self._last_report = time.monotonic()

    def save(self, path: Path) -> None:
        best = self._session.best
        save_model(self.model, path, best.state() if best else None)

    def _on_step(self) -> bool:
        if self._control.pause_requested:
            self._pause()
        self._session.progress(self.num_timesteps)
        return not self._session.should_stop()

    def _on_rollout_end(self) -> None:
        if self._is_due():
            self._learning.before_update()

    def _on_rollout_start(self) -> None:
        """Runs between two updates, when the log of the last update is complete."""
        if self._is_due():
            self._last_report = time.monotonic()
            self.report()
        session, timestep = self._session, self.model.num_timesteps
        session.boundary(timestep, self.save)
        session.solved()

    def _is_due(self) -> bool:
        pause_s = self._session.metrics_interval_s
        return self._reports_each or time.monotonic() - self._last_report >= pause_s

    def report(self) -> None:
        if any(name.startswith("train/") for name in self.model.logger.name_to_value):
            self.model.logger.dump(self.model.num_timesteps)

    def _pause(self) -> None:
        """Pauses immediately, even inside a long rollout; the boundary saves a checkpoint first."""
        keep_replay(self._session, self.model)
        self._session.boundary(self.num_timesteps, self.save)
        self._writer.restart_clock()


def record_thoughts(model: Any, session: Session) -> None:
    """Records the policy's value and action probability, or its highest Q-value, from existing forward passes."""
    recorder = session.recorder
    if hasattr(model, "q_net"):

        def record_q(network: Any, _inputs: Any, q_values: Any) -> None:
            if not network.training:
                recorder.thoughts(q_values.amax(1).tolist())

        model.q_net.register_forward_hook(record_q)
    elif hasattr(model, "rollout_buffer"):
        is_discrete = type(model.action_space).__name__ == "Discrete"

        def record_value(_policy: Any, _inputs: Any, output: Any) -> None:
            _, values, log_probabilities = output
            chosen = [math.exp(p) for p in log_probabilities.tolist()] if is_discrete else None
            recorder.thoughts(values.flatten().tolist(), chosen)

        model.policy.register_forward_hook(record_value)
