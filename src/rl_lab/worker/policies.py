"""Policies that play: a checkpoint, loaded by the runner that made it, or random actions."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from rl_lab.core.errors import InvalidInput
from rl_lab.worker.checkpoint_files import verified
from rl_lab.worker.runner import Decision, Policy, runner_of

if TYPE_CHECKING:
    from rl_lab.core.job_file import PolicyInput


def load_policy(given: PolicyInput) -> Policy:
    if not given.checkpoint.is_file():
        raise InvalidInput(
            f"The checkpoint {given.checkpoint.name} does not exist any more.",
            next_step="Choose another checkpoint of the run, or train again.",
        )
    with verified(given.checkpoint, given.sha256) as checkpoint:
        runner = runner_of(given.runner)
        load_captured = getattr(runner, "load_captured", None)
        policy: Policy = (
            runner.load_policy(checkpoint, given.config)
            if load_captured is None
            else load_captured(checkpoint, given)
        )
        return policy


def notes_of(policy: Policy) -> list[str]:
    """What a policy does not do as in its training, as sentences; of a script's own classes."""
    return list(getattr(policy, "notes", ()))


def seed_sampling(seed: int) -> None:
    """Policies that act by chance draw the same actions for the same seed."""
    import numpy as np

    np.random.seed(seed)
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)


class RandomPolicy:
    """Acts at random, the same way for the same seed."""

    def __init__(self, action_space: Any, seed: int) -> None:
        self._space = action_space
        self._space.seed(seed)

    def act(self, observation: Any, deterministic: bool) -> Decision:
        return Decision(action=self._space.sample())
