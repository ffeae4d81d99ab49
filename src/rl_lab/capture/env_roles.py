"""The Stage knows every environment a script made and tells training from evaluation.

The environment that is stepped first is *the* environment. Those like it (same id and settings) that had been reset
by then train with it, in the order of their making; all others are evaluations, whose episodes go to the series
`eval/reward` and `eval/length`, never into the training's curve.
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
    """What the taps need of the capture's session."""

    telemetry: Any
    job: Mapping[str, Any]
    recorder: Any
    stage: Any
    """Set by the stage, for taps of other libraries' environments."""
    attention: bool
    """True when `boundary` is to be called."""

    def boundary(self) -> None:
        """Between two steps: pause, checkpoint, stop."""

    def learn(self, **what: Any) -> None:
        """Fields of the config event: env_id, env_kwargs, env_version, action, n_envs, seed."""

    def not_captured(self, message: str) -> None:
        """Say once, as a warning, what could not be captured."""


class Stage:
    def __init__(self, session: TapSession) -> None:
        self.session = session
        self.recorder = session.recorder = make_recorder(session)
        session.stage = self
        self.pid = os.getpid()
        self.is_decided = False
        self.last_origin: Origin | None = None
        """Of the environment made last; a vector environment asks for it."""
        self._waiting: list[Tap] = []
        self._training: list[Tap] = []
        self._vector: Any = None
        """The vector environment that is in its step right now."""
        self._clock: Any = None
        """The vector environment whose steps are the training's."""
        self._clocked = 0
        self._said_evaluation = False

    @property
    def is_here(self) -> bool:
        """False in a child process: nobody listens there."""
        return os.getpid() == self.pid

    def enter(self, tap: Tap) -> None:
        self.last_origin = tap.origin
        if not self.is_decided:
            self._waiting.append(tap)

    def leave(self, tap: Tap) -> None:
        """An environment was closed. One that was only tried out makes room for the next."""
        tap.is_closed = True
        recorder = self.session.recorder
        if (
            self._training
            and recorder.episodes == recorder.episode0
            and all(t.is_closed for t in self._training)
        ):
            self.is_decided, self._training, self._waiting = False, [], []
            self._clock = self.recorder.clock = None

    def cast(self, tap: Tap, env: Any, action: Any) -> None:
        """The first step of an environment: give it its part."""
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

    def claim(self) -> bool:
        """A vector environment that hides its members wants to be the training; True for the first that is stepped."""
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
        if not self._said_evaluation:
            self._said_evaluation = True
            self.session.telemetry.log(
                "info",
                "The script plays other environments beside those it trains in: their episodes are shown as "
                "eval/reward and eval/length.",
                "evaluation_seen",
            )
        values = {"eval/reward": returned, "eval/length": float(length)}
        self.session.telemetry.metrics(values, self.recorder.timestep)

    def is_trusted(self, origin: Origin) -> bool:
        """Rewards are kept beside the actions unless we or the lab's own check vouch for the environment."""
        config, inputs = self.session.job.get("config") or {}, self.session.job.get("inputs") or {}
        exact = inputs.get("exact") if config.get("env_id") == origin.env_id else None
        return bool(exact or origin.is_trusted) and False not in (exact, origin.is_trusted)

    def _follow_vector(self, members: int) -> None:
        """Steps are counted as the script counts them: of the vector environment, whatever lies between."""
        if self._vector is None:
            return
        self._clock, self._clocked = self._vector, members
        self.recorder.clock = lambda: self._clocked

    def _announce(self, tap: Tap, packing: Any, space: Any) -> None:
        origin = tap.origin
        self.session.learn(
            env_id=origin.env_id,
            env_kwargs=origin.env_kwargs,
            env_version=origin.env_version or None,
            action=packing,
            n_envs=len(self._training),
            seed=tap.seed,
        )
        if origin.problem:
            self.session.not_captured(
                f"Episodes of {origin.env_id} are counted, not recorded: {origin.problem}."
            )
        elif packing is None:
            kind = type(space).__name__
            self.session.not_captured(
                f"Episodes of {origin.env_id} are counted, not recorded: actions of its {kind} space, as the script "
                "plays them, cannot be kept."
            )


def make_recorder(session: TapSession) -> Recorder:
    job = session.job
    return Recorder(
        session.telemetry,
        episode0=int(job.get("episode0") or 0),
        timestep0=int(job.get("timestep0") or 0),
        record=(job.get("config") or {}).get("record") is not False,
    )
