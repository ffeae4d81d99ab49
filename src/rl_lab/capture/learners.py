"""What is known about the learner of a script, and what follows for the roles of its environments.

A Stable-Baselines3 model names its environment. Otherwise the order of steps decides, and updates of torch networks
correct it: after the steps of the training environments the networks are updated, after those of an evaluation not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from weakref import ref

from rl_lab.capture.env_groups import EVALUATION, TRAINING, EnvGroup, Role

if TYPE_CHECKING:
    from rl_lab.capture.env_roles import EnvRoles

FEW_WINDOWS = 5
"""Fewer updates than this say nothing."""
COUNTED_UPDATES = 1000
"""Later ones are counted only now and then: an optimiser may make thousands a second."""
STRIDE = 50

FIRST = "stepped first"
AFTER_THE_LAST = "made after the training before it had ended"
OTHER = "another environment was stepped first"
DRAWN = "drawn, which the training is not"
TRIED = "only tried out: no episode ended in it"
OF_MODEL = "Stable-Baselines3 trains in it"
NOT_OF_MODEL = "not the environment of the Stable-Baselines3 model"
OUTSIDE = "stepped outside learn() of Stable-Baselines3"
UPDATED = "the networks are updated after its steps"
NOT_UPDATED = "the networks are not updated after its steps"


class Learners:
    def __init__(self, roles: EnvRoles) -> None:
        self._roles = roles
        self._model_env: Any = None
        """Reference to the vector environment of the model that is learning."""
        self._has_model = False
        self._updates = 0
        self._windows = 0
        self._steps_seen: dict[int, int] = {}

    def learn_begins(self, vector: Any) -> None:
        """A Stable-Baselines3 model starts to learn in this vector environment."""
        if not self._has_model:
            self._has_model = True
            for group in self._roles.groups:
                group.is_settled = True
                self._roles.assign(group, EVALUATION, OUTSIDE)
        self._model_env = ref(vector)
        self._roles.leave_groups()

    def learn_ends(self) -> None:
        self._model_env = None
        self._roles.leave_groups()

    def decide(self, group: EnvGroup, vector: Any) -> tuple[Role, str]:
        if self._has_model:
            group.is_settled = True
            env = self._model_env() if self._model_env is not None else None
            if env is None:
                return EVALUATION, OUTSIDE
            return (TRAINING, OF_MODEL) if env is vector else (EVALUATION, NOT_OF_MODEL)
        training = self._roles.training
        if not training:
            return TRAINING, FIRST
        if not all(one.is_over for one in training):
            return EVALUATION, OTHER
        if not any(one.episodes for one in training):
            for one in training:
                self._roles.assign(one, EVALUATION, TRIED)
            return TRAINING, FIRST
        return self._follow(group, training)

    def _follow(self, group: EnvGroup, training: list[EnvGroup]) -> tuple[Role, str]:
        """The training environments have ended: is this one the next of them?"""
        if not (group.is_late and any(one.is_like(group.origin, group.count) for one in training)):
            return EVALUATION, OTHER
        if group.is_drawn and not any(one.is_drawn for one in training):
            return EVALUATION, DRAWN
        return TRAINING, AFTER_THE_LAST

    def updated(self) -> None:
        """A torch optimiser made a step."""
        self._updates += 1
        if self._updates > COUNTED_UPDATES and self._updates % STRIDE:
            return
        stepped = []
        for group in self._roles.groups:
            steps = group.steps
            if steps != self._steps_seen.get(group.number, 0):
                self._steps_seen[group.number] = steps
                stepped.append(group)
        if stepped:
            self._windows += 1
            for group in stepped:
                group.count_window(self._windows)

    def review(self, *, is_end: bool) -> None:
        if self._has_model or len(self._roles.groups) < 2:
            return
        self._settle_later_ones()
        if self._windows >= FEW_WINDOWS:
            self._follow_updates(is_end=is_end)

    def _settle_later_ones(self) -> None:
        """An evaluation that began while the training rested: the training went on, or it had really ended."""
        training = self._roles.training
        steps = self._roles.training_steps()
        for group in self._roles.groups:
            if group.is_settled or group.why != OTHER:
                continue
            if steps > group.trained_before:
                group.is_settled = True
            elif training and all(one.is_over for one in training):
                role, why = self._follow(group, training)
                group.is_settled = True
                if role == TRAINING:
                    self._roles.assign(group, role, why)

    def _follow_updates(self, *, is_end: bool) -> None:
        learning = [group for group in self._roles.groups if group.is_learning]
        for group in self._roles.training:
            if group.why == FIRST and not group.is_learning and learning:
                self._roles.assign(group, EVALUATION, NOT_UPDATED)
                for other in learning:
                    # Settled, if at all, as an evaluation; whether later environments continue its training is open.
                    other.is_settled = False
                    self._roles.assign(other, TRAINING, UPDATED)
            elif group.why == AFTER_THE_LAST and not group.windows and (is_end or group.is_over):
                self._roles.assign(group, EVALUATION, NOT_UPDATED)
