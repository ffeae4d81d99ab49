"""From an environment's observation to the input of a network, and from its output to an action."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.environments.make import make_environment
from rl_lab.worker.environments.spaces import space_text
from rl_lab.worker.runner import Decision

CHOOSE = "Name the environment that it was trained in: `--env ID`."


class Interface:
    """What an environment gives to a policy and takes from it."""

    def __init__(self, env_id: str, env_kwargs: dict[str, Any]) -> None:
        env = make_environment(env_id, env_kwargs)
        try:
            self.env_id, self.observations, self.actions = env_id, env.observation_space, env.action_space
        finally:
            env.close()
        if not isinstance(self.observations, spaces.Box | spaces.Discrete):
            raise self._refuse("observations", self.observations)
        if not isinstance(self.actions, spaces.Box | spaces.Discrete):
            raise self._refuse("actions", self.actions)

    @property
    def input_shape(self) -> tuple[int, ...]:
        """Of one observation; a discrete one is encoded as one-hot."""
        space = self.observations
        return (int(space.n),) if isinstance(space, spaces.Discrete) else tuple(space.shape)

    def batch(self, observation: Any, shape: tuple[int, ...] | None = None) -> Any:
        """A batch of one observation, in the shape that the network takes."""
        space = self.observations
        if isinstance(space, spaces.Discrete):
            row = np.zeros(int(space.n), np.float32)
            row[int(observation) - int(space.start)] = 1
        else:
            row = np.asarray(observation, np.float32)
        return row.reshape(1, *(shape or row.shape))

    def sample(self) -> Any:
        """Some observation, to try a network with; zeros, because bounds may be infinite."""
        space = self.observations
        return int(space.start) if isinstance(space, spaces.Discrete) else np.zeros(space.shape, np.float32)

    def decision(self, output: Any) -> Decision:
        """The action that an output of the network means; raises when it means none of this environment."""
        values = np.asarray(output)
        flat = values.reshape(-1)
        if flat.dtype.kind == "f" and not np.isfinite(flat).all():
            raise InvalidInput("The policy gives NaN or infinity, so it cannot act.", next_step=CHOOSE)
        if isinstance(self.actions, spaces.Discrete):
            return self._discrete(flat)
        if flat.size != int(np.prod(self.actions.shape)):
            raise self.does_not_fit(values.shape)
        action = np.clip(flat.reshape(self.actions.shape), self.actions.low, self.actions.high)
        return Decision(action.astype(self.actions.dtype))

    def _discrete(self, flat: Any) -> Decision:
        count, start = int(self.actions.n), int(self.actions.start)
        if flat.size == count and (count > 1 or flat.dtype.kind == "f"):
            return Decision(int(flat.argmax()) + start)
        if flat.size == 1 and flat.dtype.kind in "iu" and 0 <= int(flat[0]) - start < count:
            return Decision(int(flat[0]))
        raise self.does_not_fit((flat.size,))

    def does_not_fit(self, shape: tuple[int, ...]) -> InvalidInput:
        return InvalidInput(
            f"The policy does not fit {self.env_id}: for one observation it gives an output of shape {shape}; "
            f"{self.env_id} has observations {space_text(self.observations)} and actions {space_text(self.actions)}.",
            next_step=CHOOSE,
        )

    def _refuse(self, what: str, space: Any) -> InvalidInput:
        return InvalidInput(
            f"{self.env_id} has {what} of the kind {space_text(space)}, which a policy of this form cannot use.",
            next_step="Choose an environment with boxes or discrete values.",
        )
