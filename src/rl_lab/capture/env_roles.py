"""EnvRoles decides which environments of a script are used for training and which for evaluation.

The group that the script steps first is the training; steps that wrappers make inside `reset` do not count. Groups of
the same kind that are made after it has ended are training too: a loop over seeds. Where more is known, that decides:
the environment of a Stable-Baselines3 model, updates of the script's networks, the user's choice. All others are
evaluation. A decision may be revised; the lab then computes the curves again.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol
from weakref import WeakKeyDictionary

from rl_lab.capture.child_environments import ChildEnvironments
from rl_lab.capture.env_groups import EVALUATION, TRAINING, EnvGroup, Member, Role, VectorClock
from rl_lab.capture.env_origins import Origin
from rl_lab.capture.env_places import Place, find_place
from rl_lab.capture.learners import Learners
from rl_lab.portable.recorder import Recorder

if TYPE_CHECKING:
    from rl_lab.capture.taps.tapped_env import Tap

MANY_GROUPS = 20
"""From here on, trainings of the same kind one after the other share a group."""
FROM_DATASET = "the script learns from a dataset"
MAX_GROUPS = 60
"""Further environments join the newest group of their role."""


class TapSession(Protocol):
    """What the taps need of the CaptureSession."""

    telemetry: Any
    job: Mapping[str, Any]
    recorder: Any
    roles: Any
    """The EnvRoles, for taps of other libraries' environments."""
    dataset_run: Any
    """The DatasetRun of a script that learns from a dataset: then no environment is the training."""
    attention: bool
    """True when `boundary` must be called."""

    def boundary(self) -> None:
        """Between two steps: pause, checkpoint, stop."""

    def after_episode(self) -> None:
        """An episode of one of its environments has ended."""

    def report_config(self, **what: Any) -> None:
        """Fields of the config event: env_id, env_kwargs, env_version, action, n_envs, seed."""

    def not_captured(self, message: str) -> None:
        """Log a warning, once, about what could not be captured."""


