"""Converts SB3's logger values to the lab's metric names."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from stable_baselines3.common.logger import KVWriter, Logger

from rl_lab.core.protocol.metric_names import METRIC_NAMES
from rl_lab.worker.session import Session

LOGGED = ("train/", "rollout/exploration_rate")
"""The values used from SB3's logger; rewards, lengths and speed are measured from the episodes."""
NAMES = {name: ours for name, ours in METRIC_NAMES.items() if name.startswith(LOGGED)}


class MetricWriter(KVWriter):  # type: ignore[misc]
    """Receives the logged values of an update and passes them to the session."""

    def __init__(
        self, session: Session, model: Any, gradients: GradientNorm, learning: LearningStatistics
    ) -> None:
        self._session = session
        self._model = model
        self._gradients = gradients
        self._learning = learning
        self._clock = time.monotonic()
        self._step = int(model.num_timesteps)

    def restart_clock(self) -> None:
        """Excludes a pause from the training time."""
        self._clock, self._step = time.monotonic(), int(self._model.num_timesteps)

    def write(
        self, key_values: dict[str, Any], key_excluded: dict[str, tuple[str, ...]], step: int = 0
    ) -> None:
        values = {NAMES[key]: float(value) for key, value in key_values.items() if key in NAMES}
        if "train/entropy_loss" in key_values:
            values["entropy"] = -float(key_values["train/entropy_loss"])
        if "loss" not in values and "value_loss" in values:
            values["loss"] = self._total_loss(values)
        norm = self._gradients.last()
        if norm is not None:
            values["gradient_norm"] = norm
        values |= self._learning.take()
        values["fps"] = self._steps_per_second(step)
        self._session.metrics(values, step)

    def close(self) -> None:
        """Nothing to close: the session outlives the logger."""

    def _total_loss(self, values: dict[str, float]) -> float:
        """A2C, SAC and TD3 log only the parts."""
        model, policy_loss, value_loss = self._model, values.get("policy_loss", 0.0), values["value_loss"]
        if hasattr(model, "vf_coef"):
            bonus = float(model.ent_coef) * values.get("entropy", 0.0)
            return policy_loss - bonus + float(model.vf_coef) * value_loss
        return policy_loss + value_loss

    def _steps_per_second(self, step: int) -> float:
        now, before = time.monotonic(), self._clock
        steps = step - self._step
        self._clock, self._step = now, step
        return steps / max(now - before, 1e-9)


class LearningStatistics:
    """What SB3 does not log: advantages and parameter changes of PPO and A2C, Q-values of DQN, SAC and TD3.

    Read from tensors that training makes anyway, when a report is due.
    """

    def __init__(self, model: Any) -> None:
        self._model = model
        self._before: Any = None
        self._advantages: tuple[float, float] = (0.0, 0.0)
        self._q: Any = None
        critic = getattr(model, "q_net", None) or getattr(model, "critic", None)
        if critic is not None and not hasattr(model, "rollout_buffer"):
            critic.register_forward_hook(self._keep_q)

    def before_update(self) -> None:
        """Remembers parameters and advantages; the next rollout clears the buffer before the report reads it."""
        if hasattr(self._model, "rollout_buffer"):
            self._before = self._parameters()
            advantages = self._model.rollout_buffer.advantages
            self._advantages = float(advantages.mean()), float(advantages.std())

    def take(self) -> dict[str, float]:
        values = {}
        if self._before is not None:
            change = float((self._parameters() - self._before).norm())
            length = float(self._before.norm())
            values = {
                "parameter_change": change,
                "relative_parameter_change": change / length if length else 0.0,
                "advantage_mean": self._advantages[0],
                "advantage_std": self._advantages[1],
            }
        if self._q is not None:
            values |= {"q_mean": float(self._q.mean()), "q_max": float(self._q.max())}
        self._before = self._q = None
        return values

    def _parameters(self) -> Any:
        return torch.nn.utils.parameters_to_vector(self._model.policy.parameters()).detach()

    def _keep_q(self, network: Any, _inputs: Any, output: Any) -> None:
        if network.training:
            self._q = output[0].detach() if isinstance(output, tuple) else output.detach().amax(1)


class GradientNorm:
    """The norm of the gradient before clipping, captured from torch's own clipping call.

    Critics whose gradients are never clipped are measured on request.
    """

    def __init__(self, model: Any) -> None:
        self._critic = getattr(model, "critic", None)
        self._norm: Any = None

    @contextmanager
    def capture(self) -> Iterator[None]:
        original = torch.nn.utils.clip_grad_norm_

        def clip_and_store(*args: Any, **kwargs: Any) -> Any:
            self._norm = original(*args, **kwargs)
            return self._norm

        torch.nn.utils.clip_grad_norm_ = clip_and_store
        try:
            yield
        finally:
            torch.nn.utils.clip_grad_norm_ = original

    def last(self) -> float | None:
        if self._norm is None and self._critic is not None:
            gradients = [p.grad for p in self._critic.parameters() if p.grad is not None]
            return float(torch.nn.utils.get_total_norm(gradients)) if gradients else None
        return None if self._norm is None else float(self._norm)


def logger_to(writer: MetricWriter) -> Logger:
    return Logger(None, [writer])
