"""A saved SB3 model as a policy that acts and reports values and probabilities."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from gymnasium import spaces

from rl_lab.core.jobs.training import TrainConfig
from rl_lab.runners.sb3.checkpoints import read_state
from rl_lab.runners.sb3.models import CLASSES
from rl_lab.runners.sb3.observations import with_training_observations
from rl_lab.runners.sb3.random_states import State
from rl_lab.worker.runner import Decision

EPSILON, CLIP = 1e-8, 10.0
"""As in the library's VecNormalize."""


def load_policy(checkpoint: Path, config: TrainConfig) -> Sb3Policy:
    return Sb3Policy(load_model(checkpoint, config), read_state(checkpoint))


def load_model(checkpoint: Path, config: TrainConfig) -> Any:
    """The library's model without environments."""
    torch.set_num_threads(1)
    algorithm = config.algorithm.lower()
    # Loading allocates buffers, which a policy does not need.
    small = {"n_steps": 1} if algorithm in ("ppo", "a2c") else {"buffer_size": 1}
    return CLASSES[algorithm].load(checkpoint, device="cpu", **small)


class Sb3Policy:
    def __init__(self, model: Any, state: State) -> None:
        self._model = model
        self._network = model.policy
        self._network.set_training_mode(False)
        self._normalise = make_normaliser(state)
        self._decide = self._choose_decision()

    def wrap(self, env: Any) -> Any:
        """The environment with the observations this policy was trained on: Atari frames, flattened tuples."""
        return with_training_observations(env)

    def act(self, observation: Any, deterministic: bool) -> Decision:
        """Decides for one observation (not a batch)."""
        seen, _ = self._network.obs_to_tensor(self._normalise(observation))
        with torch.no_grad():
            decision: Decision = self._decide(seen, deterministic)
        return decision

    def _choose_decision(self) -> Any:
        if hasattr(self._model, "q_net"):
            return self._by_q_values
        return self._by_critic if hasattr(self._model, "critic") else self._by_distribution

    def _by_distribution(self, seen: Any, deterministic: bool) -> Decision:
        distribution = self._network.get_distribution(seen)
        action = distribution.get_actions(deterministic=deterministic)[0].numpy()
        value = float(self._network.predict_values(seen)[0])
        space = self._model.action_space
        if isinstance(space, spaces.Discrete):
            return Decision(int(action), value, distribution.distribution.probs[0].tolist())
        if isinstance(space, spaces.Box):
            action = np.clip(action, space.low, space.high)
        return Decision(action, value)

    def _by_q_values(self, seen: Any, deterministic: bool) -> Decision:
        q_values = self._network.q_net(seen)[0]
        explores = not deterministic and np.random.rand() < self._model.exploration_rate
        action = int(self._model.action_space.sample()) if explores else int(q_values.argmax())
        return Decision(action, float(q_values.max()), q_values=q_values.tolist())

    def _by_critic(self, seen: Any, deterministic: bool) -> Decision:
        scaled = self._network._predict(seen, deterministic=deterministic)
        value = min(float(q) for q in self._network.critic(seen, scaled))
        return Decision(self._network.unscale_action(scaled[0].numpy()), value)


def make_normaliser(state: State) -> Any:
    """A function that scales observations with the fixed statistics of the training."""
    parts = {
        name.removeprefix("observation:").removesuffix("_mean"): state[name]
        for name in state
        if name.startswith("observation:") and name.endswith("_mean")
    }
    if not parts:
        return lambda observation: observation

    def scale(observation: Any, key: str) -> Any:
        spread = np.sqrt(state[f"observation:{key}_var"] + EPSILON)
        return np.clip((observation - parts[key]) / spread, -CLIP, CLIP).astype(np.float32)

    if "" in parts:
        return lambda observation: scale(observation, "")
    return lambda observation: {k: scale(v, k) if k in parts else v for k, v in observation.items()}