class EnvRoles:
    def __init__(self, session: TapSession) -> None:
        self.session = session
        self.recorder = session.recorder = make_recorder(session)
        self._dataset_run = session.dataset_run
        self.recorder.clock = self._dataset_run.updates_made if self._dataset_run else self.training_steps
        session.roles = self
        self.pid = os.getpid()
        self.last_origin: Origin | None = None
        """Of the environment created last; used for vector environments."""
        self.groups: list[EnvGroup] = []
        self.learners = Learners(self)
        self.children = ChildEnvironments(session)
        self._chosen = [str(name) for name in _params(session).get("training") or ()]
        """Environments that the user named as the training, by id or number."""
        self._current: WeakKeyDictionary[Any, EnvGroup] = WeakKeyDictionary()
        """The group of each vector environment or single environment that is being stepped."""
        self._clocks: WeakKeyDictionary[Any, VectorClock] = WeakKeyDictionary()
        self._numbered: list[Tap] = []
        self._announced: EnvGroup | None = None

    @property
    def is_main_process(self) -> bool:
        """False in a child process, where nothing is captured."""
        return os.getpid() == self.pid

    @property
    def training(self) -> list[EnvGroup]:
        return [group for group in self.groups if group.is_training]

    def training_steps(self) -> int:
        return sum(group.steps for group in self.groups if group.is_training)

    def add(self, tap: Tap) -> None:
        self.last_origin = tap.origin
        tap.is_late = bool(self.groups)

    def remove(self, tap: Tap) -> None:
        """An environment was closed."""
        tap.is_closed = True

    def number(self, tap: Tap) -> int:
        """The lowest number that no other environment in use has; episodes are told apart by it while they run."""
        for number, other in enumerate(self._numbered):
            if other.is_over:
                self._numbered[number] = tap
                return number
        self._numbered.append(tap)
        return len(self._numbered) - 1

    def clock_of(self, vector: Any) -> VectorClock:
        """Counts the steps of this vector environment; its tap advances it."""
        clock = self._clocks.get(vector)
        if clock is None:
            clock = self._clocks[vector] = VectorClock()
        return clock

    def find_group(self, tap: Tap, *, is_drawn: bool) -> EnvGroup | None:
        """The group of an environment that is stepped now; None when this step is part of a reset."""
        place = find_place(sys._getframe(1))
        if place.is_in_reset:
            return None
        key = tap if place.vector is None else place.vector
        group = self._current.get(key)
        if group is None:
            clock = self._clocks.get(place.vector) if place.vector is not None else None
            group = self._begin(key, tap.origin, place, clock=clock, is_late=tap.is_late, is_drawn=is_drawn)
            group.seed = tap.seed if group.seed is None else group.seed
            group.packing = group.packing or tap.packing
            self._announce(group)
        group.add(tap)
        return group

    def hidden_group(self, place: Place, member: Member, origin: Origin | None, **more: Any) -> EnvGroup:
        """The group of a vector environment whose members cannot be seen; `more`: its seed, and whether it is late."""
        group = self._current.get(place.vector)
        if group is None:
            group = self._begin(place.vector, origin, place, is_late=more["is_late"])
            group.seed = more["seed"] if group.seed is None else group.seed
            group.is_hidden = True
            group.add(member)
            self._announce(group)
        return group

    def leave_groups(self) -> None:
        """What is stepped from now on is decided anew: a learner begins or ends."""
        self._current.clear()
        for group in self.groups:
            group.leave()

    def review(self, *, is_end: bool = False) -> None:
        """Revise decisions by what has happened since; called a few times a second, and at the end."""
        if not self._chosen and self._dataset_run is None:
            self.learners.review(is_end=is_end)
        # Gymnasium's own worker processes make their members too: those are counted from outside.
        hidden = {group.env_id for group in self.groups if group.is_hidden}
        self.children.log(hidden, is_end=is_end)

    def assign(self, group: EnvGroup, role: Role, why: str) -> None:
        """Change the role of a group and report it."""
        group.assign(role, why)
        self._announce(group)

    def report_steps(self) -> None:
        """At the end: how many steps each group took."""
        for group in self.groups:
            self._send(group)

    def is_trusted(self, origin: Origin) -> bool:
        """Whether the environment is known to be deterministic; if not, rewards are recorded with the actions."""
        config, inputs = self.session.job.get("config") or {}, self.session.job.get("inputs") or {}
        exact = inputs.get("exact") if config.get("env_id") == origin.env_id else None
        return bool(exact or origin.is_trusted) and False not in (exact, origin.is_trusted)

    def _begin(
        self,
        key: Any,
        origin: Origin | None,
        place: Place,
        *,
        is_late: bool,
        is_drawn: bool = False,
        clock: VectorClock | None = None,
    ) -> EnvGroup:
        new = EnvGroup(len(self.groups) + 1, origin, place.members)
        new.is_late, new.is_drawn, new.trained_before = is_late, is_drawn, self.training_steps()
        role, why = self._decide(new, place.vector)
        group = self._earlier(new, role)
        if group is None:
            group = new
            group.assign(role, why)
            self.groups.append(group)
        group.begin(clock)
        self._current[key] = group
        return group

    def _earlier(self, new: EnvGroup, role: Role) -> EnvGroup | None:
        """A group of the same kind and role that has ended: the new environments continue it."""
        known = len(self.groups)
        for group in reversed(self.groups):
            continues = group.is_over and group.is_like(new.origin, new.count)
            is_firm = group.is_settled or (role == TRAINING and known >= MANY_GROUPS)
            if group.role == role and ((continues and is_firm) or known >= MAX_GROUPS):
                return group
        return None

    def _decide(self, group: EnvGroup, vector: Any) -> tuple[Role, str]:
        if self._chosen:
            is_chosen = group.env_id in self._chosen or str(group.number) in self._chosen
            group.is_settled = True
            return (TRAINING if is_chosen else EVALUATION), "chosen by the user"
        if self._dataset_run is not None:
            group.is_settled = True
            return EVALUATION, FROM_DATASET
        return self.learners.decide(group, vector)

    def _announce(self, group: EnvGroup) -> None:
        self._send(group)
        is_offline = self._dataset_run is not None
        first = next((one for one in self.groups if one.is_training or is_offline), None)
        if first is None or first is self._announced:
            return
        self._announced = first
        origin = first.origin
        about = {} if origin is None else {"env_id": origin.env_id, "env_kwargs": origin.env_kwargs}
        self.session.report_config(
            **about,
            env_version=(origin.env_version or None) if origin is not None else None,
            action=first.packing,
            n_envs=first.count,
            seed=None if is_offline else first.seed,
        )

    def _send(self, group: EnvGroup) -> None:
        origin = group.origin
        self.session.telemetry.send(
            "environment",
            env_group=group.number,
            env_id=group.env_id,
            env_kwargs=origin.env_kwargs if origin is not None else {},
            env_version=origin.env_version if origin is not None else None,
            action=group.packing,
            count=group.count,
            made=group.made,
            role=group.role,
            why=group.why,
            steps=group.steps,
        )


def make_recorder(session: TapSession) -> Recorder:
    job = session.job
    return Recorder(
        session.telemetry,
        episode0=int(job.get("episode0") or 0),
        timestep0=int(job.get("timestep0") or 0),
        record=(job.get("config") or {}).get("record") is not False,
    )


def _params(session: TapSession) -> Mapping[str, Any]:
    return (session.job.get("config") or {}).get("params") or {}
