"""A FoundModel is what a file holds, as far as it can be known without an environment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rl_lab.core.models.forms import ModelForm
from rl_lab.core.words.amounts import plural


@dataclass
class FoundModel:
    form: ModelForm
    algorithm: str
    """ppo, a2c, dqn, sac, td3; `policy` where the file holds a policy of unknown learner."""
    tensors: dict[str, Any] = field(default_factory=dict)
    """By the names of Stable-Baselines3; empty for other forms."""
    observation: tuple[int, ...] | None = None
    """Shape of an observation, where it is known."""
    action_size: int | None = None
    """Number of discrete actions, or of components of a continuous one."""
    is_discrete: bool | None = None
    activation: str | None = None
    """tanh, relu, elu, leaky_relu; None: the algorithm's usual one."""
    settings: dict[str, Any] = field(default_factory=dict)
    """Plain settings of its training by the library's names."""
    normaliser: dict[str, Any] | None = None
    """Means and variances of a VecNormalize."""
    env_id: str | None = None
    timesteps: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def observation_text(self) -> str:
        return (
            f"observations of shape {self.observation}"
            if self.observation is not None
            else "unknown observations"
        )

    @property
    def action_text(self) -> str:
        if self.action_size is None:
            return "unknown actions"
        if self.is_discrete is None:
            return f"{self.action_size} outputs"
        return (
            f"{self.action_size} discrete actions"
            if self.is_discrete
            else f"actions of {plural(self.action_size, 'number')}"
        )
