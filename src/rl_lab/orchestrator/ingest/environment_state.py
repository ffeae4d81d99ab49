"""What the journal has reported about the environments of a captured script; part of the stored RunState. Pure."""

from __future__ import annotations

from typing import Any

import msgspec

from rl_lab.core.protocol.events import EnvironmentEvent
from rl_lab.core.script_environments import EnvironmentRole, ScriptEnvironment, describe_environment

NAME_CHARS = 200
MAX_ENVIRONMENTS = 200


class EnvironmentState(msgspec.Struct, kw_only=True):
    """The fields of a ScriptEnvironment, and what the worker decided before a user chose otherwise."""

    number: int
    env_id: str = ""
    env_kwargs: dict[str, Any] = {}
    count: int = 1
    made: int = 1
    role: EnvironmentRole = "training"
    why: str = ""
    is_chosen: bool = False
    steps: int = 0
    episodes: int = 0

    def learn(self, event: EnvironmentEvent) -> bool:
        """Take what the worker reports; True when that changes the role."""
        before = self.role
        self.env_id, self.env_kwargs = event.env_id[:NAME_CHARS], event.env_kwargs
        self.count, self.made = event.count, event.made
        self.steps = max(self.steps, event.steps)
        if not self.is_chosen:
            self.role, self.why = event.role, event.why[:NAME_CHARS]
        return self.role != before

    def choose(self, role: EnvironmentRole) -> None:
        self.role, self.why, self.is_chosen = role, "chosen by the user", True

    def fields(self) -> dict[str, Any]:
        return msgspec.structs.asdict(self)

    def sentence(self) -> str:
        """ "Environment 1, CartPole-v1 × 8, is the training: stepped first." """
        shown = ScriptEnvironment(**self.fields())
        role = "the training" if self.role == "training" else "evaluation"
        return f"{describe_environment(shown)}, is {role}{f': {self.why}' if self.why else ''}."
