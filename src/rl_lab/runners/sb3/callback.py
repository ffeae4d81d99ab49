"""The lab in SB3's training loop: control messages and checkpoints between two steps, metrics between two updates."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

from stable_baselines3.common.callbacks import BaseCallback

from rl_lab.runners.sb3.checkpoints import save_model
from rl_lab.runners.sb3.late_rewards import LateRewards
from rl_lab.runners.sb3.metrics import LearningStatistics, MetricWriter
from rl_lab.runners.sb3.open_rollouts import StopTraining, environment_state, rollout_state
from rl_lab.runners.sb3.random_states import State
from rl_lab.runners.sb3.resume import Resumed
from rl_lab.worker.session import Session


class LabCallback(BaseCallback):  # type: ignore[misc]
    def __init__(
        self,
        session: Session,
        resumed: Resumed,
        writer: MetricWriter,
        learning: LearningStatistics,
        rewards: LateRewards,
    ) -> None:
        super().__init__()
        self._rewards = rewards
        self._session = session
        self._control = session.control
        self._resumed = resumed
        self._writer = writer
        self._learning = learning
        self._reports_each = session.train_config.algorithm.lower() == "ppo"
        self._last_report = -math.inf
        self._is_due = False
        """The coming update is reported, with how much it changes."""
        self._collected = 0
        """Steps of the current rollout, per environment."""
        self._is_boundary = False
        """Between two updates: a rollout has begun, and has no step yet."""

    def save(self, path: Path) -> None:
        self._rewards.fill_in()
        save_model(self.model, path, self._state())

    def _state(self) -> State:
        replay = self._resumed.replay
        return {
            "session": self._session.state(),
            "environments": environment_state(self.training_env),
            "rollout": rollout_state(self.model, self._collected) if self._resumed.is_in_rollout else None,
            "replay": replay.save() if replay else None,
        }

    def before_actions(self) -> None:
        """Between two steps: the only place where the state of the learner is complete, so where it may stop."""
        resumed = self._resumed
        if not resumed.is_in_rollout:
            self._collected = resumed.enter_rollout()
            self._is_boundary = self._collected == 0
        self._rewards.catch_up(is_boundary=self._is_boundary or self._control.pause_requested)
        if self._is_boundary:
            self._is_boundary = False
            self._session.boundary(self.num_timesteps, self.save)
            self._session.solved()
        elif self._control.pause_requested and self._may_stop:
            self._session.boundary(self.num_timesteps, self.save)
            self._writer.restart_clock()
        if self._session.should_stop() and self._may_stop:
            raise StopTraining

    @property
    def _may_stop(self) -> bool:
        """A rollout with gSDE can be continued only where it draws new noise."""
        model = self.model
        freq = model.sde_sample_freq if model.use_sde else 1
        return freq < 1 or self._collected % freq == 0

    def _on_training_start(self) -> None:
        self._resumed.begin()

    def _on_step(self) -> bool:
        self._collected += 1
        self._session.progress(self.num_timesteps)
        return True

    def _on_rollout_end(self) -> None:
        since_s = time.monotonic() - self._last_report
        self._is_due = self._reports_each or since_s >= self._session.metrics_interval_s
        if self._is_due:
            self._learning.before_update()

    def _on_rollout_start(self) -> None:
        """Runs between two updates, when the log of the last update is complete."""
        self._collected, self._is_boundary = 0, True
        if self._is_due:
            self._last_report = time.monotonic()
            self.report()

    def end(self) -> None:
        """After the last update."""
        self._resumed.is_in_rollout = False
        self.report()

    def report(self) -> None:
        if any(name.startswith("train/") for name in self.model.logger.name_to_value):
            self.model.logger.dump(self.model.num_timesteps)


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
