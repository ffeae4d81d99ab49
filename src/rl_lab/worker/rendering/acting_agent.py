"""Who acts in an environment that is played live: chance, or a model that is loaded while the one before plays on."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from rl_lab.core.errors import InvalidInput, LabError
from rl_lab.portable.frame_protocol import FrameHeader, StageAgent, StageProblem
from rl_lab.portable.shown_values import shown
from rl_lab.worker.failures import explain
from rl_lab.worker.policies import RandomPolicy, load_policy
from rl_lab.worker.runner import Decision, Policy

if TYPE_CHECKING:
    from rl_lab.core.job_file import PolicyInput

NOBODY: StageAgent = {"label": "Random actions"}


class _Loaded:
    """A policy that can act, or why it cannot."""

    def __init__(
        self, agent: StageAgent, policy: Policy | None = None, problem: StageProblem | None = None
    ) -> None:
        self.agent, self.policy, self.problem = agent, policy, problem


class ActingAgent:
    """`wake` is called from another thread when a model has been loaded, or could not be."""

    def __init__(self, action_space: Any, seed: int, wake: Callable[[], None] = lambda: None) -> None:
        self._space = action_space
        self._wake = wake
        self._chance = RandomPolicy(action_space, seed)
        self.policy: Policy = self._chance
        self.agent, self.loading = NOBODY, ""
        self.problem: StageProblem | None = None
        self._loaded: queue.SimpleQueue[_Loaded] = queue.SimpleQueue()

    def begin_loading(self, given: dict[str, Any] | None, observation: Any) -> None:
        """On a thread: loading a library takes seconds, in which the one before plays on. None: chance."""
        self.problem = None
        if given is None:
            self.loading = ""
            self._loaded.put(_Loaded(NOBODY, self._chance))
            return
        from rl_lab.core.job_file import PolicyInput  # with the first agent: most pictures have none

        policy = PolicyInput.model_validate(given)
        agent: StageAgent = {
            "label": policy.label,
            "run_id": policy.run_id,
            "timestep": policy.timestep,
            "role": policy.role,
            "checkpoint": policy.artifact_id,
        }
        self.loading = policy.label
        threading.Thread(target=self._load, args=(policy, agent, observation), daemon=True).start()

    def take_loaded(self, use: Callable[[Policy], None]) -> bool:
        """Whether another model acts from now on, which `use` gets, or one could not be loaded."""
        changed = False
        while not self._loaded.empty():
            one = self._loaded.get()
            if one.agent["label"] != (self.loading or NOBODY["label"]):
                continue  # another one was asked for meanwhile
            self.loading, changed = "", True
            if one.policy is None:
                self.problem = one.problem
            else:
                self.policy, self.agent = one.policy, one.agent
                use(one.policy)
        return changed

    def header(self) -> FrameHeader:
        return {"agent": self.agent, "loading": self.loading, "problem": self.problem}  # type: ignore[typeddict-item]

    def _load(self, given: PolicyInput, agent: StageAgent, observation: Any) -> None:
        try:
            policy = load_policy(given)
            if not hasattr(policy, "wrap"):
                _try(policy, observation, self._space)
            self._loaded.put(_Loaded(agent, policy))
        except Exception as error:  # the edge: whatever a model fails with, the one before plays on
            said = explain(error)
            message = error.detail if isinstance(error, LabError) else said.message
            step = (error.next_step or "") if isinstance(error, LabError) else said.next_step
            self._loaded.put(_Loaded(agent, problem={"message": message, "next_step": step}))
        self._wake()


def thoughts_of(decision: Decision | None) -> FrameHeader:
    """What the policy estimated when it decided."""
    found = {}
    for name in ("value", "probabilities", "q_values"):
        value = getattr(decision, name, None)
        if value is not None:
            found[name] = shown(value)
    return found  # type: ignore[return-value]


def _try(policy: Policy, observation: Any, space: Any) -> None:
    """Refuses a model that acts in other spaces, before it takes over."""
    try:
        action = policy.act(observation, True).action
        fits = space.contains(action) or np.shape(action) == space.shape
    except Exception as error:
        raise InvalidInput(f"The model cannot act on what this environment shows: {error}.") from error
    if not fits:
        raise InvalidInput("The model's actions are not those of this environment.")
