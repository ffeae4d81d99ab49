"""EnvRoles decides which environments of a script are used for training and which for evaluation.

The environment that is stepped first is a training environment. So are those with the same id and settings that were
reset before that, in the order they were created. All others are used for evaluation: their episodes go to the
series `eval/reward` and `eval/length`, never into the training curve.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from rl_lab.capture.env_origins import Origin
from rl_lab.capture.played_actions import find_packing
from rl_lab.portable.actions import bytes_per_step
from rl_lab.portable.recorder import Recorder

if TYPE_CHECKING:
    from rl_lab.capture.taps.tapped_env import Tap


class TapSession(Protocol):
    """What the taps need of the CaptureSession."""

    telemetry: Any
    job: Mapping[str, Any]
    recorder: Any
    roles: Any
    """The EnvRoles, for taps of other libraries' environments."""
    attention: bool
    """True when `boundary` must be called."""

    def boundary(self) -> None:
        """Between two steps: pause, checkpoint, stop."""

    def report_config(self, **what: Any) -> None:
        """Fields of the config event: env_id, env_kwargs, env_version, action, n_envs, seed."""

    def not_captured(self, message: str) -> None:
        """Log a warning, once, about what could not be captured."""


class EnvRoles:
    def __init__(self, session: TapSession) -> None:
        self.session = session
        self.recorder = session.recorder = make_recorder(session)
        session.roles = self
        self.pid = os.getpid()
        self.is_decided = False
        self.last_origin: Origin | None = None
        """Of the environment created last; used for vector environments."""
        self._waiting: list[Tap] = []
        self._training: list[Tap] = []
        self._vector: Any = None
        """The vector environment that is executing its step now."""
        self._clock: Any = None
        """The vector environment whose steps are counted as training steps."""
        self._clocked = 0
        self._logged_evaluation = False

    @property
    def is_main_process(self) -> bool:
        """False in a child process, where nothing is captured."""
        return os.getpid() == self.pid

    def add(self, tap: Tap) -> None:
        self.last_origin = tap.origin
        if not self.is_decided:
            self._waiting.append(tap)

    def remove(self, tap: Tap) -> None:
        """An environment was closed. If no episode had ended in training by then, the next one becomes the training."""
        tap.is_closed = True
        recorder = self.session.recorder
        if (
            self._training
            and recorder.episodes == recorder.episode0
            and all(t.is_closed for t in self._training)
        ):
            self.is_decided, self._training, self._waiting = False, [], []
            self._clock = self.recorder.clock = None

    def assign_role(self, tap: Tap, env: Any, action: Any) -> None:
        """Called at the first step of an environment: decides between training and evaluation."""
        if self.is_decided:
            tap.evaluate()
            return
        self.is_decided = True
        alike = [
            t for t in self._waiting if t.origin.key == tap.origin.key and t.is_reset and not t.is_closed
        ]
        self._training, self._waiting = alike or [tap], []
        self._follow_vector(len(self._training))
        packing = None if tap.origin.problem else find_packing(env.action_space, action)
        self._announce(tap, packing, env.action_space)
        for number, member in enumerate(self._training):
            member.train(self.recorder.slot(number, bytes_per_step(packing)), packing)

    def claim_training(self) -> bool:
        """For a vector environment with hidden members: True, once, for the first that is stepped."""
        if self.is_decided:
            return False
        self.is_decided = True
        self._waiting = []
        return True

    def vector_begins_step(self, vector: Any, count: int) -> None:
        self._vector = vector
        if self._clock is vector:
            self._clocked += count

    def vector_ends_step(self) -> None:
        self._vector = None

    def report_evaluation(self, returned: float, length: int) -> None:
        if not self._logged_evaluation:
            self._logged_evaluation = True
            self.session.telemetry.log(
                "info",
                "The script also uses environments it does not train in: their episodes are shown as eval/reward and "
                "eval/length.",
                "evaluation_seen",
            )
        values = {"eval/reward": returned, "eval/length": float(length)}
        self.session.telemetry.metrics(values, self.recorder.timestep)

    def is_trusted(self, origin: Origin) -> bool:
        """Whether the environment is known to be deterministic; if not, rewards are recorded with the actions."""
        config, inputs = self.session.job.get("config") or {}, self.session.job.get("inputs") or {}
        exact = inputs.get("exact") if config.get("env_id") == origin.env_id else None
        return bool(exact or origin.is_trusted) and False not in (exact, origin.is_trusted)

    def _follow_vector(self, members: int) -> None:
        """Count steps like the script: those of the vector environment, not those of its members."""
        if self._vector is None:
            return
        self._clock, self._clocked = self._vector, members
        self.recorder.clock = lambda: self._clocked

    def _announce(self, tap: Tap, packing: Any, space: Any) -> None:
        origin = tap.origin
        self.session.report_config(
            env_id=origin.env_id,
            env_kwargs=origin.env_kwargs,
            env_version=origin.env_version or None,
            action=packing,
            n_envs=len(self._training),
            seed=tap.seed,
        )
        if origin.problem:
            self.session.not_captured(
                f"Episodes of {origin.env_id} are counted but not recorded: {origin.problem}."
            )
        elif packing is None:
            kind = type(space).__name__
            self.session.not_captured(
                f"Episodes of {origin.env_id} are counted but not recorded: the script's actions in its {kind} space "
                "cannot be stored."
            )


def make_recorder(session: TapSession) -> Recorder:
    job = session.job
    return Recorder(
        session.telemetry,
        episode0=int(job.get("episode0") or 0),
        timestep0=int(job.get("timestep0") or 0),
        record=(job.get("config") or {}).get("record") is not False,
    )
